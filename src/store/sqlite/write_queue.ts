/**
 * The order of writes: round-robin between workspaces, so that none waits for the whole burst of
 * another.
 *
 * @module
 */

/** A write in the queue. */
export interface Waiting {
  readonly workspace: string;
}

export interface WriteQueue<W extends Waiting> {
  add(waiting: W): void;
  /** Removes it; false if it is not in the queue. */
  remove(waiting: W): boolean;
  /** Takes the next write: workspaces take turns, in the order in which they have waited. */
  take(): W | undefined;
  /** Takes all. */
  clear(): W[];
  readonly isEmpty: boolean;
}

/** Creates an empty queue. */
export function createWriteQueue<W extends Waiting>(): WriteQueue<W> {
  // In the order of the next turns: a workspace that had its turn moves to the end.
  const lines = new Map<string, W[]>();

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
      for (const [workspace, line] of lines) {
        const first = line.shift();
        lines.delete(workspace);
        if (line.length > 0) lines.set(workspace, line);
        return first;
      }
      return undefined;
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
