/**
 * Making vectors of what changed, in the background.
 *
 * @module
 */
import { type BatchOptions, createBatches } from "./batches.ts";
import { createPauses } from "./pauses.ts";
import { createRoundRobin } from "./round_robin.ts";
import { advanceSpace } from "./advance_space.ts";
import { createTargets, type TargetOptions } from "./targets.ts";

export type IndexerOptions = TargetOptions & BatchOptions;

export interface Indexer {
  /**
   * Does the next piece of work, of one workspace; false where there is none. Rejects where an embedder
   * cannot do it now: that workspace then rests for a while.
   */
  step(signal: AbortSignal): Promise<boolean>;
  /** Looks at a workspace again, though nothing in it has changed. */
  look(workspace: string): void;
}

type Work = (workspace: string, signal: AbortSignal) => Promise<boolean>;

/**
 * Each so many-th piece is what else comes first of what is behind pages that were written: learning,
 * and what a new space asks for.
 */
const OTHER_WORK = 4;

/** What works on the queue of every workspace; any number of processes may share one database. */
export function createIndexer(options: IndexerOptions): Indexer {
  const { store, now } = options;
  /** Workspaces of which there may be something to do beside the queue; all at the start. */
  let unsettled: Set<string> | undefined;
  /** Workspaces of which nothing is learnt yet. */
  const unlearnt = new Set<string>();
  const targets = createTargets(options);
  const doBatch = createBatches(options);
  const doFirst = createPriority(now);
  const writtenInTurn = createRoundRobin();
  const othersInTurn = createRoundRobin();
  let steps = 0;

  /** Pages that were written, of a workspace in which that alone is missing to find them. */
  const doWritten: Work = async (workspace, signal) => {
    const space = await targets.current(workspace);
    if (space === undefined) unlearnt.add(workspace);
    else if (await doBatch(workspace, space, signal)) {
      unsettled?.add(workspace);
      return true;
    }
    return false;
  };

  const doOther: Work = async (workspace, signal) => {
    const isNew = await targets.learn(workspace, signal);
    const space = await targets.current(workspace);
    if (space !== undefined) unlearnt.delete(workspace);
    if (isNew || await doBatch(workspace, space, signal)) {
      unsettled?.add(workspace);
      return true;
    }
    const settling = await advanceSpace(store, workspace, space, signal);
    if (settling === "settled") return unsettled?.delete(workspace) ?? false;
    return settling === "working";
  };

  async function stepWritten(signal: AbortSignal): Promise<boolean> {
    const written = await store.writtenWorkspaces();
    const learnt = written.filter((workspace) => !unlearnt.has(workspace));
    return await doFirst(doWritten, writtenInTurn(learnt), signal);
  }

  async function stepOther(signal: AbortSignal): Promise<boolean> {
    unsettled ??= new Set(await store.searchedWorkspaces());
    const workspaces = unsettled.union(new Set(await store.dueWorkspaces()));
    return await doFirst(doOther, othersInTurn(workspaces), signal);
  }

  return {
    step: async (signal) =>
      ++steps % OTHER_WORK === 0
        ? await stepOther(signal) || await stepWritten(signal)
        : await stepWritten(signal) || await stepOther(signal),
    look: (workspace) => void unsettled?.add(workspace),
  };
}

/** What does the first work that some workspaces have; those that it failed for rest. */
function createPriority(
  now: () => number,
): (work: Work, workspaces: Iterable<string>, signal: AbortSignal) => Promise<boolean> {
  const pauses = createPauses(now);
  return async (work, workspaces, signal) => {
    for (const workspace of workspaces) {
      if (pauses.has(workspace)) continue;
      try {
        if (!await work(workspace, signal)) continue;
        pauses.end(workspace);
        return true;
      } catch (error) {
        pauses.lengthen(workspace);
        throw error;
      }
    }
    return false;
  };
}
