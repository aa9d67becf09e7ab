/**
 * The parent of a service of several processes: starts and replaces them, and keeps what they share.
 * It serves no requests.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import type { MemberCalls, ParentCalls } from "./calls.ts";
import { createLink } from "./link.ts";
import {
  followersOf,
  type Member,
  type Members,
  othersOf,
  primaryOf,
  type ProcessEnd,
  type StartedProcess,
  tell,
  within,
} from "./members.ts";
import { createSharedHolds, type SharedHolds } from "./shared_holds.ts";
import { createSharedPolicy } from "./policy_switch.ts";
import { createSharedState } from "./shared_state.ts";

export interface ParentOptions {
  readonly processes: number;
  readonly startProcess: () => StartedProcess;
  readonly log: Log;
}

export interface Parent {
  /** Resolves to the exit code of the service once all processes have ended. */
  readonly ended: Promise<number>;
  stop(): void;
  reload(): void;
}

const COUNT_TIME = 1_000;
/** Milliseconds for all processes to stop: beyond, they are killed. */
const STOP_TIME = 40_000;

/** Starts the primary, and the others once it has joined. */
export function startParent({ processes, startProcess, log }: ParentOptions): Parent {
  const ended = Promise.withResolvers<number>();
  const members = new Set<Member>();
  const holds = createSharedHolds(members, log);
  const callsOf = createParentCalls(members, { processes, log, holds, onJoin, onReady });
  const delayOf = createDelays();
  let isServing = false;
  let isStopping = false;
  let exitCode = 0;

  function start(isPrimary: boolean): void {
    const process = startProcess();
    const member: Member = {
      process,
      isPrimary,
      startedAt: performance.now(),
      hasJoined: false,
      isReady: false,
      link: createLink<MemberCalls>(process.channel, callsOf(() => member, () => isServing)),
    };
    members.add(member);
    process.ended.then((end) => onEnd(member, end));
  }

  function onJoin({ isPrimary }: Member): void {
    if (!isPrimary) return;
    void holds.releaseAbandoned();
    tell(followersOf(members), "setPrimary", true);
    if (isServing || isStopping || members.size > 1) return;
    for (let count = 1; count < processes; count++) start(false);
  }

  function onReady(): void {
    if ([...members].filter(({ isReady }) => isReady).length < processes) return;
    log.event("info", isServing ? "All processes serve again" : "All processes serve", {
      processes,
      primary: primaryOf(members)[0]?.process.pid,
      pids: [...members].map(({ process }) => process.pid),
    });
    isServing = true;
  }

  function onEnd(member: Member, { code, signal }: ProcessEnd): void {
    members.delete(member);
    member.link.close();
    if (!isStopping && !isServing) {
      exitCode = code || 1;
      stop();
    }
    if (isStopping) return finish();
    const { isPrimary, process: { pid } } = member;
    const end = { pid, code, signal, primary: isPrimary };
    log.event("error", "A process has ended and is replaced", end);
    if (isPrimary) {
      holds.abandon();
      tell(followersOf(members), "setPrimary", false);
    }
    setTimeout(() => !isStopping && start(isPrimary), delayOf(member));
  }

  function stop(): void {
    if (isStopping) return;
    isStopping = true;
    tell([...members], "stop");
    finish();
    const timer = setTimeout(() => members.forEach(({ process }) => process.kill()), STOP_TIME);
    ended.promise.then(() => clearTimeout(timer));
  }

  /** The primary ends last, because the others need it for what they still do. */
  function finish(): void {
    if (members.size === 0) return ended.resolve(exitCode);
    if ([...members].every(({ isPrimary }) => isPrimary)) tell([...members], "finish");
  }

  start(true);
  return { ended: ended.promise, stop, reload: () => tell([...members], "reload") };
}

interface ParentCallOptions {
  readonly processes: number;
  readonly log: Log;
  readonly holds: SharedHolds;
  readonly onJoin: (member: Member) => void;
  readonly onReady: () => void;
}

/** Creates what the parent offers to each member. */
function createParentCalls(
  members: Members,
  { processes, log, holds, onJoin, onReady }: ParentCallOptions,
): (member: () => Member, isServing: () => boolean) => ParentCalls {
  const state = createSharedState();
  const policy = createSharedPolicy(members, log);
  return (member, isServing) => ({
    ...state,
    begin: () =>
      Promise.resolve({
        isPrimary: member().isPrimary,
        isFirst: !isServing(),
        hasPrimary: primaryOf(members).length > 0,
        processes,
        held: holds.held,
        texts: policy.texts,
        rejection: policy.rejection,
      }),
    join: async (own) => {
      await policy.join(member(), own);
      onJoin(member());
    },
    ready: () => {
      member().isReady = true;
      onReady();
    },
    switchPolicy: (next, digest) => policy.activate(member(), next, digest),
    setRejection: (rejection) => policy.setRejection(member(), rejection),
    hold: holds.hold,
    release: holds.release,
    counts: async () => {
      const counting = othersOf(members, member())
        .map(({ link }) => within(COUNT_TIME, link.call("counts")));
      return (await Promise.allSettled(counting))
        .flatMap((one) => one.status === "fulfilled" ? one.value : []);
    },
    reportFailure: (failure) => tell(primaryOf(members), "reportFailure", failure),
  });
}

/** Milliseconds until a process that failed is replaced: first and longest wait. */
const RECOVERY = 1_000;
const LONGEST_RECOVERY = 30_000;
/** Milliseconds after which a process has not failed at its start. */
const STABLE = 5_000;

/** Creates the wait before a process is replaced: longer each time if it fails at its start. */
function createDelays(): (member: Pick<Member, "isPrimary" | "startedAt">) => number {
  const next = new Map<boolean, number>();
  return ({ isPrimary, startedAt }) => {
    if (performance.now() - startedAt > STABLE) {
      next.delete(isPrimary);
      return 0;
    }
    const delay = next.get(isPrimary) ?? RECOVERY;
    next.set(isPrimary, Math.min(2 * delay, LONGEST_RECOVERY));
    return delay;
  };
}
