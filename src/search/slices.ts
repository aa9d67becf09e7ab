/**
 * Long work in this thread, in slices between which others have their turn.
 *
 * @module
 */

/** Milliseconds of one slice. */
const SLICE = 5;

/** Gives others their turn where the slice is over; called wherever the work may stop. */
export type EndSlice = () => Promise<void> | undefined;

/** The first slice begins now. */
export function createSlices(): EndSlice {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        began = performance.now();
        resolve();
      })
    );
  };
}
