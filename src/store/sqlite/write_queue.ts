/**
 * The order of writes: round-robin between workspaces, so that none waits for the whole burst of
 * another.
 *
 * @module
 */

/** A write in the queue. */
export interface Waiting {
  readonly workspace: string;
  /** True if it may take long, so that it gets a group of its own. */
  readonly isLong: boolean;
}

export interface WriteQueue<W extends Waiting> {
  add(waiting: W): void;
  /** Removes it; false if it is not in the queue. */
  remove(waiting: W): boolean;
  /**
   * Takes the next writes of one transaction: one of each workspace, in the order in which the
   * workspaces have waited. A long write is taken alone.
   */
  take(): W[];
  /** Takes all. */
  clear(): W[];
  readonly isEmpty: boolean;
}

/** A queue that gives at most `limit` at once. */
export function createWriteQueue<W extends Waiting>(limit: number): WriteQueue<W> {
  // In the order of the next turns: a workspace that had its turn moves to the end.
  const lines = new Map<string, W[]>();

  function shift(workspace: string, line: W[]): void {
    line.shift();
    lines.delete(workspace);
    if (line.length > 0) lines.set(workspace, line);
  }

  return {
    add(waiting) {
      const line = lines.get(waiting.workspace);
      if (line === undefined) lines.set(waiting.workspace, [waiting]);
      else line.push(waiting);
    },
    remove(waiting) {
      const line = lines.get(waiting.workspace) ?? [];
      const at = line.indexOf(waiting);
      if (at < 0) return false;
      line.splice(at, 1);
      if (line.length === 0) lines.delete(waiting.workspace);
      return true;
    },
    take() {
      const taken: W[] = [];
      for (const [workspace, line] of [...lines].slice(0, limit)) {
        const [first] = line;
        if (first === undefined || (first.isLong && taken.length > 0)) break;
        shift(workspace, line);
        taken.push(first);
        if (first.isLong) break;
      }
      return taken;
    },
    clear() {
      const all = [...lines.values()].flat();
      lines.clear();
      return all;
    },
    get isEmpty() {
      return lines.size === 0;
    },
  };
}
