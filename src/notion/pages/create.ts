/**
 * Creates pages, also from a template and at a place among the blocks of their parent.
 *
 * @module
 */
import { decideCreate } from "../../api/pages/create.ts";
import { currentPageReply } from "../../api/pages/endpoints.ts";
import { type FirstContent, readContent } from "../../api/pages/first_content.ts";
import { withEnhanced } from "../enhanced_markdown.ts";
import type { Services } from "../../api/shared/services.ts";
import { writePrepared } from "../../api/shared/write.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { validationError } from "../../shared/errors.ts";
import { filterReply } from "./filter_reply.ts";
import {
  extraIssues,
  type FilterQuery,
  namesTemplate,
  type NotionPageCreateInput,
  parentDatabaseOf,
  placeOf,
} from "./input.ts";
import { contentOf, findTemplate, withTemplate } from "./template.ts";

/** Creates a page. */
export function createPage(
  call: Call<unknown, FilterQuery, NotionPageCreateInput>,
  services: Services,
): Promise<Reply> {
  const issues = extraIssues(call.body);
  if (issues.length > 0) throw validationError(issues);
  const { template, position: _, allow_async: __, ...body } = call.body;
  const { filter_properties: names } = call.query;
  const options = { place: placeOf(call.body) };
  // The copy of a template yields to other requests like a large body.
  const isLarge = call.isLarge || namesTemplate(template);
  return writePrepared({ ...call, body, isLarge }, services, async (judged) => {
    const { caller: { workspace }, now } = judged;
    const databaseId = parentDatabaseOf(body);
    const found = await findTemplate(services, workspace, { template, databaseId });
    if (found === undefined) {
      const content = await readContent(services, { ...judged, body: withEnhanced(judged.body) });
      return async (checked, own) =>
        filterReply(await decideCreate(checked, own, content, options), names);
    }
    return async (checked, own) => {
      const filled = await withTemplate(own, workspace, {
        template: found,
        body: checked.body,
        now,
      });
      const content: FirstContent = {
        frontMatter: undefined,
        nodes: ({ pageId, ...target }) => contentOf(found, { ...target, to: pageId }),
      };
      const filledCall = { ...checked, body: filled };
      const decision = await decideCreate(filledCall, own, content, options);
      return filterReply(decision, names);
    };
  }, {
    current: (call, services, id) => currentPageReply(call, services, id, names),
  });
}
