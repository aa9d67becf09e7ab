/**
 * Random numbers for tests that draw what they do.
 *
 * @module
 */
/** Returns a number below another one. */
export type Pick = (below: number) => number;

/** Generates the same numbers in every run. */
export function random(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = Math.imul(state ^ state >>> 15, state | 1) + 0x6D2B79F5 | 0;
    state ^= state + Math.imul(state ^ state >>> 7, state | 61);
    return ((state ^ state >>> 14) >>> 0) % below;
  };
}
