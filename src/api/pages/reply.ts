/**
 * Replies with pages that are not rows.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import { filterProperties, pageJson } from "../../content/pages/page_json.ts";
import { nodeEtag, readDocs } from "../shared/nodes.ts";
import type { TaggedReply } from "../shared/page_reply_cache.ts";
import type { Services } from "../shared/services.ts";

/** Returns the reply with a page, with all its properties or the named ones. */
export async function pageReply(
  services: Services,
  workspace: string,
  node: NodeView,
  names?: readonly string[],
): Promise<TaggedReply> {
  const [doc = node.doc] = await readDocs(services, workspace, [node]);
  return {
    body: pageJson(node, {
      publicUrl: services.publicUrl,
      pageUrl: services.pageUrl,
      doc: names === undefined ? doc : filterProperties(doc, names),
    }),
    etag: nodeEtag(services, node, doc),
  };
}
