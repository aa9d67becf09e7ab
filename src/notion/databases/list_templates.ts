/**
 * The list of a data source's templates.
 *
 * @module
 */
import * as v from "valibot";
import { idInput } from "../../content/values/ids.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { pagination } from "../../api/shared/lists.ts";
import type { Services } from "../../api/shared/services.ts";
import { own } from "../endpoint.ts";

/** Any page can be a template, so none belongs to a data source. */
const NO_TEMPLATES = { templates: [], has_more: false, next_cursor: null };

/** Declares the endpoint; `read` is the one that reads the database. */
export function templateList(read: Endpoint<Services>): Endpoint<Services> {
  return own({
    method: "GET",
    path: "/v1/data_sources/:data_source_id/templates",
    operationId: "listTemplates",
    params: v.strictObject({ database_id: idInput }),
    query: v.strictObject({ ...pagination, name: v.exactOptional(v.string()) }),
    response: v.object({}),
    handle: async (call, services) => {
      await read.handle({ ...call, query: undefined }, services);
      return { body: JSON.stringify(NO_TEMPLATES) };
    },
  });
}
