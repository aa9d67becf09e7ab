/**
 * Divides long work into slices, between which the event loop runs other tasks.
 *
 * @module
 */

/** Milliseconds of one slice. */
const SLICE = 5;

/** Yields to the event loop if the slice is over. Call it wherever the work may pause. */
export type EndSlice = () => Promise<void> | undefined;

/** Starts the first slice. */
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
