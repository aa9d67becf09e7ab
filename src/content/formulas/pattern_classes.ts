/**
 * The room of a regular expression's character classes: some are short to write, and thousands of
 * characters to compile.
 *
 * @module
 */

/** Steps of a class of Unicode, which takes about 100 µs and 10 KB. */
const UNICODE_CLASS = 60;
/** Characters of a range, each of which is looked up in both cases, per step. */
const FOLDED_PER_STEP = 64;
/** The last character that has another case. */
const LAST_FOLDED = 0x1e943;
/** The last character that can be escaped other than by `\x`: three octal digits. */
const LAST_ESCAPED = 0o777;

/** Flags that ignore case, in any part of a pattern. */
const FOLDS = /\(\?[a-z]*i/i;
const CHARACTER = /\\x(?:\{(?<digits>[\da-f]+)\}|(?<two>[\da-f]{2}))|\\[^]|[^]/giu;

/**
 * Returns about how many steps the Unicode classes, and the ranges that ignore case, take in
 * addition to one each. Counts those in quotes, too.
 */
export function classStepsOf(pattern: string): number {
  const characters = [...pattern.matchAll(CHARACTER)];
  const unicode = characters.filter(([written]) => /^\\p/i.test(written)).length * UNICODE_CLASS;
  if (!FOLDS.test(pattern)) return unicode;
  let folded = 0;
  for (const [at, [written]] of characters.entries()) {
    if (written !== "-") continue;
    const first = codeOf(characters[at - 1], 0);
    const last = Math.min(codeOf(characters[at + 1], LAST_ESCAPED), LAST_FOLDED);
    folded += Math.max(0, last - first);
  }
  return unicode + Math.floor(folded / FOLDED_PER_STEP);
}

/** The code point of a character, or the given one for an escaped one that does not tell it. */
function codeOf(match: RegExpExecArray | undefined, escaped: number): number {
  if (match === undefined) return 0;
  const { 0: written, groups: { digits, two } = {} } = match;
  const code = digits ?? two;
  if (code !== undefined) return parseInt(code, 16);
  return written.startsWith("\\") ? escaped : written.codePointAt(0) ?? 0;
}
