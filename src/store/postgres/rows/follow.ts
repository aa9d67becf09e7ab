/**
 * Running plans of row queries.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Plan, SqlResult, Tuple } from "../../plan.ts";
import type { Sql } from "../../rows/sql.ts";
import { late } from "../failures.ts";
import type { Session } from "../query.ts";

/** Maximum number of cached statement texts. */
const MAX_CACHED = 500;

/** Milliseconds of a plan's steps, but for its last: as many as one statement may take. */
const MOST = 25_000;

/** Runs a plan to its end; the questions of one step are sent together. */
export async function follow<T>(on: Session, plan: Plan<T>): Promise<T> {
  const end = performance.now() + MOST;
  let step = plan.next();
  while (!step.done) {
    if (performance.now() > end) throw late();
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
