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
import { createEngine, type Engine } from "../policy/engine.ts";
import type { Policy } from "../policy/schema.ts";
import type { DecisionObserver } from "./routes.ts";

export interface DecisionLog {
  readonly counts: LineCounts;
  /** Returns an observer that logs the decisions of a policy. It never throws. */
  observe(policy: LoggedPolicy): DecisionObserver;
  /** Resolves when all logged decisions are in the file, or lost; never rejects. */
  flush(): Promise<void>;
}

/** A policy whose decisions are logged. */
export interface LoggedPolicy {
  readonly digest: string;
  readonly policy: Policy;
}

export interface DecisionLogOptions extends LineWriterOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Creates a log. Its lines contain the client, a pseudonym of the user, the scopes and the hidden
 * fields of the token, but no token.
 */
export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  const { counts, add, flush } = createLineWriter(options);
  const timestamp = createTimestamp(options.now);
  return {
    counts,
    // Printed member by member, like the request log. Digests and times need no escaping.
    observe: ({ digest, policy }) => {
      const membersOf = cacheCallers(createEngine(policy));
      return ({ route, effect, missing }, caller, requestId) => {
        const time = timestamp();
        add(() =>
          `{"time":"${time}","request":${JSON.stringify(requestId)},"route":${
            JSON.stringify(route)
          }` +
          `,"effect":"${effect}","missing":${JSON.stringify(missing)},"policy":"${digest}"` +
          `,${membersOf(caller)}}\n`
        );
      };
    },
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
function cacheCallers(engine: Engine): (caller: Principal) => string {
  const cache = new WeakMap<Principal, string>();
  return (caller) => {
    const members = cache.get(caller) ?? callerMembers(caller, engine);
    cache.set(caller, members);
    return members;
  };
}

function callerMembers({ clientId, subjectHash, scopes }: Principal, engine: Engine): string {
  const members = {
    client: clientId,
    subject: subjectHash === "" ? null : subjectHash,
    scopes: [...scopes].sort(),
    hidden: engine.hiddenFields(engine.grant(scopes)),
  };
  return JSON.stringify(members).slice(1, -1);
}
