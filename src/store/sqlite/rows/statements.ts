/**
 * Reads that are put together when they are asked for, prepared once for as long as they are in use.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import type { Plan, Tuple } from "../../rows/reading.ts";
import { type Query, query } from "../query.ts";

const MAX_STATEMENTS = 500;

/** Answers what plans ask; keeps the statements used last. */
export function createFollower(db: DatabaseSync): <T>(plan: Plan<T>) => T {
  const prepared = new LRUCache<string, Query<Tuple>>({ max: MAX_STATEMENTS });
  const prepare = (text: string): Query<Tuple> => {
    const known = prepared.get(text) ?? query<Tuple>(db, text);
    prepared.set(text, known);
    return known;
  };
  return (plan) => {
    let step = plan.next();
    while (!step.done) {
      // Row by row, when they are looked at: whoever stops early has not paid for the rest.
      const answers = step.value.map(({ text, values }) => ({
        [Symbol.iterator]: () => prepare(text).iterate(...values),
      }));
      step = plan.next(answers);
    }
    return step.value;
  };
}
