/**
 * The policy of all processes: each has checked a new one before the first activates it.
 *
 * @module
 */
import type { Rejection } from "../policy_runtime/status.ts";
import type { Log } from "../shared/log.ts";
import type { BundleTexts } from "./calls.ts";
import { everyone, type Member, type Members, othersOf, tell } from "./members.ts";

export interface SharedPolicy {
  /** The policy that a member starts with; null before the first one has joined. */
  readonly texts: BundleTexts | null;
  readonly rejection: Rejection | null;
  /** Gives a member the active policy. */
  join(member: Member, own: BundleTexts): Promise<void>;
  /** Activates a policy that a member has checked, in all. */
  activate(from: Member, next: BundleTexts, digest: string): Promise<void>;
  setRejection(from: Member, rejection: Rejection | null): void;
}

/** Milliseconds for a process to check a policy, and to activate it. */
const SWITCH_TIME = 10_000;

/** Creates the policy of these members. Members join and policies change one at a time. */
export function createSharedPolicy(members: Members, log: Log): SharedPolicy {
  let texts: BundleTexts | null = null;
  let rejection: Rejection | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const inAll = { log, change: "a change of the policy", time: SWITCH_TIME };

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  async function activate(from: Member, next: BundleTexts, digest: string): Promise<void> {
    const others = othersOf(members, from);
    await everyone(others, inAll, (link) => link.call("prepare", next));
    texts = next;
    const began = performance.now();
    await everyone([...others, from], inAll, (link) => link.call("activate"));
    const ms = Math.ceil(performance.now() - began);
    const processes = others.length + 1;
    log.event("info", "Policy is active in all processes", { digest, processes, ms });
  }

  return {
    get texts() {
      return texts;
    },
    get rejection() {
      return rejection;
    },
    join: (member, own) =>
      inTurn(async () => {
        texts ??= own;
        if (!isSame(own, texts)) {
          await member.link.call("prepare", texts);
          await member.link.call("activate");
        }
        member.hasJoined = true;
      }),
    activate: (from, next, digest) => inTurn(() => activate(from, next, digest)),
    setRejection: (from, next) => {
      rejection = next;
      tell(othersOf(members, from), "setRejection", next);
    },
  };
}

function isSame(a: BundleTexts, b: BundleTexts): boolean {
  return a.policy === b.policy && a.document === b.document && a.meta === b.meta;
}
