/**
 * Reads a decision log line by line.
 *
 * @module
 */
import * as v from "valibot";

const logged = v.object({
  time: v.string(),
  /** `METHOD path` as the policy named it. */
  route: v.string(),
  effect: v.picklist(["allow", "deny"]),
  /** Pseudonym of the caller; null for an anonymous call of a public route. */
  subject: v.nullable(v.string()),
  /** The client that the token was issued to, if that is known; lines of older releases lack it. */
  client: v.exactOptional(v.nullable(v.string())),
  /** Scopes of the token. */
  scopes: v.array(v.string()),
});

/** One decision of the log. */
export type LoggedDecision = Readonly<v.InferOutput<typeof logged>>;

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
