/**
 * A decision log, read line by line.
 *
 * @module
 */
import * as v from "valibot";

const logged = v.object({
  time: v.string(),
  /** `METHOD path` as the policy named it. */
  route: v.string(),
  effect: v.picklist(["allow", "deny"]),
  /** Pseudonym of the client; null of nobody, on a public route. */
  subject: v.nullable(v.string()),
  /** What the token held. */
  scopes: v.array(v.string()),
});

/** One call as it was decided. */
export type LoggedDecision = Readonly<v.InferOutput<typeof logged>>;

/** How a log was read. */
export interface DecisionLogReading {
  /** Decisions that were read. */
  decisions: number;
  /** Numbers of the lines that are none, counted from one; a last line that is cut is not among them. */
  readonly unreadable: number[];
}

/** Reads the lines of a log, and notes how that went; empty lines are passed over. */
export async function* readDecisions(
  lines: AsyncIterable<string>,
  reading: DecisionLogReading,
): AsyncGenerator<LoggedDecision> {
  let number = 0;
  let doubtful: number | undefined;
  for await (const line of lines) {
    number++;
    if (line === "") continue;
    // Only what stands last may be half of a line, because it is still being written.
    if (doubtful !== undefined) reading.unreadable.push(doubtful);
    const decision = parseDecision(line);
    doubtful = decision === undefined ? number : undefined;
    if (decision === undefined) continue;
    reading.decisions++;
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
