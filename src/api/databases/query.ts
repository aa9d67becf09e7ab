/**
 * Asking a database for its rows.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { createRowReader } from "../../content/databases/row_cells.ts";
import type { Schema } from "../../content/schema/property.ts";
import {
  createAnswerBudget,
  isExhausted,
  LimitError,
  lookWork,
  MAX_LOOKS,
} from "../../content/formulas/compute_budget.ts";
import { idInput } from "../../content/values/ids.ts";
import { fitting } from "../../content/values/page_end.ts";
import { page } from "../../content/pages/page_json.ts";
import { onlyNamed, propertyFinder } from "../../content/properties/mod.ts";
import { readFilter } from "../../content/query/conditions.ts";
import { fieldsIn } from "../../content/query/fields.ts";
import type { Filter, RowCursor, Sort } from "../../content/query/filter.ts";
import { type FilterInput, queryInput, type SortInput } from "../../content/query/input.ts";
import type { QuerySchema } from "../../content/query/scope.ts";
import { readSorts } from "../../content/query/sorts.ts";
import { wantsTrash } from "../../content/values/trash.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { FoundRow } from "../../store/port.ts";
import type { Database } from "../shared/database_cache.ts";
import { findDatabase } from "./endpoints.ts";
import {
  cursorInput,
  listJson,
  listSchema,
  pageSizeOf,
  pagination,
  propertyFilter,
} from "../shared/lists.ts";
import { createRest, type Rest } from "../shared/yield_to_event_loop.ts";
import { rowJsons } from "./rows.ts";
import { type RowSearch, searchRows } from "./computed_query.ts";
import { define, type Services } from "../shared/services.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { loadEvaluationInput } from "./evaluation_input.ts";

/** A list of pages. */
export const pageList = listSchema("page_or_database", page);

const trashed = v.pipe(v.boolean(), v.description("True lists the rows in the trash instead."));

/** Which rows are asked for. */
export const databaseQueryInput = v.strictObject({
  ...queryInput,
  ...pagination,
  start_cursor: v.exactOptional(v.nullable(cursorInput(MAX_CURSOR_LENGTH))),
  archived: v.exactOptional(trashed),
  in_trash: v.exactOptional(trashed),
});

export const queryEndpoints = [
  define({
    method: "POST",
    path: "/v2/databases/:database_id/query",
    operationId: "queryDatabase",
    tag: "Databases",
    summary: "Query a database's rows",
    description:
      "Finds rows by a filter, in an order, page by page. Rows that come or go between two pages neither repeat nor hide another.",
    params: v.strictObject({
      database_id: v.pipe(idInput, v.description("Id of the database.")),
    }),
    query: v.strictObject(propertyFilter),
    body: databaseQueryInput,
    response: pageList,
    handle: queryRows,
  }),
];

type QueryCall = Call<
  { readonly database_id: string },
  { readonly filter_properties?: string[] },
  v.InferOutput<typeof databaseQueryInput>
>;

async function queryRows(call: QueryCall, services: Services): Promise<Reply> {
  const { body, query, caller: { workspace }, now, requestId } = call;
  const { cursors } = services;
  const database = await findDatabase(services, workspace, call.params.database_id);
  const names = query.filter_properties;
  if (names !== undefined) onlyNamed(database.doc.properties, names);
  // To check a large body took long already, and to prepare its statements will.
  const rest = createRest();
  await rest(call.isLarge);
  const order = readQuery(body, scopeOf(database, now));
  await rest(call.isLarge);
  const list = listName(workspace, database.node.id, body);
  const limit = pageSizeOf(body);
  const after = placeIn(body.start_cursor, (cursor) => cursors.open(cursor, list));
  const found = await findRows(services, call.caller, {
    query: {
      databaseId: database.node.id,
      inTrash: wantsTrash(body) ?? false,
      ...order,
      ...(after !== undefined && { after }),
      limit: limit + 1,
    },
    ...{ database, order, now },
  });
  const shown = fitting(found.slice(0, limit), ({ node }) => node.doc.length);
  const nodes = shown.map(({ node }) => node);
  const jsons = await rowJsons(services, workspace, { database, nodes, names, now });
  const results = fitting(jsons, (json) => json.length);
  const last = found.length > results.length ? shown[results.length - 1] : undefined;
  return {
    body: listJson({
      type: "page_or_database",
      results,
      nextCursor: last === undefined ? null : cursors.seal(JSON.stringify(last.cursor), list),
      requestId,
    }),
  };
}

interface RowsAsked extends Viewing {
  readonly query: RowSearch["query"];
}

/** The rows of a page and the next, read in slices where it takes long. */
function findRows(
  services: Services,
  { workspace, userId }: QueryCall["caller"],
  { query, ...viewing }: RowsAsked,
): Promise<readonly FoundRow[]> {
  return services.longReads(`${workspace}\n${userId}`, async (pause) => {
    const rest = createRest(pause);
    try {
      return await searchRows({
        ...{ store: services.store, workspace, query, rest },
        pacing: { pause, work: lookWork() },
        view: viewer(services, workspace, { ...viewing, rest }),
      });
    } catch (error) {
      if (error instanceof LimitError) throw tooManyLooks(viewing.order);
      throw error;
    }
  });
}

/** Which rows, in which order. */
interface Order {
  readonly filter: Filter | undefined;
  readonly sorts: readonly Sort[];
}

/** What a query means; throws `validation_error` with all its faults. */
function readQuery(
  { filter, sorts = [] }: { readonly filter?: FilterInput; readonly sorts?: readonly SortInput[] },
  scope: QuerySchema,
): Order {
  const issues: ValidationIssue[] = [];
  const order = {
    filter: filter && readFilter(filter, scope, issues),
    sorts: readSorts(sorts, scope, issues),
  };
  if (issues.length > 0) throw validationError(issues);
  return order;
}

function scopeOf({ node, doc, computing }: Database, now: number): QuerySchema {
  return {
    find: propertyFinder(doc.properties),
    kindOf: (property) => computing(node.id, property).kind,
    target: (property) => computing(node.id, property).rollup?.target,
    now,
  };
}

/** Names the list that a cursor belongs to: who asks what of which database. */
function listName(
  workspace: string,
  id: string,
  { filter, sorts, archived, in_trash }: QueryCall["body"],
): string {
  const asked = JSON.stringify([filter, sorts, in_trash ?? archived ?? false]);
  const digest = createHash("sha256").update(asked).digest("base64url");
  return `query ${workspace} ${id} ${digest}`;
}

function placeIn(
  cursor: string | null | undefined,
  open: (cursor: string) => string,
): RowCursor | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  // Sound because the cursor opened, so it was sealed here around a place.
  return JSON.parse(open(cursor)) as RowCursor;
}

interface Viewing {
  readonly database: Database;
  readonly order: Order;
  readonly now: number;
}

/** Computes what a query asks of rows. */
function viewer(
  { store }: Services,
  workspace: string,
  { database, order, now, rest }: Viewing & { readonly rest: Rest },
): RowSearch["view"] {
  const schema = database.doc.properties;
  // Of all rows together, and apart from what the answer then takes.
  const work = createAnswerBudget();
  const wanted = askedFor(schema, order);
  return async (rows: readonly FoundRow[]) => {
    const nodes = rows.map(({ node }) => node);
    const input = await loadEvaluationInput(store, workspace, {
      ...{ database, nodes, wanted, byName: true },
      ...{ work, now, rest },
    });
    const read = createRowReader(schema, await evaluateRows(input, rest));
    // A list that goes by missing values would lack rows, and nobody could tell.
    if (isExhausted(work)) throw tooMuchWork(order);
    return nodes.flatMap(({ id }) => {
      const row = input.rows.get(id);
      return row === undefined ? [] : [read(row)];
    });
  };
}

function tooManyLooks(order: Order): Error {
  return validationError([{
    pointer: pointerOf(order),
    detail: `The query looks at too many rows times conditions and sorts: at most ${MAX_LOOKS}. ` +
      "Use fewer conditions, or add one that few rows fulfil.",
  }]);
}

function pointerOf({ filter }: Order): string {
  return filter === undefined ? "/sorts" : "/filter";
}

function tooMuchWork(order: Order): Error {
  return validationError([{
    pointer: pointerOf(order),
    detail: "To compute what the query looks at takes too much work over so many rows: " +
      "filter by properties that are not computed first.",
  }]);
}

/** Ids of the properties that a filter or an order looks at. */
function askedFor(schema: Schema, { filter, sorts }: Order): ReadonlySet<string> {
  const fields = [...sorts.map(({ field }) => field), ...(filter ? fieldsIn(filter) : [])];
  const relations = fields.flatMap((field) =>
    field.kind !== "links"
      ? []
      : schema.filter((property) =>
        property.type === "relation" && property.relationId === field.relationId
      )
  );
  return new Set([
    ...relations.map(({ id }) => id),
    ...fields.flatMap((field) => "propertyId" in field ? [field.propertyId] : []),
  ]);
}
