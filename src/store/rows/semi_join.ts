/**
 * Semi-joins: an index in the order of the last sort, of which only the rows among some candidates are
 * looked at. To test an entry takes a small part of the time of a candidate, which needs look-ups of
 * its node and keys.
 *
 * @module
 */
import { spend } from "../../content/formulas/compute_budget.ts";
import { beyond, intersect, type Range, upTo } from "../../content/query/ranges.ts";
import { type Plan, runOne } from "../plan.ts";
import type { Candidates } from "./candidates.ts";
import type { IndexScan } from "./dialect.ts";
import { isContaining, type ValueRange } from "./index_ranges.ts";
import { probeEnd } from "./probe.ts";
import {
  isFull,
  type ResumePoint,
  roomIn,
  type RowSearch,
  type SortPrefix,
} from "./sort_prefix.ts";
import { candidatesIn, orderOf, sourceOf, valueColumns } from "./sources.ts";
import { join, raw, type Sql, sql } from "./sql.ts";
import { scanCandidates } from "./steps.ts";

/** Entries that are tested in the time of one candidate. */
const ENTRIES_PER_CANDIDATE = 32;
/** Entries that are tested in the time of one check. */
const ENTRIES_PER_CHECK = 4;
/** Entries that one statement tests at most. */
const MOST_ENTRIES = 32_768;

type ValueScan = IndexScan & { readonly indexRange: ValueRange };

export interface SemiJoin {
  readonly scan: ValueScan;
  readonly candidates: Candidates;
  /** Entries that probably fill the page. */
  readonly steps: number;
}

/** The place behind which entries are tested. */
interface Place {
  readonly value: number | string;
  /** Undefined: behind all entries with this value. */
  readonly id?: string;
}

/**
 * Adds rows of a sort prefix in order until that has cost as much as to read all candidates. Returns
 * the prefix of the rows behind.
 */
export function* scanAmong(
  search: RowSearch,
  prefix: SortPrefix,
  semiJoin: SemiJoin,
): Plan<SortPrefix> {
  const { candidates, steps } = semiJoin;
  let left = candidates.count * ENTRIES_PER_CANDIDATE;
  if (steps > left || !canJoin(search, prefix, candidates)) return prefix;
  let rest = prefix;
  let reached: Reached = { isLast: false };
  while (left > 0 && !reached.isLast && !isFull(search)) {
    const entries = Math.min(left, portionOf(search));
    left -= entries;
    reached = yield* scanPortion(search, rest, { semiJoin, place: reached.place, entries });
    if (reached.place !== undefined) rest = { ...rest, after: resumePoint(rest, reached.place) };
  }
  return rest;
}

/** How many entries one statement may test. */
function portionOf({ pace }: RowSearch): number {
  return Math.min(MOST_ENTRIES, pace.checks * ENTRIES_PER_CHECK);
}

/** Returns whether the index has the rows in order, and each statement can read all candidates. */
function canJoin(search: RowSearch, { fixed }: SortPrefix, { ranges, count }: Candidates): boolean {
  const isLast = fixed.length === search.sorts.length - 1;
  const isIndexed = ranges.every(({ indexRange }) =>
    indexRange !== "all" && !isContaining(indexRange)
  );
  return isLast && isIndexed && count <= portionOf(search);
}

function resumePoint({ fixed }: SortPrefix, { value, id }: Place): ResumePoint {
  return { keys: [...fixed, value], ...(id !== undefined && { id }) };
}

interface Portion {
  readonly semiJoin: SemiJoin;
  readonly place: Place | undefined;
  readonly entries: number;
}

/** How far a portion came. */
interface Reached {
  /** Behind this place are the next rows; undefined if none were tested. */
  readonly place?: Place | undefined;
  /** True if no entries follow, or if more than one statement may test have one value. */
  readonly isLast: boolean;
}

/** Adds rows among the next entries. */
function* scanPortion(
  search: RowSearch,
  prefix: SortPrefix,
  { semiJoin: { scan, candidates }, place, entries }: Portion,
): Plan<Reached> {
  const { descending } = scan;
  const behind = place === undefined ? scan : within(scan, rangeBehind(place, descending));
  const end = yield* probeEnd(search, behind, { steps: entries, few: entries });
  if (end.isShared) return { isLast: true };
  search.pace.nextChecks = entries / ENTRIES_PER_CHECK;
  if (search.budget !== undefined) spend(search.budget, search.pace.nextChecks);
  const next = end.value === undefined ? behind : within(behind, upTo(end.value, descending));
  const limit = roomIn(search);
  const answer = yield* runOne(entriesAmong(search, next, { place, candidates, limit }));
  // Sound because these are the columns that the statement names.
  const found = [...answer as Iterable<unknown>] as (readonly [string, number | string])[];
  const [id, value] = found.at(-1) ?? [];
  const last = id === undefined || value === undefined ? undefined : { value, id };
  if (last !== undefined) {
    const rowIds = found.map(([id]) => id);
    const listed = [{ indexRange: { rowIds }, count: rowIds.length }];
    // A row that has moved behind the last one would hide those in between.
    const until = resumePoint(prefix, last);
    yield* scanCandidates(search, { ...prefix, until }, { ...candidates, ranges: listed });
  }
  if (found.length === limit) return { place: last, isLast: false };
  return end.value === undefined
    ? { place: last, isLast: true }
    : { place: { value: end.value }, isLast: false };
}

function within(scan: ValueScan, range: Range): ValueScan {
  const { indexRange } = scan;
  return { ...scan, indexRange: { ...indexRange, range: intersect(indexRange.range, range) } };
}

function rangeBehind({ value, id }: Place, descending: boolean): Range {
  return id === undefined ? beyond(value, descending) : upTo(value, !descending);
}

interface Entries {
  readonly place: Place | undefined;
  readonly candidates: Candidates;
  readonly limit: number;
}

/** Selects the ID and the value of the first entries behind a place that are among candidates. */
function entriesAmong(
  { dialect, rowSet }: RowSearch,
  { indexRange, descending }: ValueScan,
  { place, candidates, limit }: Entries,
): Sql {
  const source = sourceOf(indexRange, rowSet, dialect);
  const { from, where, id, value } = source;
  const parts = candidates.ranges.map(({ indexRange }) =>
    candidatesIn(indexRange, rowSet, dialect)
  );
  const conditions = [
    where,
    dialect.among(id, join(parts, " UNION ALL ")),
    ...(place?.id === undefined
      ? []
      : [sql`(${value} <> ${place.value} OR ${id} ${raw(descending ? "<" : ">")} ${place.id})`]),
  ];
  return sql`
    SELECT ${id}, ${value} FROM ${from} WHERE ${join(conditions, " AND ")}
    ORDER BY ${orderOf([...valueColumns(indexRange, source), id], descending)}
    LIMIT CAST(${limit} AS integer)`;
}
