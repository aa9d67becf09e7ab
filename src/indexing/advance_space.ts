/**
 * Advances vector spaces besides the queue: fills and completes them, extends their index, and deletes
 * vectors of older ones.
 *
 * @module
 */
import type { IndexQueue, VectorSpace, VectorSpaceStore, VectorStore } from "../store/port.ts";

/** `waiting`: the queue must be processed first. */
export type SpaceProgress = "working" | "waiting" | "settled";

/** Pages to enqueue at once for a new space. */
const FILL = 256;
/** Pages whose outdated vectors are deleted at once. */
const SWEEP = 500;

/** Does the next piece of work for a workspace and its newest space. */
export async function advanceSpace(
  store: IndexQueue & VectorSpaceStore & VectorStore,
  workspace: string,
  ...[space, signal]: [space: VectorSpace | undefined, signal: AbortSignal]
): Promise<SpaceProgress> {
  if (space?.isFilled === false) {
    if (await store.countDue(workspace) >= FILL) return "waiting";
    await store.fillSpace(workspace, space.number, FILL);
    return "working";
  }
  if (space?.isComplete === false) {
    if (await store.countDue(workspace) > 0) return "waiting";
    // Check the workspace again: it may have doubled since its model was learnt.
    await store.completeSpace(workspace, space.number);
    return "working";
  }
  const extended = space && store.vectorIndex?.extend(workspace, space.number);
  // The database may take minutes, and stopping the service must not wait for it.
  if (extended !== undefined && await unlessAborted(extended, signal)) return "working";
  return await store.sweepVectors(workspace, SWEEP) > 0 ? "working" : "settled";
}

/** Resolves as the work does, but rejects as soon as the signal is aborted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
