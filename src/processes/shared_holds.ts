/**
 * The workspaces that all processes hold: while one is changed in slices, readers see it as it was
 * before.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import { everyone, followersOf, type Members } from "./members.ts";

export interface SharedHolds {
  /** The workspaces that are held. A process that starts cannot know what they were. */
  readonly held: readonly string[];
  /** Resolves once all followers hold the workspace. */
  hold(workspace: string): Promise<void>;
  /** Resolves once all followers see the workspace as it is. */
  release(workspace: string): Promise<void>;
  /** The primary has ended. The next one holds what it has to finish before it joins. */
  abandon(): void;
  /** Releases what was abandoned, and is not held again. */
  releaseAbandoned(): Promise<void>;
}

/** Milliseconds for a process to end the reads that are under way, and to follow. */
const HOLD_TIME = 35_000;

/** Creates the holds of these members. */
export function createSharedHolds(members: Members, log: Log): SharedHolds {
  const held = new Set<string>();
  let abandoned = new Set<string>();
  const inAll = { log, change: "a change of a workspace", time: HOLD_TIME };

  async function release(workspace: string): Promise<void> {
    held.delete(workspace);
    abandoned.delete(workspace);
    await everyone(followersOf(members), inAll, (link) => link.call("release", workspace));
  }

  return {
    get held() {
      return [...held];
    },
    async hold(workspace) {
      held.add(workspace);
      abandoned.delete(workspace);
      await everyone(followersOf(members), inAll, (link) => link.call("hold", workspace));
    },
    release,
    abandon() {
      abandoned = new Set(held);
    },
    releaseAbandoned: async () => void await Promise.all([...abandoned].map(release)),
  };
}
