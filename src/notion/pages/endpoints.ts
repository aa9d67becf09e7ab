/**
 * Pages, with what the vendor added after version 2022-06-28.
 *
 * @module
 */
import * as v from "valibot";
import { page as pageSchema } from "../../content/pages/page_json.ts";
import { idInput } from "../../content/values/ids.ts";
import { propertyFilter } from "../../api/shared/lists.ts";
import { own } from "../endpoint.ts";
import { createPage } from "./create.ts";
import { moveInput, notionPageCreateInput, notionPageUpdateInput } from "./input.ts";
import { movePage } from "./move.ts";
import { updatePage } from "./update.ts";

const params = v.strictObject({ page_id: idInput });
const filter = v.strictObject(propertyFilter);

export const pageEndpoints = [
  own({
    method: "POST",
    path: "/v1/pages",
    operationId: "createPage",
    query: filter,
    body: notionPageCreateInput,
    response: pageSchema,
    handle: createPage,
  }),
  own({
    method: "PATCH",
    path: "/v1/pages/:page_id",
    operationId: "updatePage",
    params,
    query: filter,
    body: notionPageUpdateInput,
    response: pageSchema,
    handle: updatePage,
  }),
  own({
    method: "POST",
    path: "/v1/pages/:page_id/move",
    operationId: "movePage",
    params,
    body: moveInput,
    response: pageSchema,
    handle: movePage,
  }),
];
