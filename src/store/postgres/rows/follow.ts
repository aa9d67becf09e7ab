/**
 * Running plans of row queries.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Plan, SqlResult, Tuple } from "../../plan.ts";
import type { Sql } from "../../rows/sql.ts";
import type { Pacing } from "../../port.ts";
import type { Session } from "../query.ts";

/** Maximum number of cached statement texts. */
const MAX_CACHED = 500;

/** Milliseconds after which a query counts as long and lets others run in between. */
const LONG = 100;

/** Runs a plan to its end; the questions of one step are sent together. */
export async function follow<T>(on: Session, plan: Plan<T>, pacing?: Pacing): Promise<T> {
  const start = performance.now();
  let step = plan.next();
  while (!step.done) {
    if (performance.now() - start > LONG) await pacing?.pause();
    step = plan.next(await Promise.all(step.value.map((question) => answer(on, question))));
  }
  return step.value;
}

async function answer(on: Session, { text, values }: Sql): Promise<SqlResult> {
  // Sound because the columns that the dialect names are numbers and texts.
  return await on.send(numbered(text), values) as readonly unknown[] as Tuple[];
}

const numberedTexts = new LRUCache<string, string>({ max: MAX_CACHED });

/** Replaces `?` by PostgreSQL's numbered parameters. */
function numbered(text: string): string {
  const before = numberedTexts.get(text);
  if (before !== undefined) return before;
  let number = 0;
  const after = text.replaceAll("?", () => `$${++number}`);
  numberedTexts.set(text, after);
  return after;
}
