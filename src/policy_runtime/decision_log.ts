/**
 * Every decision as a line of JSON, for `policy replay` and `policy least-privilege`.
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
  /** Writes down the decisions of the policy with this digest: no wait, no throw. */
  observe(policy: string): DecisionObserver;
  /** Settles when all that was written down is in the file, or lost; never rejects. */
  flush(): Promise<void>;
}

export interface DecisionLogOptions extends LineWriterOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Creates a log of JSON lines that hold a pseudonym of the caller, their scopes and no token. */
export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  const { counts, add, flush } = createLineWriter(options);
  const timestamp = createTimestamp(options.now);
  const membersOf = rememberCallers();
  return {
    counts,
    // Member by member, as the request log is printed; routes, digests and times need no quoting.
    observe: (policy) => ({ route, effect, missing }, caller) =>
      add(
        `{"time":"${timestamp()}","route":"${route}","effect":"${effect}"` +
          `,"missing":${JSON.stringify(missing)},"policy":"${policy}",${membersOf(caller)}}\n`,
      ),
    flush,
  };
}

/** The time now in ISO 8601; many lines are of one millisecond. */
function createTimestamp(now: () => number): () => string {
  let moment = NaN;
  let text = "";
  return () => {
    const at = now();
    if (at !== moment) {
      moment = at;
      text = new Date(at).toISOString();
    }
    return text;
  };
}

/** Who called and what their token held, made once for each token. */
function rememberCallers(): (caller: Principal) => string {
  const known = new WeakMap<Principal, string>();
  return (caller) => {
    const members = known.get(caller) ?? callerMembers(caller);
    known.set(caller, members);
    return members;
  };
}

function callerMembers({ subjectHash, scopes }: Principal): string {
  const subject = JSON.stringify(subjectHash === "" ? null : subjectHash);
  return `"subject":${subject},"scopes":${JSON.stringify([...scopes].sort())}`;
}
