/**
 * Folds words to one form, without case, accents and width, with simplified Chinese characters and one
 * spelling of Devanagari. Keeps marks that make a different letter or that a script needs for its
 * vowels.
 *
 * @module
 */
import { normalized } from "../../shared/normalize.ts";
import { fold } from "../../content/schema/collation.ts";
import { oneSpelling } from "./devanagari.ts";
import { simplified } from "./simplified.ts";

/** Marks that belong to no script, except those that voice kana, which make a different letter. */
const ACCENTS = /[[[\p{Mn}\p{Me}]&&\p{Script=Inherited}]--[\u3099\u309A]]/gv;
const VOWEL_POINTS = /[\p{Mn}&&\p{Script=Hebrew}]/gv;
const TATWEEL = /\u0640/g;

/** Separate letters that normalization decomposes into another letter and an accent. */
const WHOLE = new Set(["й", "ў", "ї", "ѓ", "ќ", "ؤ", "ئ"]);
const NOT_ASCII = /[^\0-\x7F]/gu;

/** Equivalent letters that normalization does not cover. */
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

/** The zeros of scripts whose digits NFKD does not convert. */
const ZEROS = [..."٠۰०০੦૦୦௦౦೦൦๐໐༠၀០᠐"].map((zero) => zero.charCodeAt(0));
const DIGITS = /[[\p{Nd}&&[\u0660-\u19FF]]]/gv;

/** Two letters that are whole phrases: `ﷺ` folds to 18 characters, all others to a few. */
const PHRASES = /[\uFDFA\uFDFB]/g;
const PHRASE_LENGTH = 18;

const INVISIBLE = /\p{Cf}/gu;
const IS_PLAIN = /^[0-9a-z]*$/;

/** Common ideographs and hiragana alone, which have no form but simplified ones. */
const IS_IDEOGRAPHIC = /^[\u3041-\u3096\u4E00-\u9FFF]+$/;

const CACHE_SIZE = 10_000;
/** UTF-16 code units of a word that is likely to come again. */
const MOST_CACHED = 64;
const cache = new Map<string, string>();

/** Returns the folded word, which may be empty. Folding is idempotent. */
export function foldWord(word: string): string {
  return oneSpelling(foldSimplified(word));
}

/** Folds a word with Devanagari as it is written, which is how analysis 2 folded. */
function foldSimplified(word: string): string {
  return simplified(foldAsWritten(word));
}

/** Folds a word with traditional characters as they are written, too, which is how analysis 1 folded. */
export function foldAsWritten(word: string): string {
  const lower = word.toLowerCase();
  if (IS_PLAIN.test(lower)) return lower;
  if (IS_IDEOGRAPHIC.test(word)) return word;
  if (word.length > MOST_CACHED) return foldLetters(word);
  const cached = cache.get(word);
  if (cached !== undefined) return cached;
  const folded = foldLetters(word);
  // Few words make up most of a text, so a full cache is simply cleared.
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(word, folded);
  return folded;
}

/** Returns about how many UTF-16 code units a text has once its words are folded, at least its own. */
export function foldedLength(text: string): number {
  // Most texts have neither, which takes no time to find out where they are Latin.
  if (!text.includes("\uFDFA") && !text.includes("\uFDFB")) return text.length;
  return text.length + (PHRASE_LENGTH - 1) * (text.match(PHRASES)?.length ?? 0);
}

/** How the earlier analyses folded, of which an index may have words. */
export const EARLIER_FOLDS: readonly ((word: string) => string)[] = [foldAsWritten, foldSimplified];

function foldLetters(word: string): string {
  const bare = normalized(word, "NFKC").toLowerCase().replace(NOT_ASCII, withoutMarks);
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
