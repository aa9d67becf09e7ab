/**
 * What spaces need beside the queue: to be filled, to be completed, an index, and that vectors of
 * older ones are deleted.
 *
 * @module
 */
import type { IndexQueue, VectorSpace, VectorSpaceStore, VectorStore } from "../store/port.ts";

/** `waiting`: for what is in the queue. */
export type SpaceProgress = "working" | "waiting" | "settled";

/** Pages that come due at once because a space is new. */
const FILL = 256;
/** Pages whose forgotten vectors are deleted at once. */
const SWEEP = 500;

/** Does the next piece for a workspace and its newest space. */
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
    // As much again may have been written since it was learnt: so a look at the workspace follows.
    await store.completeSpace(workspace, space.number);
    return "working";
  }
  const extended = space && store.vectorIndex?.extend(workspace, space.number);
  // The database may be at it for minutes, which nobody is to wait for who stops the service.
  if (extended !== undefined && await unlessAborted(extended, signal)) return "working";
  return await store.sweepVectors(workspace, SWEEP) > 0 ? "working" : "settled";
}

/** What work answers; rejects as soon as the signal is aborted. */
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
