/**
 * Finds parts of pages by expressions of the word index, newest first, until their texts are long.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { MOST_TEXT } from "../../../search/text/parts.ts";
import type { WordMatch } from "../../port.ts";
import { MANY } from "../../search_marks.ts";
import { PARTS, TITLED } from "../../search_parts.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache } from "../read_cache.ts";
import type { Steps } from "../steps.ts";
import { comparesPlaces, createNumbersOf, walkRanges } from "./compared_ranges.ts";
import { isMerged } from "./expressions.ts";
import { NOT_TRASHED } from "./in_trash.ts";
import { createIndexList, type Entry, firstInAll } from "./index_lists.ts";

export type PartRow = readonly [
  no: number,
  pageId: string,
  title: string,
  body: string,
  length: number,
  isMany: 0 | 1,
];

const LAST_MARK = ` ${MANY} `;
/** Compares bytes from the end: the place of a deep page is long, and would be read through. */
const IS_MANY =
  `substr(CAST(p.place AS BLOB), -octet_length('${LAST_MARK}')) = CAST('${LAST_MARK}' AS BLOB)`;

/** Columns of a part `p`. */
export const PART_COLUMNS =
  `p.no, p.page_id, iif(p.no % ${PARTS} < ${TITLED} OR p.title <> '', p.title,
  coalesce((
    SELECT f.title FROM search_parts f WHERE f.no = p.no - p.no % ${PARTS} AND f.page_id = p.page_id
  ), '')
), p.body, p.length, ${IS_MANY}`;

export interface PartRange {
  readonly workspace: string;
  /** Numbers of parts: `from` inclusive, `before` exclusive. */
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

export interface PartFinder {
  /** Returns parts that match an expression. */
  find(expression: string, range: PartRange): Steps<readonly WordMatch[]>;
  /** Returns parts that match all of these expressions, at least one. */
  findInAll(expressions: readonly string[], range: PartRange): Steps<readonly WordMatch[]>;
}

/** Bytes of all matches that are cached for further pages of results, counts and repeated searches. */
const CACHE_SIZE = 16 * 2 ** 20;
/** Bytes of a match beside its texts, about. */
const MATCH_SIZE = 300;
const BYTES_PER_UNIT = 2;
/**
 * UTF-16 code units of the longest text that is cached. Each longer one that survives a collection of
 * garbage has a mapping of its own, which V8 removes on the main thread.
 */
const LONGEST_CACHED = 50_000;
/**
 * UTF-16 code units that the first statement reads. A further one would merge the lists of all words
 * with a beginning again.
 */
const STEP_TEXT = MOST_TEXT / 2;
/** Numbers of parts that one statement reads. */
const READS = { first: 16, most: 1_024 };

/** Prepares the statements. */
export function createPartFinder({ db, defer }: Pick<Connection, "db" | "defer">): PartFinder {
  const { ofExpression, numbers, ofNumber } = prepare(db);
  const numbersOf = createNumbersOf(db);
  const within = (range: PartRange): PartRange => {
    const { from, before } = numbersOf(range.workspace);
    return { ...range, from: Math.max(from, range.from), before: Math.min(before, range.before) };
  };
  const cached = createReadCache<string, readonly WordMatch[]>({ db, defer }, {
    maxSize: CACHE_SIZE,
    sizeOf: (matches, key) =>
      matches.reduce(
        (sum, { title, body }) => sum + MATCH_SIZE + BYTES_PER_UNIT * (title.length + body.length),
        MATCH_SIZE + key.length,
      ),
  });
  /** Adds the first parts; returns whether more may follow, which are found by their numbers. */
  function addFirst(
    expression: string,
    { workspace, from, before, limit }: PartRange,
    matches: Matches,
  ): boolean {
    let length = 0;
    for (const row of ofExpression.iterate(expression, from, before, workspace, limit)) {
      if (matches.add(row)) return false;
      if ((length += row[3].length) >= STEP_TEXT) return matches.all.length < limit;
    }
    return false;
  }
  /** Adds the parts that match all of these expressions, at least one. */
  function* addByNumber(
    expressions: readonly string[],
    { workspace, from, before, limit }: PartRange,
    matches: Matches,
  ): Steps<void> {
    const lists = expressions.map((one) =>
      createIndexList({ readBelow: (end, rows) => numbers.all(one, from, end, rows), reads: READS })
    );
    let entry = yield* firstInAll(lists, before);
    while (entry !== undefined) {
      const row = ofNumber.get(entry[0], workspace);
      if (row !== undefined && (matches.add(row) || matches.all.length === limit)) return;
      yield;
      entry = yield* firstInAll(lists, entry[0]);
    }
  }
  function* find(expression: string, range: PartRange): Steps<readonly WordMatch[]> {
    const { workspace, from, before, limit } = range;
    const key = [expression, from, before, workspace, limit].join(" ");
    const known = cached().get(key);
    if (known !== undefined) return known;
    const matches = createMatches();
    if (comparesPlaces(expression) && !isMerged(expression)) {
      const ranges = yield* addByRange(ofExpression, expression, within(range), matches);
      if (ranges < 2 && isShort(matches.all)) cached().set(key, matches.all);
    } else if (addFirst(expression, range, matches)) {
      yield;
      yield* addByNumber([expression], { ...range, before: matches.lowest() }, matches);
    } else if (isShort(matches.all)) {
      // Only what one statement found: several may see different moments.
      cached().set(key, matches.all);
    }
    yield;
    return matches.all;
  }
  return {
    find,
    *findInAll(expressions, range) {
      const [first = "", ...others] = expressions;
      if (others.length === 0) return yield* find(first, range);
      const matches = createMatches();
      yield* addByNumber(expressions, range, matches);
      return matches.all;
    },
  };
}

/** Adds the parts with a phrase, range by range; returns how many ranges that took. */
function* addByRange(
  ofExpression: Statements["ofExpression"],
  expression: string,
  { workspace, from, before, limit }: PartRange,
  matches: Matches,
): Steps<number> {
  const walk = walkRanges({ from, before });
  let count = 0;
  for (let range = walk.next(); range !== undefined; range = walk.next()) {
    if (count++ > 0) yield;
    const start = performance.now();
    const left = limit - matches.all.length;
    let length = 0;
    for (const row of ofExpression.iterate(expression, range.from, range.before, workspace, left)) {
      if (matches.add(row) || matches.all.length === limit) return count;
      if ((length += row[3].length) < STEP_TEXT) continue;
      walk.continueBelow(matches.lowest());
      break;
    }
    walk.adapt(performance.now() - start);
  }
  return count;
}

function isShort(matches: readonly WordMatch[]): boolean {
  return matches.every(({ body }) => body.length <= LONGEST_CACHED);
}

interface Statements {
  /** Parts that match an expression: expression, from, before, workspace, limit. */
  readonly ofExpression: Query<PartRow>;
  /** Numbers of parts that match an expression: expression, from, before, limit. */
  readonly numbers: Query<Entry>;
  /** The part with a number: number, workspace. */
  readonly ofNumber: Query<PartRow>;
}

function prepare(db: DatabaseSync): Statements {
  // In the order of the index, so that a common word need not be read completely.
  const ofExpression: Query<PartRow> = query(
    db,
    `SELECT ${PART_COLUMNS} FROM search_words w CROSS JOIN search_parts p ON p.no = w.rowid
    WHERE w.search_words MATCH ? AND w.rowid >= ? AND w.rowid < ?
      AND p.workspace_id = ? AND ${NOT_TRASHED}
    ORDER BY w.rowid DESC LIMIT ?`,
  );
  const numbers: Query<Entry> = query(
    db,
    `SELECT rowid, '' FROM search_words
    WHERE search_words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
  );
  const ofNumber: Query<PartRow> = query(
    db,
    `SELECT ${PART_COLUMNS} FROM search_parts p
    WHERE p.no = ? AND p.workspace_id = ? AND ${NOT_TRASHED}`,
  );
  return { ofExpression, numbers, ofNumber };
}

interface Matches {
  readonly all: readonly WordMatch[];
  /** Returns the number of the last part. */
  lowest(): number;
  /** Adds a part, and returns whether the texts are long now. */
  add(row: PartRow): boolean;
}

function createMatches(): Matches {
  const all: WordMatch[] = [];
  let lowest = Infinity;
  let length = 0;
  return {
    all,
    lowest: () => lowest,
    add(row) {
      [lowest] = row;
      const match = toMatch(row);
      all.push(match);
      return (length += match.body.length) >= MOST_TEXT;
    },
  };
}

/** Returns whether a search for parts ended because of the length of their texts. */
export function isFull(matches: readonly WordMatch[]): boolean {
  return matches.reduce((length, { body }) => length + body.length, 0) >= MOST_TEXT;
}

export function toMatch([no, id, title, body, length, isMany]: PartRow): WordMatch {
  return { id, no: Math.floor(no / PARTS), title, body, length, isWhole: isMany === 0 };
}
