/**
 * Reads a decision log line by line.
 *
 * @module
 */
import * as v from "valibot";
import { toVisible } from "../../shared/visible_text.ts";

/** A log can be written by others than the server, and no route or scope has such characters. */
const text = v.pipe(v.string(), v.transform(toVisible));

const logged = v.object({
  time: text,
  /** `METHOD path` as the policy named it. */
  route: text,
  effect: v.picklist(["allow", "deny"]),
  /** ID of the request. Logs of earlier releases have none. */
  request: v.optional(text),
  /** The OAuth client; null if the token does not say. Logs of earlier releases have none. */
  client: v.optional(v.nullable(v.string())),
  /** Pseudonym of the user; null for an anonymous call of a public route. */
  subject: v.nullable(text),
  /** Scopes of the token. */
  scopes: v.array(text),
  /** Guarded fields that the token did not see. Logs of earlier releases have none. */
  hidden: v.optional(v.array(text)),
});

/** One decision of the log. */
export type LoggedDecision = Readonly<v.InferOutput<typeof logged>>;

/** Who made a call: a client, or a user if the token names no client; neither is anonymous. */
export interface Caller {
  readonly client: string | null;
  readonly subject: string | null;
}

/** Returns who made a logged call. */
export function callerOf({ client, subject }: LoggedDecision): Caller {
  return client ? { client, subject: null } : { client: null, subject };
}

/** Returns a text that is different for different callers. */
export function callerKey({ client, subject }: Caller): string {
  return JSON.stringify([client, subject]);
}

/**
 * Returns the name of a caller: a client ID, or the pseudonym of a user. Control characters, which a
 * terminal would obey, are replaced.
 */
export function callerName({ client, subject }: Caller): string {
  const name = client ?? (subject === null ? "without a token" : `user ${subject}`);
  return name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd");
}

/** Statistics of reading a log. */
export interface DecisionLogStats {
  /** Number of decisions. */
  decisions: number;
  /** Line numbers, from one, of lines without a decision. An incomplete last line does not count. */
  readonly unreadable: number[];
}

/** Yields the decisions of a log and counts into `reading`; skips empty lines. */
export async function* readDecisions(
  lines: AsyncIterable<string>,
  stats: DecisionLogStats,
): AsyncGenerator<LoggedDecision> {
  let number = 0;
  let lastUnreadable: number | undefined;
  for await (const line of lines) {
    number++;
    if (line === "") continue;
    // Only the last line may be incomplete, because it is still being written.
    if (lastUnreadable !== undefined) stats.unreadable.push(lastUnreadable);
    const decision = parseDecision(line);
    lastUnreadable = decision === undefined ? number : undefined;
    if (decision === undefined) continue;
    stats.decisions++;
    yield decision;
  }
}

function parseDecision(line: string): LoggedDecision | undefined {
  try {
    const parsed = v.safeParse(logged, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
