/**
 * Running plans of row queries in slices of time, with a cache of prepared statements.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Plan, SqlResult, Tuple } from "../../plan.ts";
import type { Sql } from "../../rows/sql.ts";
import type { Pace } from "../../rows/sort_prefix.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache } from "../read_cache.ts";

const MAX_STATEMENTS = 500;
const MAX_STATISTICS = 1_000;
/**
 * Checks of the first statement, and the minimum and maximum of any: few enough to take some
 * milliseconds if they are slow, and enough to be worth a statement of many conditions.
 */
const CHECKS = { first: 8_192, least: 4_096, most: 65_536 };
/** Rows that all counts for one choice of candidates may count together. */
const COUNTED = 262_144;
/** Milliseconds that one step should take. */
const STEP = { least: 2, most: 5 };

interface AdaptedPace extends Pace {
  readonly least: number;
  readonly most: number;
}

/** Returns the pace of one query, which adapts unless `checks` fixes it. */
export function createPace(checks?: number): AdaptedPace {
  const bounds = checks === undefined ? CHECKS : { least: checks, most: checks };
  return {
    checks: checks ?? CHECKS.first,
    ...bounds,
    nextChecks: 0,
    counted: COUNTED,
    countsApart: true,
  };
}

/** Continues a plan for about `slice` milliseconds, at least one step. */
export type Follow<T> = (slice: number) => IteratorResult<unknown, T>;

/** Creates the runner of plans. It caches the statements and the statistics used last. */
export function createFollower(
  { db, defer }: Pick<Connection, "db" | "defer">,
): <T>(plan: Plan<T>, pace: AdaptedPace) => Follow<T> {
  const prepared = new LRUCache<string, Query<Tuple>>({
    max: MAX_STATEMENTS,
    memoMethod: (text) => query(db, text),
  });
  // Queries of one database ask for the same statistics, whatever their filters.
  const statistics = createReadCache<string, Tuple[]>({ db, defer }, {
    maxSize: MAX_STATISTICS,
    sizeOf: () => 1,
  });
  const answerer = (known: ReturnType<typeof statistics>) => (question: Sql): SqlResult => {
    const { text, values, isLazy, isStatistic } = question;
    // A row that is read lazily takes four times as long, and a statement ten times.
    if (isLazy) return { [Symbol.iterator]: () => prepared.memo(text).iterate(...values) };
    if (!isStatistic) return prepared.memo(text).all(...values);
    const key = `${JSON.stringify(values)} ${text}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const answer = prepared.memo(text).all(...values);
    known.set(key, answer);
    return answer;
  };
  return (plan, pace) => {
    let step = plan.next();
    return (slice) => {
      const start = performance.now();
      const answer = answerer(statistics());
      for (let before = start; !step.done;) {
        const { nextChecks: checks } = pace;
        pace.nextChecks = 0;
        step = plan.next(step.value.map(answer));
        const now = performance.now();
        adapt(pace, checks, now - before);
        if (now - start >= slice) break;
        before = now;
      }
      return step;
    };
  };
}

/** Adapts to measured time, because the cost of a check depends on conditions, texts and the machine. */
function adapt(pace: AdaptedPace, checks: number, elapsed: number): void {
  if (elapsed > STEP.most) pace.checks = Math.max(pace.least, pace.checks >> 1);
  // The time of a short statement says little about a long one.
  else if (elapsed < STEP.least && checks >= pace.checks >> 1) {
    pace.checks = Math.min(pace.most, pace.checks * 2);
  }
}
