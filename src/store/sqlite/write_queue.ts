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
  /** Takes none of this workspace until it is released. */
  hold(workspace: string): void;
  release(workspace: string): void;
  isHeld(workspace: string): boolean;
  /** Takes all. */
  clear(): W[];
  /** True if there is nothing to take. */
  readonly isEmpty: boolean;
}

/** Creates an empty queue. */
export function createWriteQueue<W extends Waiting>(): WriteQueue<W> {
  // In the order of the next turns: a workspace that had its turn moves to the end.
  const lines = new Map<string, W[]>();
  const held = new Map<string, W[]>();

  return {
    add(waiting) {
      const line = held.get(waiting.workspace) ?? lines.get(waiting.workspace);
      if (line === undefined) lines.set(waiting.workspace, [waiting]);
      else line.push(waiting);
    },
    remove(waiting) {
      const { workspace } = waiting;
      const line = held.get(workspace) ?? lines.get(workspace) ?? [];
      const at = line.indexOf(waiting);
      if (at < 0) return false;
      line.splice(at, 1);
      if (line.length === 0) lines.delete(workspace);
      return true;
    },
    hold(workspace) {
      held.set(workspace, lines.get(workspace) ?? []);
      lines.delete(workspace);
    },
    release(workspace) {
      const line = held.get(workspace) ?? [];
      held.delete(workspace);
      if (line.length > 0) lines.set(workspace, line);
    },
    isHeld: (workspace) => held.has(workspace),
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
      const all = [...lines.values(), ...held.values()].flat();
      lines.clear();
      for (const workspace of held.keys()) held.set(workspace, []);
      return all;
    },
    get isEmpty() {
      return lines.size === 0;
    },
  };
}
