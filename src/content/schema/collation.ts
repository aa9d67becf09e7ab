/**
 * Compares and sorts texts in the same way on every store and in every release, independently of
 * locales and of the collations of libraries.
 *
 * @module
 */
import { normalized, withShortRuns } from "../../shared/normalize.ts";

/**
 * Maximum number of weights in a sort key, and of accents; the rest is cut off. A key with fewer code
 * points has all weights.
 */
export const MAX_WEIGHTS = 100;

/** Separates the weights of letters from those of accents; less than every weight. */
const ACCENTS = "\u0001";
/** Among the accents: a letter without an accent. */
const PLAIN = "\u0002";
const LAST = "\u{10FFFF}";

/** Precedes every sign that is not in ALPHABET. */
const OTHER = "\uFFFC";

/**
 * Signs and letters in ascending order. The weight of each is its index, which is less than the
 * weight of any other letter: its own code point.
 */
const ALPHABET = " _-‐–—,;:!¡?¿.·'‘’‚‹›\"“”„«»()[]{}§¶@*/\\&#%‰†‡•`´¨^¯°©®" +
  `←→+±÷×<=>¬|¦~${OTHER}¤¢$£¥€0123456789abcdđðefghħijklmnŋopqrstŧuvwxyzþ` +
  "αβγδεζηθικλμνξοπρστυφχψωабвгдђеєжзѕиійјклљмнњопрстћуфхцчџшщъыьэюя";

/** Letters that sort like others with a stroke, which Unicode does not decompose. */
const STROKED = new Map([
  ["æ", "a\u0338e"],
  ["œ", "o\u0338e"],
  ["ø", "o\u0338"],
  ["ł", "l\u0338"],
  ["ґ", "г\u0338"],
]);

/** UTF-16 code units of a text that its sort key is made from; more than a filter looks for. */
const MOST_LOOKED = 10_000;

/** The accents of European languages, in ascending order. */
const MARKS =
  "\u0301\u0300\u0306\u0302\u030C\u030A\u0308\u030B\u0303\u0307\u0338\u0327\u0328\u0304";

const WEIGHTS = weightsOf(ALPHABET, 2);
const MARK_WEIGHTS = weightsOf(MARKS, 3);

function weightsOf(signs: string, first: number): ReadonlyMap<string, string> {
  return new Map([...signs].map((sign, index) => [sign, String.fromCodePoint(first + index)]));
}

/**
 * Folds a text for comparisons that ignore case and the composition of accents. Folding a folded
 * text changes nothing.
 */
export function fold(text: string): string {
  // Lower case maps `ẞ` to `ß`, and upper case maps `ß` to `SS`. Some stores accept neither U+0000
  // nor lone surrogates.
  const composed = normalized(text.toWellFormed().replaceAll("\0", "\uFFFD"), "NFC");
  const lower = composed.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  // The case of some letters has marks.
  return withShortRuns(lower.normalize("NFC"));
}

/**
 * The sort key of a text. Keys compare by code points, roughly as `Intl.Collator("en")` compares
 * the texts, but without case. Texts that fold to the same text have the same key.
 *
 * Only the first 100 letters and signs count. Texts that differ after them have the same key, so
 * the next sort decides, and finally the id. A key has at most 201 code points.
 */
export function sortKey(text: string): string {
  return sortKeyOfFolded(fold(text));
}

/** The sort key of the text that folds to this one. */
export function sortKeyOfFolded(folded: string): string {
  const letters: string[] = [];
  const accents: string[] = [];
  // Characters without a weight could be all that a long text has.
  for (const char of folded.slice(0, MOST_LOOKED).toWellFormed()) {
    if (letters.length >= MAX_WEIGHTS) break;
    for (const part of WEIGHTS.has(char) ? char : partsOf(char)) weigh(part, letters, accents);
  }
  const base = letters.slice(0, MAX_WEIGHTS).join("");
  const last = accents.slice(0, MAX_WEIGHTS).findLastIndex((mark) => mark !== PLAIN);
  return last < 0 ? base : base + ACCENTS + accents.slice(0, last + 1).join("");
}

/** Decomposes a single character, so that the weights of a prefix are a prefix of the weights. */
function partsOf(char: string): string {
  if (/\p{Script=Hangul}/u.test(char)) return char;
  return STROKED.get(char) ?? char.normalize("NFKD");
}

function weigh(part: string, letters: string[], accents: string[]): void {
  if (/\s/u.test(part)) part = " ";
  const weight = WEIGHTS.get(part);
  if (weight === undefined && /\p{Mn}/u.test(part) && /\p{Script=Inherited}/u.test(part)) {
    accents.push(MARK_WEIGHTS.get(part) ?? part);
    return;
  }
  const own = weight === undefined ? ownWeight(part) : [weight];
  letters.push(...own);
  accents.push(...own.map(() => PLAIN));
}

/** The weight of a character that is not in ALPHABET; none for invisible characters. */
function ownWeight(part: string): string[] {
  if (/[\p{Cc}\p{Cf}]/u.test(part)) return [];
  if (/[\p{L}\p{M}]/u.test(part)) return [hiraganaOf(part)];
  return [WEIGHTS.get(OTHER) ?? OTHER, part];
}

/** Katakana sort like the hiragana of the same sound. */
function hiraganaOf(letter: string): string {
  return /[\u30A1-\u30F6]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 0x60) : letter;
}

/**
 * A range, without its end, that has the keys of all texts whose folded form starts with the folded
 * text of this key. Keys of other texts may be in it, too.
 */
export function prefixRange(key: string): { readonly from: string; readonly to: string } {
  const [from = ""] = key.split(ACCENTS, 1);
  return { from, to: from + LAST };
}

/**
 * The weights that are in the key of each text whose folded form contains the folded text of this key,
 * unless they are cut off: the weight of a character does not depend on those around it.
 */
export function weightsWithin(key: string): string {
  return prefixRange(key).from;
}

/** Compares by code points, as stores compare bytes of UTF-8; `<` compares by UTF-16 code units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates, which stand for characters above U+FFFF, sort after all other code units. */
function rank(unit: number): number {
  return unit >= 0xD800 && unit <= 0xDFFF ? unit + 0x10000 : unit;
}
