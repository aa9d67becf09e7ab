/**
 * How texts are compared and ordered, the same on every store and in every release: nothing here
 * depends on a locale or on a library's version of its collation.
 *
 * @module
 */

/** Weights of a sort key, and of its accents, that count; what is longer is cut. */
const LENGTH = 100;

/** Between the weights of the letters and those of the accents; below every weight. */
const ACCENTS = "\u0001";
/** In the part of the accents: a letter without one. */
const PLAIN = "\u0002";
const LAST = "\u{10FFFF}";

/** Stands before every sign that ALPHABET does not name. */
const OTHER = "\uFFFC";

/**
 * What a text's order begins with, least first. A sign's weight is its place, so all of them weigh
 * less than a letter that is not named here, which weighs as its own code point.
 */
const ALPHABET = " _-‐–—,;:!¡?¿.·'‘’‚‹›\"“”„«»()[]{}§¶@*/\\&#%‰†‡•`´¨^¯°©®" +
  `←→+±÷×<=>¬|¦~${OTHER}¤¢$£¥€0123456789abcdđðefghħijklmnŋopqrstŧuvwxyzþ` +
  "αβγδεζηθικλμνξοπρστυφχψωабвгдђеєжзѕиійјклљмнњопрстћуфхцчџшщъыьэюя";

/** Letters that are ordered as others with a stroke, which no normalization says. */
const STROKED = new Map([
  ["æ", "a\u0338e"],
  ["œ", "o\u0338e"],
  ["ø", "o\u0338"],
  ["ł", "l\u0338"],
  ["ґ", "г\u0338"],
]);

/** The accents of European languages, in the order that they have on one letter. */
const MARKS =
  "\u0301\u0300\u0306\u0302\u030C\u030A\u0308\u030B\u0303\u0307\u0338\u0327\u0328\u0304";

const WEIGHTS = weightsOf(ALPHABET, 2);
const MARK_WEIGHTS = weightsOf(MARKS, 3);

function weightsOf(signs: string, first: number): ReadonlyMap<string, string> {
  return new Map([...signs].map((sign, index) => [sign, String.fromCodePoint(first + index)]));
}

/**
 * The text in the form in which texts are equal, or contain one another, whatever their case and
 * their composition of accents. Folding a folded text changes nothing.
 */
export function fold(text: string): string {
  // Through upper case, where alone `ß` meets `SS`, from lower case, where alone `ẞ` meets `ß`. No
  // store need keep U+0000 or half a character.
  return text.toWellFormed().replaceAll("\0", "\uFFFD").normalize("NFC")
    .toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/**
 * What a text is ordered by: keys compare by their code points about as `Intl.Collator("en")`
 * compares the texts, but for case, which they do not know. Equal folded texts have equal keys.
 *
 * Only the first 100 letters and signs count: texts that differ behind them are as equal here, and
 * the next sort decides, at last the id. A key has at most 201 code points.
 */
export function sortKey(text: string): string {
  const letters: string[] = [];
  const accents: string[] = [];
  for (const char of fold(text)) {
    if (letters.length >= LENGTH) break;
    for (const part of WEIGHTS.has(char) ? char : partsOf(char)) weigh(part, letters, accents);
  }
  const base = letters.slice(0, LENGTH).join("");
  const last = accents.slice(0, LENGTH).findLastIndex((mark) => mark !== PLAIN);
  return last < 0 ? base : base + ACCENTS + accents.slice(0, last + 1).join("");
}

/** A character taken apart by itself, so that a text's weights begin with those of its beginnings. */
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

/** Weight of what ALPHABET does not name; none of what has no look of its own. */
function ownWeight(part: string): string[] {
  if (/[\p{Cc}\p{Cf}]/u.test(part)) return [];
  if (/[\p{L}\p{M}]/u.test(part)) return [hiraganaOf(part)];
  return [WEIGHTS.get(OTHER) ?? OTHER, part];
}

/** Katakana stand with the hiragana of their sound. */
function hiraganaOf(letter: string): string {
  return /[\u30A1-\u30F6]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 0x60) : letter;
}

/**
 * Where the keys of all texts lie that begin with the text of this key, once both are folded: from
 * `from` to before `to`. Other texts' keys may lie there too.
 */
export function prefixRange(key: string): { readonly from: string; readonly to: string } {
  const [from = ""] = key.split(ACCENTS, 1);
  return { from, to: from + LAST };
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

/** Half of a character beyond U+FFFF stands behind all others. */
function rank(unit: number): number {
  return unit >= 0xD800 && unit <= 0xDFFF ? unit + 0x10000 : unit;
}
