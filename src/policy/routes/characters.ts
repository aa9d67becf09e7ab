/**
 * Sets of the characters that a path can contain, which are ASCII (RFC 3986 section 3.3).
 *
 * @module
 */

/** A bit for each code. */
export type CharacterSet = bigint;

const PATH = "/-._~!$&'()*+,;=:@%" + range("a", "z") + range("A", "Z") + range("0", "9");

export const NO_CHARACTER: CharacterSet = 0n;
/** Every character of a path. */
export const ANY_CHARACTER = characters(PATH);

/** Returns the set of these characters; those that no path contains are left out. */
export function characters(text: string): CharacterSet {
  return [...text].filter((one) => PATH.includes(one))
    .reduce((set, one) => set | (1n << BigInt(one.charCodeAt(0))), NO_CHARACTER);
}

/** Returns all other characters. */
export function complement(set: CharacterSet): CharacterSet {
  return ANY_CHARACTER & ~set;
}

/** Returns the characters from one to another, in the order of their codes. */
export function range(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return Array.from(
    { length: Math.max(0, to - from + 1) },
    (_, index) => String.fromCharCode(from + index),
  )
    .join("");
}

/** The characters of examples, the most readable ones first. */
const READABLE = [...new Set(range("a", "z") + range("0", "9") + PATH)];

/** Returns the most readable character of a set; undefined if it is empty. */
export function exampleOf(set: CharacterSet): string | undefined {
  return READABLE.find((one) => (set & characters(one)) !== NO_CHARACTER);
}
