/**
 * The list of a data source's templates.
 *
 * @module
 */
import * as v from "valibot";
import { idInput } from "../../content/values/ids.ts";
import { indexIn } from "../../shared/text_search.ts";
import { pagination } from "../../api/shared/lists.ts";
import { own } from "../endpoint.ts";
import { findDefaultTemplate } from "./default_template.ts";

/** Any page can be a template, so only the default one belongs to its data source. */
export const listTemplates = own({
  method: "GET",
  path: "/v1/data_sources/:data_source_id/templates",
  operationId: "listTemplates",
  params: v.strictObject({ database_id: idInput }),
  query: v.strictObject({ ...pagination, name: v.exactOptional(v.string()) }),
  response: v.object({}),
  handle: async ({ params, query: { name = "" }, caller: { workspace } }, services) => {
    const page = await findDefaultTemplate(services, workspace, params.database_id);
    const isNamed = page !== undefined &&
      indexIn(page.title.toLowerCase(), name.toLowerCase()) >= 0;
    const templates = isNamed ? [{ id: page.id, name: page.title, is_default: true }] : [];
    return { body: JSON.stringify({ templates, has_more: false, next_cursor: null }) };
  },
});
