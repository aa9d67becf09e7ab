/**
 * Reads that are put together when they are asked for, prepared once for as long as they are in use,
 * and asked in slices of time.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import type { Plan, SqlResult, Tuple } from "../../plan.ts";
import type { Sql } from "../../rows/sql.ts";
import type { Pace } from "../../rows/sort_prefix.ts";
import { type Query, query } from "../query.ts";

const MAX_STATEMENTS = 500;
/**
 * Looks of the first statement, and the least and most of any: as many as take some milliseconds where
 * they take long, and enough to be worth a statement of many conditions.
 */
const LOOKS = { first: 8_192, least: 4_096, most: 65_536 };
/** Rows that one statement may count: about as long. */
const COUNTED = 131_072;
/** Milliseconds that one step should take. */
const STEP = { least: 2, most: 5 };

interface AdaptedPace extends Pace {
  readonly least: number;
  readonly most: number;
}

/** The pace of one query; `looks` keeps it from being adapted. */
export function createPace(looks?: number): AdaptedPace {
  const bounds = looks === undefined ? LOOKS : { least: looks, most: looks };
  return { looks: looks ?? LOOKS.first, ...bounds, asked: 0, counted: COUNTED };
}

/** Goes on with a plan for about so many milliseconds, at least one step. */
export type Follow<T> = (slice: number) => IteratorResult<unknown, T>;

/** Answers what plans ask; keeps the statements used last. */
export function createFollower(
  db: DatabaseSync,
): <T>(plan: Plan<T>, pace: AdaptedPace) => Follow<T> {
  const prepared = new LRUCache<string, Query<Tuple>>({ max: MAX_STATEMENTS });
  const prepare = (text: string): Query<Tuple> => {
    const known = prepared.get(text) ?? query<Tuple>(db, text);
    prepared.set(text, known);
    return known;
  };
  // Row by row, when they are looked at: whoever stops early has not paid for the rest.
  const answer = ({ text, values }: Sql): SqlResult => ({
    [Symbol.iterator]: () => prepare(text).iterate(...values),
  });
  return (plan, pace) => {
    let step = plan.next();
    return (slice) => {
      const start = performance.now();
      for (let before = start; !step.done;) {
        const { asked } = pace;
        pace.asked = 0;
        step = plan.next(step.value.map(answer));
        const now = performance.now();
        adapt(pace, asked, now - before);
        if (now - start >= slice) break;
        before = now;
      }
      return step;
    };
  };
}

/** What a look costs depends on conditions, texts and the machine: only time tells. */
function adapt(pace: AdaptedPace, asked: number, elapsed: number): void {
  if (elapsed > STEP.most) pace.looks = Math.max(pace.least, pace.looks >> 1);
  // A short statement says little of a long one.
  else if (elapsed < STEP.least && asked >= pace.looks >> 1) {
    pace.looks = Math.min(pace.most, pace.looks * 2);
  }
}
