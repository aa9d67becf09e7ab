/**
 * How long workspaces are left alone after a failure.
 *
 * @module
 */

export interface Pauses {
  has(workspace: string): boolean;
  /** After a failure: each pause in a row is twice as long as the one before. */
  lengthen(workspace: string): void;
  /** After work that went well. */
  end(workspace: string): void;
}

/** Milliseconds. */
const FIRST = 1_000;
const LONGEST = 5 * 60_000;

interface Pause {
  readonly length: number;
  readonly until: number;
}

/** Nobody pauses; `now` in milliseconds. */
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
