/**
 * Running the shared reads on a PostgreSQL server.
 *
 * @module
 */
import type { SqlResult, Tuple } from "../plan.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import { createSource, type Question, type ReadPlan } from "../reads/query.ts";
import { createReads } from "../reads/reads.ts";
import { POSTGRES_READS } from "./dialect.ts";
import type { Session } from "./query.ts";

/** Each connection prepares a statement when it first meets it. */
export const SOURCE = createSource(POSTGRES_READS, () => {});
export const READS = createReads(SOURCE);

/**
 * Follows a plan to its end; the questions of one step go out at once. A step without any is a place to
 * pause.
 */
export async function read<T>(on: Session, plan: ReadPlan<T>): Promise<T> {
  const rest = createRest();
  let step = plan.next();
  while (!step.done) {
    if (step.value.length === 0) await rest();
    step = plan.next(await Promise.all(step.value.map((question) => answer(on, question))));
  }
  return step.value;
}

async function answer(on: Session, { text, values }: Question): Promise<SqlResult> {
  // Sound because the columns that reads name are numbers, texts and flags.
  return await on.send(text, values) as readonly unknown[] as Tuple[];
}
