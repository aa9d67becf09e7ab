/**
 * Counts how common words are.
 *
 * @module
 */
import type { Phrase } from "../../../search/text/query.ts";
import { createRest, type Rest } from "../../../shared/yield_to_event_loop.ts";
import type { WordStatistics } from "../../port.ts";
import { COUNTED, type Counted, totalCount } from "../../search_counts.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache } from "../read_cache.ts";
import { runSteps } from "../steps.ts";
import { createIndexedReader } from "./codes.ts";
import {
  comparesPlaces,
  createNumbersOf,
  type NumberRange,
  walkRanges,
} from "./compared_ranges.ts";
import { isMerged, MERGE, mergedBeginnings, phrased } from "./expressions.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Parts that the first statement counts: each may have a phrase very often. */
const FIRST = 16;
/** Milliseconds of a statement after which the next one may count fewer parts. */
const SLOW = 10;
const NONE: Counted = { count: 0, lowest: Number.MAX_SAFE_INTEGER };
/** Code units of all expressions whose counts are cached. */
const CACHE_SIZE = 2 ** 20;

/** Prepares the function that counts the parts containing each phrase. */
export function createWordCounter(
  connection: Connection,
  vocabulary: Vocabulary,
): (workspace: string, phrases: readonly Phrase[]) => Promise<WordStatistics> {
  const { db, reading } = connection;
  const indexed = createIndexedReader(db);
  const { cached, newest } = prepare(connection);
  const numbersOf = createNumbersOf(db);
  const countNext = (expression: string, { count, lowest }: Counted, limit: number): Counted => {
    const [more = 0, last] = newest.get(expression, lowest, 0, limit) ?? [];
    return { count: count + more, lowest: last ?? lowest };
  };
  /** Returns what is cached, or the first parts. */
  const countFirst = (expression: string, limit: number): Counted => {
    const cache = cached();
    const known = cache.get(expression);
    if (known !== undefined) return known;
    const counted = countNext(expression, NONE, limit);
    if (counted.count < limit || limit === COUNTED) cache.set(expression, counted);
    return counted;
  };
  const countAll = async (expression: string, first: number, rest: Rest): Promise<Counted> => {
    const pace = createPace();
    let counted = pace.time(() => reading(() => countFirst(expression, first)));
    let isOneMoment = true;
    for (let asked = first; counted.count === asked && asked < COUNTED;) {
      const pause = rest();
      if (pause !== undefined) {
        isOneMoment = false;
        await pause;
      }
      const limit = Math.min(pace.limit(), COUNTED - asked);
      counted = pace.time(() => reading(() => countNext(expression, counted, limit)));
      asked += limit;
      if (isOneMoment && (counted.count < asked || asked === COUNTED)) {
        reading(() => cached().set(expression, counted));
      }
    }
    return counted;
  };
  const countByRange = createRangeCounter(newest);
  const countPhrase = async (
    expression: string,
    numbers: NumberRange,
    rest: Rest,
  ): Promise<Counted> => {
    const known = reading(() => cached().get(expression));
    if (known !== undefined) return known;
    const { counted, isOneMoment } = await countByRange(expression, numbers, rest);
    if (isOneMoment) reading(() => cached().set(expression, counted));
    return counted;
  };
  return async (workspace, phrases) => {
    const rest = createRest();
    const workspaceIndex = indexed(workspace);
    if (workspaceIndex === undefined) return { parts: 0, length: 0, counts: phrases.map(() => 0) };
    const { code, parts, length } = workspaceIndex;
    const numbers = numbersOf(workspace);
    const [first, last] = [numbers.from, Math.max(0, numbers.before - 1)];
    const counts: number[] = [];
    for (const phrase of phrases) {
      const steps = vocabulary(workspaceIndex, mergedBeginnings(code, phrase));
      const planOf = steps === undefined ? MERGE : await runSteps(connection, steps);
      const expression = phrased(code, phrase, planOf);
      // Each statement would merge all lists again.
      const limit = isMerged(expression) ? COUNTED : FIRST;
      const counted = comparesPlaces(expression) && !isMerged(expression)
        ? await countPhrase(expression, numbers, rest)
        : await countAll(expression, limit, rest);
      counts.push(totalCount(counted, { parts, first, last }));
      await rest();
    }
    return { parts, length, counts };
  };
}

/** Prepares the statement, and the cache of counts by their expressions. */
function prepare(connection: Connection) {
  const cached = createReadCache<string, Counted>(connection, {
    maxSize: CACHE_SIZE,
    sizeOf: (_, expression) => expression.length,
  });
  const newest: Newest = query(
    connection.db,
    `SELECT count(*), min(wanted.rowid) FROM (
      SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid < ? AND rowid >= ?
      ORDER BY rowid DESC LIMIT ?
    ) wanted`,
  );
  return { cached, newest };
}

/** The newest parts that match: expression, before, from, limit. */
type Newest = Query<[count: number, lowest: number | null]>;

/** Creates the function that counts the parts with a phrase, range by range. */
function createRangeCounter(newest: Newest) {
  return async (expression: string, numbers: NumberRange, rest: Rest) => {
    const pace = createPace();
    const walk = walkRanges(numbers);
    let counted = NONE;
    let isOneMoment = true;
    for (let range = walk.next(); range !== undefined && counted.count < COUNTED;) {
      const { from, before } = range;
      const limit = Math.min(pace.limit(), COUNTED - counted.count);
      const start = performance.now();
      const [more = 0, lowest] = pace.time(() => newest.get(expression, before, from, limit)) ?? [];
      counted = { count: counted.count + more, lowest: lowest ?? counted.lowest };
      if (more === limit) walk.continueBelow(counted.lowest);
      walk.adapt(performance.now() - start);
      const pause = rest();
      isOneMoment &&= pause === undefined;
      await pause;
      range = walk.next();
    }
    return { counted, isOneMoment };
  };
}

/** How many parts each statement of a count looks at. */
interface Pace {
  limit(): number;
  /** Runs a statement, by whose time the next limit is chosen. */
  time<T>(statement: () => T): T;
}

/**
 * Doubles the limit, unless that makes statements slow. One that merges the lists of all words with a
 * beginning is as slow with any limit.
 */
function createPace(): Pace {
  let limit = FIRST;
  let last = Infinity;
  return {
    limit: () => limit,
    time(statement) {
      const start = performance.now();
      const result = statement();
      const time = performance.now() - start;
      limit = time < SLOW || time < 1.5 * last ? 2 * limit : Math.max(FIRST, limit / 2);
      last = time;
      return result;
    },
  };
}
