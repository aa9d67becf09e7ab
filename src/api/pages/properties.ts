/**
 * Reads one property of a page, item by item.
 *
 * @module
 */
import * as v from "valibot";
import { idInput } from "../../content/values/ids.ts";
import {
  isListed,
  itemList,
  itemsOf,
  propertyAnswer,
  wholeItem,
} from "../../content/properties/property_items.ts";
import { parsePageDoc } from "../../content/pages/pages.ts";
import { findProperty, findValue, type PropertyValue } from "../../content/properties/mod.ts";
import type { CollectedValue } from "../../content/properties/registry.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { notFound } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { Database } from "../shared/database_cache.ts";
import { findDatabase } from "../databases/endpoints.ts";
import * as example from "../shared/examples.ts";
import { pageSizeOf, type Pagination, pagination } from "../shared/lists.ts";
import { findNode, readDocs, withUsers } from "../shared/nodes.ts";
import { PAGES } from "./endpoints.ts";
import { define, type Services } from "../shared/services.ts";
import { withStableSchemas } from "../shared/stable_schemas.ts";
import { withFiles } from "../shared/uploads.ts";
import { evaluateRows } from "../databases/evaluate_rows.ts";
import { loadEvaluationInput } from "../databases/evaluation_input.ts";

export const propertyEndpoints = [
  define({
    method: "GET",
    path: "/v2/pages/:page_id/properties/:property_id",
    operationId: "getPageProperty",
    tag: PAGES,
    summary: "Read one property of a page",
    description:
      "Reads one property of a page or row by ID or name. The values of `title`, `rich_text`, `people`, `relation` and `rollup` come as a list of items, page by page; all others as one item.",
    params: v.strictObject({
      page_id: v.pipe(idInput, v.description("ID of the page.")),
      property_id: v.pipe(
        v.string(),
        v.maxLength(2_000),
        v.description("ID or name of the property."),
      ),
    }),
    query: v.strictObject(pagination),
    response: propertyAnswer,
    example: {
      response: {
        ...example.row.properties.Count,
        object: "property_item",
        request_id: example.REQUEST,
      },
    },
    handle: (call, services) =>
      services.longReads(call.caller, (pause) =>
        withStableSchemas(
          services,
          call.caller.workspace,
          (reading) => readProperty({ ...call, pause }, reading.services),
          { rowsFirst: true },
        )),
  }),
];

interface PropertyCall extends
  Call<
    { readonly page_id: string; readonly property_id: string },
    Pagination,
    unknown
  > {
  readonly pause: () => Promise<void>;
}

async function readProperty(call: PropertyCall, services: Services): Promise<Reply> {
  const { params, query, caller: { workspace }, requestId } = call;
  const { cursors, publicUrl } = services;
  const node = await findNode(services, workspace, { kind: "page", id: params.page_id });
  const { value, collected } = await valueOf(call, services, node);
  const filled = async (body: object): Promise<Reply> => {
    const withNames = await withUsers(services, workspace, [JSON.stringify(body)]);
    const [text = ""] = await withFiles(services, workspace, withNames);
    return { body: text };
  };
  if (!isListed(value)) return filled({ ...wholeItem(value), request_id: requestId });
  const list = `property ${workspace} ${node.id} ${value.id}`;
  const start = query.start_cursor === undefined
    ? 0
    : Number(cursors.open(query.start_cursor, list));
  const end = start + pageSizeOf(query);
  const items = itemsOf(value, collected);
  const cursor = end < items.length ? cursors.seal(String(end), list) : undefined;
  const path = `${publicUrl}/v2/pages/${node.id}/properties/${value.id}`;
  const next = cursor === undefined
    ? undefined
    : { cursor, url: `${path}?start_cursor=${cursor}${sizeIn(query)}` };
  return filled({ ...itemList(value, items.slice(start, end), next), request_id: requestId });
}

function sizeIn({ page_size }: Pagination): string {
  return page_size === undefined ? "" : `&page_size=${page_size}`;
}

interface ValueResult {
  readonly value: PropertyValue;
  /** The values that a rollup collected. */
  readonly collected?: readonly CollectedValue[] | undefined;
}

/** Returns the value of the property that a call names. Throws `object_not_found`. */
async function valueOf(
  { params, caller: { workspace }, pause, now }: PropertyCall,
  services: Services,
  node: NodeView,
): Promise<ValueResult> {
  const [doc = node.doc] = await readDocs(services, workspace, [node]);
  const found = node.parentKind === "database" && node.parentId !== null
    ? await rowValue(services, workspace, {
      database: await findDatabase(services, workspace, node.parentId),
      node: { ...node, doc },
      nameOrId: params.property_id,
      pause,
      now,
    })
    : pageValue(doc, params.property_id);
  if (found === undefined) throw notFound("property", params.property_id);
  return found;
}

function pageValue(doc: string, nameOrId: string): ValueResult | undefined {
  const value = findValue(parsePageDoc(doc).properties, nameOrId);
  return value && { value };
}

interface RowValue {
  readonly database: Database;
  readonly node: NodeView;
  readonly nameOrId: string;
  readonly pause: () => Promise<void>;
  readonly now: number;
}

async function rowValue(
  { store }: Services,
  workspace: string,
  { database, node, nameOrId, pause, now }: RowValue,
): Promise<ValueResult | undefined> {
  const property = findProperty(database.doc.properties, nameOrId);
  if (property === undefined) return undefined;
  const wanted = new Set([property.id]);
  const input = await loadEvaluationInput(store, workspace, {
    database,
    nodes: [node],
    wanted,
    pause,
    now,
  });
  const [row] = input.requested;
  if (row === undefined) throw new Error(`Row ${node.id} is not loaded`);
  const evaluation = await evaluateRows(input);
  return {
    value: evaluation.valueOf(row, property),
    collected: property.type === "rollup" ? evaluation.collected(row, property) : undefined,
  };
}
