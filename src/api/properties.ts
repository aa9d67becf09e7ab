/**
 * One property of a page, item by item.
 *
 * @module
 */
import * as v from "valibot";
import { idInput } from "../content/ids.ts";
import { propertyItemList, titleItemList, titleItems } from "../content/property_items.ts";
import { parsePageDoc } from "../content/pages.ts";
import { findProperty } from "../content/properties.ts";
import { notFound } from "../errors.ts";
import { pageSizeOf, pagination } from "./lists.ts";
import { findNode, readDocs } from "./nodes.ts";
import { define } from "./services.ts";

export const propertyEndpoints = [
  define({
    method: "GET",
    path: "/v2/pages/:page_id/properties/:property_id",
    operationId: "getPageProperty",
    tag: "Pages",
    summary: "Read one property of a page",
    description: "Reads a property by id or name; the title's items come page by page.",
    params: v.strictObject({
      page_id: v.pipe(idInput, v.description("Id of the page.")),
      property_id: v.pipe(
        v.string(),
        v.maxLength(2_000),
        v.description("Id or name of the property."),
      ),
    }),
    query: v.strictObject(pagination),
    response: propertyItemList,
    handle: async ({ params, query, caller, requestId }, services) => {
      const { workspace } = caller;
      const node = await findNode(services, workspace, { kind: "page", id: params.page_id });
      const [doc = node.doc] = await readDocs(services, workspace, [node]);
      const property = findProperty(parsePageDoc(doc).properties, params.property_id);
      if (property === undefined) throw notFound("property", params.property_id);
      const { cursors, publicUrl } = services;
      const list = `property ${workspace} ${node.id} ${property.id}`;
      const start = query.start_cursor === undefined
        ? 0
        : Number(cursors.open(query.start_cursor, list));
      const end = start + pageSizeOf(query);
      const items = titleItems(property.title);
      const cursor = end < items.length ? cursors.seal(String(end), list) : undefined;
      const path = `${publicUrl}/v2/pages/${node.id}/properties/${property.id}`;
      const next = cursor && { cursor, url: `${path}?start_cursor=${cursor}` };
      return {
        body: {
          ...titleItemList(items.slice(start, end), next || undefined),
          request_id: requestId,
        },
      };
    },
  }),
];
