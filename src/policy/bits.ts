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
  };
}

/** Whether `held` has every bit of `needed`. */
export function covers(held: Mask, needed: Mask): boolean {
  for (let word = 0; word < needed.length; word++) {
    if (((needed[word] ?? 0) & ~(held[word] ?? 0)) !== 0) return false;
  }
  return true;
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
