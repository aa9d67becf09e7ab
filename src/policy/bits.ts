/**
 * Sets of scopes as bits, so that asking whether one holds another is a few instructions.
 *
 * @module
 */

/** Words of bits; as many as the names they stand for need. */
export type Mask = readonly number[];

/** The bit of each name. */
export interface Bits {
  /** The names as a mask; unknown ones are left out. */
  mask(names: Iterable<string>): Mask;
  /** The names that `needed` has and `held` has not, in alphabetical order. */
  lacking(needed: Mask, held: Mask): string[];
  /** The names of a mask, in alphabetical order. */
  names(mask: Mask): string[];
}

// Bit 31 is the sign, which would turn a word into a slow heap number.
const WORD = 31;

/** Gives each name a bit. */
export function createBits(names: Iterable<string>): Bits {
  const sorted = [...names].sort();
  const positions = new Map(sorted.map((name, position) => [name, position]));
  const words = Math.max(1, Math.ceil(sorted.length / WORD));
  return {
    mask: (wanted) => toMask([...wanted].map((name) => positions.get(name)), words),
    lacking: (needed, held) =>
      sorted.filter((_, position) => hasBit(needed, position) && !hasBit(held, position)),
    names: (mask) => sorted.filter((_, position) => hasBit(mask, position)),
  };
}

/** Whether `held` has every bit of `needed`. */
export function covers(held: Mask, needed: Mask): boolean {
  for (let word = 0; word < needed.length; word++) {
    if (((needed[word] ?? 0) & ~(held[word] ?? 0)) !== 0) return false;
  }
  return true;
}

/** Whether two masks share a bit. */
export function meets(a: Mask, b: Mask): boolean {
  return a.some((word, index) => (word & (b[index] ?? 0)) !== 0);
}

/** The bits of either; both masks are of the same names. */
export function join(a: Mask, b: Mask): Mask {
  return a.map((word, index) => word | (b[index] ?? 0));
}

/** The bits of `a` that `b` has not. */
export function without(a: Mask, b: Mask): Mask {
  return a.map((word, index) => word & ~(b[index] ?? 0));
}

/** How many bits are set. */
export function sizeOf(mask: Mask): number {
  return mask.reduce((sum, word) => sum + countBits(word), 0);
}

/** Each bit of a mask as a mask of its own. */
export function singles(mask: Mask): Mask[] {
  return mask.flatMap((word, index) => {
    const found: Mask[] = [];
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      found.push(mask.map((_, other) => (other === index ? rest & -rest : 0)));
    }
    return found;
  });
}

/** Orders masks: fewer bits first, then as their names stand in the alphabet. */
export function compareMasks(a: Mask, b: Mask): number {
  const bySize = sizeOf(a) - sizeOf(b);
  if (bySize !== 0) return bySize;
  const index = a.findIndex((word, position) => word !== b[position]);
  if (index < 0) return 0;
  const differing = (a[index] ?? 0) ^ (b[index] ?? 0);
  return ((a[index] ?? 0) & differing & -differing) !== 0 ? -1 : 1;
}

/** Adds neighbouring bits, then pairs, then groups of four: no loop over the bits. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function toMask(positions: readonly (number | undefined)[], words: number): Mask {
  const mask = new Array<number>(words).fill(0);
  for (const position of positions) {
    if (position === undefined) continue;
    const word = Math.floor(position / WORD);
    mask[word] = (mask[word] ?? 0) | (1 << (position % WORD));
  }
  return mask;
}

function hasBit(mask: Mask, position: number): boolean {
  return ((mask[Math.floor(position / WORD)] ?? 0) & (1 << (position % WORD))) !== 0;
}
