/**
 * Pages that are no rows, as the answer to a request.
 *
 * @module
 */
import type { NodeView } from "../content/node.ts";
import { filterProperties, pageJson } from "../content/page_json.ts";
import { nodeEtag, readDocs } from "./nodes.ts";
import type { TaggedReply } from "./rendered.ts";
import type { Services } from "./services.ts";

/** The answer of a page that is no row, with all its properties or those of these names. */
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
      doc: names === undefined ? doc : filterProperties(doc, names),
    }),
    etag: nodeEtag(services, node, doc),
  };
}
