/**
 * Pauses workspaces after failures, with exponential backoff.
 *
 * @module
 */

export interface Pauses {
  has(workspace: string): boolean;
  /** Starts a pause after a failure; consecutive pauses double in length. */
  lengthen(workspace: string): void;
  /** Ends the pause after success. */
  end(workspace: string): void;
}

/** Milliseconds. */
const FIRST = 1_000;
const LONGEST = 5 * 60_000;

interface Pause {
  readonly length: number;
  readonly until: number;
}

/** Creates an empty set of pauses; `now` returns milliseconds. */
export function createPauses(now: () => number): Pauses {
  const pauses = new Map<string, Pause>();
  return {
    has: (workspace) => now() < (pauses.get(workspace)?.until ?? 0),
    lengthen(workspace) {
      const length = Math.min(2 * (pauses.get(workspace)?.length ?? FIRST / 2), LONGEST);
      pauses.set(workspace, { length, until: now() + length });
    },
    end: (workspace) => void pauses.delete(workspace),
  };
}
