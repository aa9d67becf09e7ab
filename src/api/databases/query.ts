/**
 * Queries: the rows of a database by filter and sort order.
 *
 * @module
 */
import { hash } from "node:crypto";
import * as v from "valibot";
import { createRowReader } from "../../content/databases/row_cells.ts";
import type { Schema } from "../../content/schema/property.ts";
import {
  createReplyBudget,
  createScanBudget,
  isExhausted,
  LimitError,
  MAX_ROW_SCANS,
} from "../../content/formulas/compute_budget.ts";
import { idInput } from "../../content/values/ids.ts";
import { fitting } from "../../content/values/page_end.ts";
import { page } from "../../content/pages/page_json.ts";
import { onlyNamed, propertyFinder } from "../../content/properties/mod.ts";
import { readFilter } from "../../content/query/read_filter.ts";
import { fieldsIn } from "../../content/query/fields.ts";
import type { RowCursor } from "../../content/query/filter.ts";
import { type FilterInput, queryInput, type SortInput } from "../../content/query/input.ts";
import type { QuerySchema } from "../../content/query/query_schema.ts";
import { readSorts } from "../../content/query/read_sorts.ts";
import { wantsTrash } from "../../content/values/trash.ts";
import { validationError } from "../../shared/errors.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { FieldPath } from "../../http/redact.ts";
import type { FoundRow, ListedRow, RowListing } from "../../store/port.ts";
import type { Database } from "../shared/database_cache.ts";
import { component } from "../../shared/component.ts";
import { DATABASES, findDatabase } from "./endpoints.ts";
import * as example from "../shared/examples.ts";
import { guardedQueryIssues } from "../shared/guarded_fields.ts";
import {
  cursorInput,
  listJson,
  listSchema,
  pageSizeOf,
  pagination,
  propertyFilter,
} from "../shared/lists.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import { createRowTexts } from "./listed_rows.ts";
import { computedIn, type Order, withMaterialized } from "./materialized_order.ts";
import { rowJsons } from "./rows.ts";
import { createRollupKeys } from "./rollup_keys.ts";
import { type RowSearch, searchRows } from "./computed_query.ts";
import { define, type Services } from "../shared/services.ts";
import { type SchemaReading, withStableSchemas } from "../shared/stable_schemas.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { loadEvaluationInput } from "./evaluation_input.ts";

const pageList = component(
  listSchema("page_or_database", page),
  "PageList",
  "One page of a list of pages.",
);

const trashed = v.pipe(
  v.boolean(),
  v.description("If true, returns the rows in the trash instead of the others."),
);

const databaseQueryInput = v.strictObject({
  ...queryInput,
  ...pagination,
  start_cursor: v.exactOptional(v.nullable(cursorInput(MAX_CURSOR_LENGTH))),
  archived: v.exactOptional(trashed),
  in_trash: v.exactOptional(trashed),
});
component(
  databaseQueryInput,
  "DatabaseQueryInput",
  "Filter, sort criteria and pagination for the rows of a database. All are optional.",
);

export const queryEndpoints = [
  define({
    method: "POST",
    path: "/v2/databases/:database_id/query",
    readsOnly: true,
    operationId: "queryDatabase",
    tag: DATABASES,
    summary: "Query a database's rows",
    description:
      "Returns the rows of a database that match a filter, in the order of the sort criteria, up to 100 per page of the list. If rows are added or removed while you page through the list, no other row is skipped or repeated.",
    params: v.strictObject({
      database_id: v.pipe(idInput, v.description("ID of the database.")),
    }),
    query: v.strictObject(propertyFilter),
    body: databaseQueryInput,
    response: pageList,
    example: {
      request: {
        filter: {
          and: [
            { property: "Count", number: { greater_than: 2 } },
            { property: "State", select: { equals: "open" } },
          ],
        },
        sorts: [{ property: "Bird", direction: "ascending" }],
        page_size: 50,
      },
      response: example.list("page_or_database", [example.row]),
    },
    handle: queryRows,
  }),
];

type QueryCall = Call<
  { readonly database_id: string },
  { readonly filter_properties?: string[] },
  v.InferOutput<typeof databaseQueryInput>
>;

function queryRows(call: QueryCall, services: Services): Promise<Reply> {
  return withStableSchemas(
    services,
    call.caller.workspace,
    (reading) => queryOnce(call, services, reading),
  );
}

async function queryOnce(
  call: QueryCall,
  current: Services,
  { services, waive }: SchemaReading,
): Promise<Reply> {
  const { body, query, caller: { workspace }, now, requestId } = call;
  const { cursors } = services;
  const database = await findDatabase(services, workspace, call.params.database_id);
  const names = query.filter_properties;
  if (names !== undefined) onlyNamed(database.doc.properties, names);
  // Validating a large body took long, and preparing its statements will.
  const rest = createRest();
  await rest(call.isLarge);
  const order = readQuery(body, querySchemaOf(database, now), call.hidden);
  await rest(call.isLarge);
  const { materializer } = services;
  const databaseId = database.node.id;
  const name = listName(workspace, databaseId, body);
  const limit = pageSizeOf(body);
  const after = placeIn(body.start_cursor, (cursor) => cursors.open(cursor, name));
  const texts = createRowTexts(services, workspace, { database, now });
  const outdated = database.doc.materialized?.filter(({ state }) => state === "dropped") ?? [];
  materializer.materialize(workspace, databaseId, outdated.map(({ propertyId }) => propertyId));
  const find = (ready: Order) =>
    findRows(services, call.caller, {
      query: {
        databaseId,
        inTrash: wantsTrash(body) ?? false,
        ...ready,
        ...(after !== undefined && { after }),
        limit: limit + 1,
      },
      database,
      order,
      now,
      isKnown: names === undefined ? texts.isKnown : () => false,
      shown: limit,
      many: {
        from: materializer.from,
        reached: () => materializer.materialize(workspace, databaseId, computedIn(order)),
      },
    });
  const found = await findMaterialized(current, workspace, { database, order, find });
  // Reading long rows took long, and printing them will.
  await rest();
  const shown = fitting(found.slice(0, limit), ({ node }) => node?.doc.length ?? 0);
  const nodes = shown.flatMap(({ node }) => node ?? []);
  // Rows that are known were printed by this schema before.
  if (nodes.length === 0 && shown.length > 0) waive();
  const jsons = await services.longReads(call.caller, async (pause) => {
    if (names !== undefined) {
      return await rowJsons(services, workspace, { database, nodes, names, pause, now });
    }
    await texts.print(nodes, pause);
    return shown.map(({ cursor }) => texts.textOf(cursor.id));
  });
  await rest();
  const results = fitting(jsons, (json) => json.length);
  const last = found.length > results.length ? shown[results.length - 1] : undefined;
  return {
    body: listJson({
      type: "page_or_database",
      results,
      nextCursor: last === undefined ? null : cursors.seal(JSON.stringify(last.cursor), name),
      requestId,
    }),
  };
}

/** Attempts to read materialized values while others edit the database. */
const ATTEMPTS = 3;

interface MaterializedSearch {
  readonly database: Database;
  readonly order: Order;
  readonly find: (ready: Order) => Promise<readonly ListedRow[]>;
}

/**
 * Finds rows by materialized values where there are any. Finds them again if the database was edited
 * meanwhile: the values may have been dropped and deleted before all of them were read.
 */
async function findMaterialized(
  services: Services,
  workspace: string,
  { database, order, find }: MaterializedSearch,
): Promise<readonly ListedRow[]> {
  let current = database;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ready = withMaterialized(order, current.doc, services.materializer.release);
    const found = await find(ready);
    if (ready === order) return found;
    const { version, id } = current.node;
    current = await findDatabase(services, workspace, id);
    if (current.node.version === version) return found;
  }
  return await find(order);
}

interface RowQuery extends QueryContext, Pick<RowListing, "isKnown">, Pick<RowSearch, "many"> {
  readonly query: RowSearch["query"];
  /** How many of the rows the reply shows. */
  readonly shown: number;
}

/** Returns the rows of a page and one more. Long reads pause in between. */
function findRows(
  services: Services,
  caller: QueryCall["caller"],
  { query, isKnown, shown, many, ...viewing }: RowQuery,
): Promise<readonly ListedRow[]> {
  const { workspace, userId } = caller;
  return services.longReads(caller, async (pause) => {
    const rest = createRest(pause);
    try {
      return await searchRows({
        store: services.store,
        workspace,
        query,
        isKnown,
        shown,
        many,
        rest,
        // Pauses within the store count as well.
        pacing: { userId, pause: async () => await rest(true), budget: createScanBudget() },
        rollups: createRollupKeys(services, workspace, { ...viewing, rest }),
        view: rowViewer(services, workspace, { ...viewing, rest }),
      });
    } catch (error) {
      if (error instanceof LimitError) throw tooManyLooks(viewing.order);
      throw error;
    }
  });
}

/** Parses a query. Throws `validation_error` with all its issues. */
function readQuery(
  { filter, sorts = [] }: { readonly filter?: FilterInput; readonly sorts?: readonly SortInput[] },
  scope: QuerySchema,
  hidden: readonly FieldPath[],
): Order {
  const issues = guardedQueryIssues(hidden, { filter, sorts });
  const order = {
    filter: filter && readFilter(filter, scope, issues),
    sorts: readSorts(sorts, scope, issues),
  };
  if (issues.length > 0) throw validationError(issues);
  return order;
}

/** Returns the schema that filters and sorts of a database are resolved against. */
export function querySchemaOf(
  { node, doc, compile: computing }: Database,
  now: number,
): QuerySchema {
  return {
    find: propertyFinder(doc.properties),
    kindOf: (property) => computing(node.id, property).kind,
    target: (property) => computing(node.id, property).rollup?.target,
    now,
  };
}

/** Names the list that a cursor belongs to, by workspace, database and query. */
function listName(
  workspace: string,
  id: string,
  { filter, sorts, archived, in_trash }: QueryCall["body"],
): string {
  const question = JSON.stringify([filter, sorts, in_trash ?? archived ?? false]);
  const digest = hash("sha256", question, "base64url");
  return `query ${workspace} ${id} ${digest}`;
}

function placeIn(
  cursor: string | null | undefined,
  open: (cursor: string) => string,
): RowCursor | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  // Sound because a cursor that opens was sealed by this service.
  return JSON.parse(open(cursor)) as RowCursor;
}

interface QueryContext {
  readonly database: Database;
  readonly order: Order;
  readonly now: number;
}

/** Returns a function that computes the values that a query needs. */
export function rowViewer(
  { store }: Services,
  workspace: string,
  { database, order, now, rest }: QueryContext & { readonly rest: Rest },
): RowSearch["view"] {
  const schema = database.doc.properties;
  // For all rows together, separate from the budget of the response.
  const work = createReplyBudget();
  const wanted = askedFor(schema, order);
  return async (rows: readonly FoundRow[]) => {
    const nodes = rows.map(({ node }) => node);
    const input = await loadEvaluationInput(store, workspace, {
      database,
      nodes,
      wanted,
      byName: true,
      work,
      now,
      rest,
    });
    const read = createRowReader(schema, await evaluateRows(input, rest));
    // With missing values the list would silently lack rows.
    if (isExhausted(work)) throw tooMuchWork(order);
    return input.requested.map(read);
  };
}

function tooManyLooks(order: Order): Error {
  return validationError([{
    pointer: pointerOf(order),
    detail:
      `The query examines too many rows times conditions and sorts: at most ${MAX_ROW_SCANS}. ` +
      "Use fewer conditions, or add one that few rows meet.",
  }]);
}

function pointerOf({ filter }: Order): string {
  return filter === undefined ? "/sorts" : "/filter";
}

function tooMuchWork(order: Order): Error {
  return validationError([{
    pointer: pointerOf(order),
    detail: "The query uses formulas or rollups that take too much work for this many rows: " +
      "add a condition on a property that is not computed.",
  }]);
}

/** Returns the IDs of the properties that filter and sort criteria use. */
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
