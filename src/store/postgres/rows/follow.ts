/**
 * Answers to what plans ask.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Plan, SqlResult, Tuple } from "../../plan.ts";
import type { Sql } from "../../rows/sql.ts";
import type { Pacing } from "../../port.ts";
import type { Session } from "../query.ts";

/** Statements that came lately, and might come again. */
const MAX_KNOWN = 500;

/** Milliseconds after which a query is a long one, which others need not wait for. */
const LONG = 100;

/** Follows a plan to its end: what it asks in one step goes out at once. */
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

const known = new LRUCache<string, string>({ max: MAX_KNOWN });

/** Parameters as PostgreSQL writes them. */
function numbered(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  let number = 0;
  const after = text.replaceAll("?", () => `$${++number}`);
  known.set(text, after);
  return after;
}
