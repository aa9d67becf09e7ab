/**
 * The processes that the parent has started.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import type { MemberCalls } from "./calls.ts";
import type { Channel, Link } from "./link.ts";

/** A process that was started. */
export interface StartedProcess {
  readonly pid: number;
  readonly channel: Channel;
  readonly ended: Promise<ProcessEnd>;
  kill(): void;
}

/** How a process ended: one of them is null. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Member {
  readonly process: StartedProcess;
  readonly isPrimary: boolean;
  readonly link: Link<MemberCalls>;
  readonly startedAt: number;
  /** True if it has the policy of all others. */
  hasJoined: boolean;
  /** True if it listens. */
  isReady: boolean;
}

export type Members = ReadonlySet<Member>;

/** Returns the members that have joined, but for this one. */
export function othersOf(members: Members, member: Member): Member[] {
  return [...members].filter((one) => one !== member && one.hasJoined);
}

/** Returns the members that pass writes on, joined or not. */
export function followersOf(members: Members): Member[] {
  return [...members].filter(({ isPrimary }) => !isPrimary);
}

/** Returns the primary in a list, unless it is being replaced. */
export function primaryOf(members: Members): Member[] {
  return [...members].filter(({ isPrimary, hasJoined }) => isPrimary && hasJoined);
}

/** Calls a function of members, whatever becomes of it: one that has ended is replaced. */
export function tell<Name extends keyof MemberCalls>(
  members: readonly Member[],
  name: Name,
  ...args: Parameters<MemberCalls[Name]>
): void {
  for (const { link } of members) link.call(name, ...args).catch(() => {});
}

/** Settles as the work; rejects after so many milliseconds. */
export async function within<T>(time: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${time} ms`)), time);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A change that members follow. */
export interface SharedChange {
  readonly log: Log;
  /** A noun for it: "a process does not follow …". */
  readonly change: string;
  /** Milliseconds that each member has. */
  readonly time: number;
}

/**
 * Does something in all members. One that does not follow is killed: its replacement starts with what
 * the others have.
 */
export async function everyone(
  members: readonly Member[],
  { log, change, time }: SharedChange,
  work: (link: Link<MemberCalls>) => Promise<void>,
): Promise<void> {
  await Promise.all(members.map(async ({ link, process: { pid, kill } }) => {
    try {
      await within(time, work(link));
    } catch (error) {
      log.event("error", `A process does not follow ${change}: ${error}`, { pid });
      kill();
    }
  }));
}
