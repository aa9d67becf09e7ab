/**
 * Runs queries: in the store alone if it can evaluate all conditions, else by computing values for
 * each row.
 *
 * @module
 */
import { matchInSteps, type QueryRow } from "../../content/query/evaluate.ts";
import type { Filter, RowCursor, RowQuery, Sort } from "../../content/query/filter.ts";
import { NEWEST_FIRST } from "../../content/query/filter.ts";
import { compareRowCursors, cursorOf } from "../../content/query/order.ts";
import { spend } from "../../content/formulas/compute_budget.ts";
import { splitFilter } from "../../content/query/split_filter.ts";
import { fieldsIn } from "../../content/query/fields.ts";
import type { FoundRow, ListedRow } from "../../store/port.ts";
import { type NameSearch, rowsByName } from "./name_order.ts";
import type { RollupKeys } from "./rollup_keys.ts";
import { type RollupSearch, rowsByRollup } from "./rollup_order.ts";

export interface RowSearch extends Omit<NameSearch, "query"> {
  readonly store: NameSearch["store"] & RollupSearch["store"];
  readonly query: Omit<RowQuery, "filter"> & { readonly filter?: Filter | undefined };
  /** Called once as soon as so many rows were computed. */
  readonly many?: { readonly from: number; readonly reached: () => void } | undefined;
  /** Absent if the query has no sorts of a client. */
  readonly rollups?: RollupKeys | undefined;
  /** Computes the values that the query needs of these rows, in the same order. */
  view(rows: readonly FoundRow[]): Promise<readonly QueryRow[]>;
}

/** Number of rows read from the store at once, and how many of them are examined between two pauses. */
const BATCH = 200;
const PORTION = 50;
/** Rows times conditions that are examined between two pauses. */
const LOOKS = 4_000;

/** Returns one page of the rows, in order; those that are known may be without a node. */
export async function searchRows(search: RowSearch): Promise<readonly ListedRow[]> {
  const { store, workspace, query: { filter, ...order } } = search;
  const { pushdown, residual } = filter === undefined ? {} : splitFilter(filter);
  const query = pushdown === undefined ? order : { ...order, filter: pushdown };
  if (query.sorts.some(isComputed)) {
    const grouped = residual === undefined ? await groupedRows(search, query) : undefined;
    return grouped ?? await sortRows(search, query, residual);
  }
  return residual === undefined
    ? await store.listRows(workspace, query, search)
    : await filterRows(search, query, residual);
}

/** Returns the rows of a page if the keys that the store has decide their order. */
async function groupedRows(
  search: RowSearch,
  query: RowQuery,
): Promise<readonly ListedRow[] | undefined> {
  const { rollups, many } = search;
  const byName = await rowsByName({ ...search, query });
  if (byName !== undefined || rollups === undefined || many === undefined) return byName;
  return await rowsByRollup({ ...search, query, rollups, from: many.from });
}

function isComputed({ field }: Sort): boolean {
  return field.kind === "computed";
}

/** Reads rows in the order of the store until the page is full. */
async function filterRows(
  search: RowSearch,
  query: RowQuery,
  filter: Filter,
): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  for await (const portion of portions(search, query, filter)) {
    const views = await search.view(portion);
    for (const [index, row] of portion.entries()) {
      if (await fulfils(views[index], filter, search.rest)) found.push(row);
    }
    if (found.length >= query.limit) break;
  }
  return found.slice(0, query.limit);
}

/** Examines every row, and holds no more than a few pages of them. */
async function sortRows(
  search: RowSearch,
  { sorts, after, ...query }: RowQuery,
  filter: Filter | undefined,
): Promise<FoundRow[]> {
  const compare = compareRowCursors(sorts);
  const isBehind = (place: RowCursor) => after === undefined || compare(place, after) > 0;
  const first = (rows: FoundRow[]) =>
    rows.sort((a, b) => compare(a.cursor, b.cursor)).slice(0, query.limit);
  let found: FoundRow[] = [];
  for await (const portion of portions(search, { ...query, sorts: NEWEST_FIRST }, filter)) {
    const views = await search.view(portion);
    for (const [index, { node }] of portion.entries()) {
      const view = views[index];
      if (view === undefined) continue;
      if (filter !== undefined && !await fulfils(view, filter, search.rest)) continue;
      const place = cursorOf(sorts, view);
      if (isBehind(place)) found.push({ node, cursor: place });
    }
    if (found.length > BATCH + query.limit) found = first(found);
  }
  return first(found);
}

async function fulfils(
  view: QueryRow | undefined,
  filter: Filter,
  rest: RowSearch["rest"],
): Promise<boolean> {
  if (view === undefined) return false;
  const steps = matchInSteps(filter, view);
  for (let step = steps.next();; step = steps.next()) {
    if (step.done) return step.value;
    const resting = rest();
    if (resting !== undefined) await resting;
  }
}

/** Yields the rows of the store in portions that are examined between two pauses. */
async function* portions(
  { store, workspace, pacing, rest, many }: RowSearch,
  query: RowQuery,
  filter: Filter | undefined,
): AsyncGenerator<readonly FoundRow[]> {
  const conditions = filter === undefined ? 0 : fieldsIn(filter).length;
  const size = Math.max(1, Math.min(PORTION, Math.floor(LOOKS / conditions)));
  let after = query.after;
  let count = 0;
  for (let isWhole = false; !isWhole;) {
    const batch = await store.rows(workspace, {
      ...query,
      limit: BATCH,
      ...(after !== undefined && { after }),
    }, pacing);
    spend(pacing.budget, batch.length * conditions);
    const before = count;
    count += batch.length;
    if (many !== undefined && before < many.from && count >= many.from) many.reached();
    // Reading the batch took long, and computing values will.
    await rest();
    for (let at = 0; at < batch.length; at += size) {
      yield batch.slice(at, at + size);
      await rest();
    }
    after = batch.at(-1)?.cursor;
    // The store returns fewer rows than requested if their documents are long.
    isWhole = batch.length === 0;
  }
}
