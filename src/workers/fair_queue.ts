/**
 * Turns at something that few can do at a time, shared between workspaces and between the callers of
 * each: whoever asks for much waits for himself.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

/** Who asks for a turn. */
export interface Asker {
  readonly workspace: string;
  readonly userId: string;
}

export interface FairQueueOptions {
  /** Turns at a time. */
  readonly places: number;
  /** Those of them that one workspace has at most; a caller has one. */
  readonly perWorkspace: number;
  /** Turns that a caller may wait for. */
  readonly waiting: number;
  /** Milliseconds that a turn is waited for. */
  readonly patience: number;
  /** What is said where somebody waits for too many, or for too long. */
  readonly busy: string;
}

export interface FairQueue {
  /**
   * Does the work when it is the caller's turn. Workspaces take turns, and within each its callers.
   * Rejects with `service_unavailable` where the caller waits for too many or has waited too long
   * since a moment, which is now where nothing is said.
   */
  take<T>(asker: Asker, work: () => Promise<T>, since?: number): Promise<T>;
}

interface Turn {
  readonly due: number;
  readonly begin: () => Promise<void>;
  readonly refuse: () => void;
}

/** Callers of one workspace, or turns of one caller, and how many have their turn now. */
interface Line {
  running: number;
}

interface Caller extends Line {
  readonly queue: Turn[];
}

interface Workspace extends Line {
  readonly callers: Map<string, Caller>;
}

/** Turns that nobody has yet. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { places, perWorkspace, waiting, patience } = options;
  // Whoever had a turn goes to the end.
  const workspaces = new Map<string, Workspace>();
  let running = 0;

  function next(): Asker | undefined {
    for (const [workspace, { running, callers }] of workspaces) {
      if (running >= perWorkspace) continue;
      for (const [userId, { running, queue }] of callers) {
        if (running === 0 && queue.length > 0) return { workspace, userId };
      }
    }
    return undefined;
  }

  function begin(): void {
    while (running < places) {
      const asker = next();
      if (asker === undefined) return;
      const lines = linesOf(asker);
      const turn = lines[1].queue.shift();
      if (turn === undefined || turn.due < performance.now()) turn?.refuse();
      else void run(turn, asker, lines);
      tidy(asker, lines);
    }
  }

  async function run(turn: Turn, asker: Asker, lines: readonly [Workspace, Caller]): Promise<void> {
    toEnd(asker, lines);
    for (const line of lines) line.running++;
    running++;
    await turn.begin();
    for (const line of lines) line.running--;
    running--;
    tidy(asker, lines);
    begin();
  }

  function linesOf({ workspace, userId }: Asker): readonly [Workspace, Caller] {
    const line = workspaces.getOrInsertComputed(workspace, () => ({
      running: 0,
      callers: new Map(),
    }));
    return [line, line.callers.getOrInsertComputed(userId, () => ({ running: 0, queue: [] }))];
  }

  function toEnd(
    { workspace, userId }: Asker,
    [line, caller]: readonly [Workspace, Caller],
  ): void {
    line.callers.delete(userId);
    line.callers.set(userId, caller);
    workspaces.delete(workspace);
    workspaces.set(workspace, line);
  }

  /** Forgets who neither waits nor has a turn. */
  function tidy({ workspace, userId }: Asker, [line, caller]: readonly [Workspace, Caller]): void {
    if (caller.running === 0 && caller.queue.length === 0) line.callers.delete(userId);
    if (line.callers.size === 0) workspaces.delete(workspace);
  }

  return {
    take: <T>(asker: Asker, work: () => Promise<T>, since = performance.now()) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const [, { queue }] = linesOf(asker);
      if (queue.length >= waiting) return Promise.reject(busy(options));
      queue.push({
        due: since + patience,
        begin: () => work().then(resolve, reject),
        refuse: () => reject(busy(options)),
      });
      begin();
      return promise;
    },
  };
}

function busy({ busy }: FairQueueOptions): AppError {
  return new AppError("service_unavailable", busy, { headers: { "retry-after": "5" } });
}
