/**
 * The one form of a word for all its writings: case, accents and width folded away, but no mark that
 * makes another letter or is how a script writes its vowels.
 *
 * @module
 */
import { fold } from "../../content/schema/collation.ts";

/** Marks that belong to no script of their own; those that voice kana make other letters. */
const ACCENTS = /[[[\p{Mn}\p{Me}]&&\p{Script=Inherited}]--[\u3099\u309A]]/gv;
const VOWEL_POINTS = /[\p{Mn}&&\p{Script=Hebrew}]/gv;
const TATWEEL = /\u0640/g;

/** Letters of their own although they are taken apart as another one with an accent. */
const WHOLE = new Set(["й", "ў", "ї", "ѓ", "ќ", "ؤ", "ئ"]);
const NOT_ASCII = /[^\0-\x7F]/gu;

/** Letters that no normalization says to be written as others. */
const WRITTEN_AS = new Map([
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["þ", "th"],
  ["ı", "i"],
  ["ґ", "г"],
  ["ة", "ه"],
  ["ى", "ي"],
  ["ی", "ي"],
  ["ک", "ك"],
]);
const OTHERWISE = new RegExp(`[${[...WRITTEN_AS.keys()].join("")}]`, "g");

/** Zeros of the digits that NFKD leaves in their scripts. */
const ZEROS = [..."٠۰०০੦૦୦௦౦೦൦๐໐༠၀០᠐"].map((zero) => zero.charCodeAt(0));
const DIGITS = /[[\p{Nd}&&[\u0660-\u19FF]]]/gv;

const INVISIBLE = /\p{Cf}/gu;
const IS_PLAIN = /^[0-9a-z]*$/;

const KNOWN_LENGTH = 10_000;
const known = new Map<string, string>();

/** The folded word; folding it again changes nothing, and it may be empty. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (IS_PLAIN.test(lower)) return lower;
  const kept = known.get(word);
  if (kept !== undefined) return kept;
  const folded = foldLetters(word);
  // Few words make up most of a text; begun anew when full, which costs less than to order them.
  if (known.size >= KNOWN_LENGTH) known.clear();
  known.set(word, folded);
  return folded;
}

function foldLetters(word: string): string {
  const bare = word.normalize("NFKC").toLowerCase().replace(NOT_ASCII, withoutMarks);
  return fold(bare)
    .replace(OTHERWISE, (letter) => WRITTEN_AS.get(letter) ?? letter)
    .replace(DIGITS, toDigit);
}

function withoutMarks(letter: string): string {
  if (WHOLE.has(letter)) return letter;
  return letter.normalize("NFKD").replace(ACCENTS, "").replace(VOWEL_POINTS, "")
    .replace(TATWEEL, "").replace(INVISIBLE, "");
}

function toDigit(digit: string): string {
  const value = digit.charCodeAt(0) - (ZEROS.findLast((zero) => zero <= digit.charCodeAt(0)) ?? 0);
  return value < 10 ? String(value) : digit;
}
