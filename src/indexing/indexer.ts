/**
 * Updates vectors of changed pages in the background.
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
   * Does the next piece of work, for one workspace; resolves to false if there is none. Rejects if an
   * embedder fails; that workspace then pauses for a while.
   */
  step(signal: AbortSignal): Promise<boolean>;
  /** Checks a workspace again even if nothing in it has changed. */
  look(workspace: string): void;
}

type Work = (workspace: string, signal: AbortSignal) => Promise<boolean>;

/**
 * One of this many pieces is other work than changed pages: learning, and filling a new space.
 */
const OTHER_WORK = 4;

/** Creates the indexer of all workspaces. Any number of processes may share one database. */
export function createIndexer(options: IndexerOptions): Indexer {
  const { store, now } = options;
  /** Workspaces that may have work besides the queue; all at the start. */
  let unsettled: Set<string> | undefined;
  /** Workspaces without a learnt model. */
  const unlearnt = new Set<string>();
  const targets = createTargets(options);
  const doBatch = createBatches(options);
  const doFirst = createPriority(now);
  const writtenInTurn = createRoundRobin();
  const othersInTurn = createRoundRobin();
  let steps = 0;

  /** Embeds changed pages of a workspace that already has a space. */
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

/** Creates a function that does the first available work; a workspace whose work fails pauses. */
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
