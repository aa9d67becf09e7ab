/**
 * Finding the rows that a query asks for: by the store alone where it can judge all of it, else
 * with what has to be computed for each row.
 *
 * @module
 */
import { matches, type Row } from "../content/query/evaluate.ts";
import type { Filter, Place, RowQuery, Sort } from "../content/query/filter.ts";
import { NEWEST_FIRST } from "../content/query/filter.ts";
import { comparePlaces, placeOf } from "../content/query/order.ts";
import { splitFilter } from "../content/query/split.ts";
import type { FoundRow, Store } from "../store/port.ts";
import { letOthers } from "./others.ts";

export interface RowSearch {
  readonly store: Store;
  readonly workspace: string;
  readonly query: Omit<RowQuery, "filter"> & { readonly filter?: Filter | undefined };
  /** Computes what the query asks of these rows, in their order. */
  view(rows: readonly FoundRow[]): Promise<readonly Row[]>;
}

const BATCH = 500;

/** One page of the rows, in order. */
export function searchRows(search: RowSearch): Promise<readonly FoundRow[]> {
  const { store, workspace, query: { filter, ...order } } = search;
  const { kept, rest } = filter === undefined ? {} : splitFilter(filter);
  const query = kept === undefined ? order : { ...order, filter: kept };
  if (query.sorts.some(isComputed)) return sortRows(search, query, rest);
  return rest === undefined ? store.rows(workspace, query) : filterRows(search, query, rest);
}

function isComputed({ field }: Sort): boolean {
  return field.kind === "computed";
}

/** Walks the store's rows in their order until the page is full. */
async function filterRows(search: RowSearch, query: RowQuery, rest: Filter): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  for await (const batch of batches(search, query)) {
    const views = await search.view(batch);
    found.push(...batch.filter((_, index) => fulfils(views[index], rest)));
    if (found.length >= query.limit) break;
  }
  return found.slice(0, query.limit);
}

/** Looks at every row, and never holds more of them than a few pages. */
async function sortRows(
  search: RowSearch,
  { sorts, after, ...query }: RowQuery,
  rest: Filter | undefined,
): Promise<FoundRow[]> {
  const compare = comparePlaces(sorts);
  const isBehind = (place: Place) => after === undefined || compare(place, after) > 0;
  const first = (rows: FoundRow[]) =>
    rows.sort((a, b) => compare(a.place, b.place)).slice(0, query.limit);
  let found: FoundRow[] = [];
  for await (const batch of batches(search, { ...query, sorts: NEWEST_FIRST })) {
    const views = await search.view(batch);
    for (const [index, { node }] of batch.entries()) {
      const view = views[index];
      if (view === undefined || (rest !== undefined && !matches(rest, view))) continue;
      const place = placeOf(sorts, view);
      if (isBehind(place)) found.push({ node, place });
    }
    if (found.length > BATCH + query.limit) found = first(found);
  }
  return first(found);
}

function fulfils(view: Row | undefined, filter: Filter): boolean {
  return view !== undefined && matches(filter, view);
}

async function* batches(
  { store, workspace }: RowSearch,
  query: RowQuery,
): AsyncGenerator<readonly FoundRow[]> {
  let after = query.after;
  for (let isWhole = false; !isWhole;) {
    const batch = await store.rows(workspace, {
      ...query,
      limit: BATCH,
      ...(after !== undefined && { after }),
    });
    if (batch.length > 0) yield batch;
    after = batch.at(-1)?.place;
    isWhole = batch.length < BATCH;
    if (!isWhole) await letOthers();
  }
}
