/**
 * The page that new rows of a database are copied from by default.
 *
 * @module
 */
import { findDatabase } from "../../api/databases/endpoints.ts";
import type { Services } from "../../api/shared/services.ts";
import type { NodeView } from "../../content/schema/node.ts";

/** Returns the default template of a database; undefined if it has none, or none outside the trash. */
export async function findDefaultTemplate(
  services: Services,
  workspace: string,
  databaseId: string,
): Promise<NodeView | undefined> {
  const { doc } = await findDatabase(services, workspace, databaseId);
  const { default_template_id: id } = doc;
  const page = id === undefined ? undefined : await services.store.node(workspace, id);
  return page?.kind === "page" && page.trashRoot === null ? page : undefined;
}
