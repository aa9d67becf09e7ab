/**
 * Logs every decision as a line of JSON, for `policy replay` and `policy least-privilege`.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import {
  createLineWriter,
  type LineCounts,
  type LineWriterOptions,
} from "../shared/line_writer.ts";
import type { DecisionObserver } from "./routes.ts";

export interface DecisionLog {
  readonly counts: LineCounts;
  /** Returns an observer that logs the decisions of the policy with this digest. It never throws. */
  observe(policy: string): DecisionObserver;
  /** Resolves when all logged decisions are in the file, or lost; never rejects. */
  flush(): Promise<void>;
}

export interface DecisionLogOptions extends LineWriterOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Creates a log. Its lines contain a pseudonym of the caller and their scopes, but no token. */
export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  const { counts, add, flush } = createLineWriter(options);
  const timestamp = createTimestamp(options.now);
  const membersOf = cacheCallers();
  return {
    counts,
    // Printed member by member, like the request log. Routes, digests and times need no escaping.
    observe: (policy) => ({ route, effect, missing }, caller) =>
      add(
        `{"time":"${timestamp()}","route":"${route}","effect":"${effect}"` +
          `,"missing":${JSON.stringify(missing)},"policy":"${policy}",${membersOf(caller)}}\n`,
      ),
    flush,
  };
}

/** Returns the current time in ISO 8601, formatted once per millisecond. */
function createTimestamp(now: () => number): () => string {
  let last = NaN;
  let text = "";
  return () => {
    const time = now();
    if (time !== last) {
      last = time;
      text = new Date(time).toISOString();
    }
    return text;
  };
}

/** Formats the caller's members once per token. */
function cacheCallers(): (caller: Principal) => string {
  const cache = new WeakMap<Principal, string>();
  return (caller) => {
    const members = cache.get(caller) ?? callerMembers(caller);
    cache.set(caller, members);
    return members;
  };
}

function callerMembers({ subjectHash, client, scopes }: Principal): string {
  const subject = JSON.stringify(subjectHash === "" ? null : subjectHash);
  const name = client === null ? "" : `,"client":${JSON.stringify(client)}`;
  return `"subject":${subject}${name},"scopes":${JSON.stringify([...scopes].sort())}`;
}
