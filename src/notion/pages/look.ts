/**
 * The look of a page: icon, cover, lock and properties, as replies have them and requests accept.
 *
 * @module
 */
import type { PageCreateInput } from "../../content/pages/pages.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { findDatabase } from "../../api/databases/endpoints.ts";
import { rowReply } from "../../api/databases/rows.ts";
import { pageReply } from "../../api/pages/reply.ts";
import type { Services } from "../../api/shared/services.ts";

/** Icon, cover, lock and properties of a page. Computed properties are among them. */
export interface Look extends Required<Pick<PageCreateInput, "icon" | "cover" | "properties">> {
  readonly is_locked: boolean;
}

/** Reads what a page looks like. */
export async function readLook(
  services: Services,
  workspace: string,
  { page, now }: { readonly page: NodeView; readonly now: number },
): Promise<Look> {
  const { body } = page.parentKind === "database" && page.parentId !== null
    ? await rowReply(services, workspace, {
      database: await findDatabase(services, workspace, page.parentId),
      node: page,
      now,
    })
    : await pageReply(services, workspace, page);
  // Sound because values are read in a form that is written, but for computed ones.
  const { icon, cover, properties, is_locked = false } = JSON.parse(String(body)) as Look;
  return { icon, cover, properties, is_locked };
}
