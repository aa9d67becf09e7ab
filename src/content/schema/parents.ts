/**
 * Parents in requests and responses.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { idInput, idOutput, normalizeId } from "../values/ids.ts";
import type { Node, ParentKind } from "./node.ts";
import { byKey } from "../values/union.ts";

const workspace = v.literal(true);

/** The parent of a new page. */
export const pageParentInput = byKey({
  page_id: v.strictObject({ type: v.exactOptional(v.literal("page_id")), page_id: idInput }),
  database_id: v.strictObject({
    type: v.exactOptional(v.literal("database_id")),
    database_id: idInput,
  }),
  workspace: v.strictObject({ type: v.exactOptional(v.literal("workspace")), workspace }),
});
component(
  pageParentInput,
  "PageParentInput",
  "Where to create the page: in a page, in a database as a row, or at the top level of the workspace.",
);
export type PageParentInput = v.InferOutput<typeof pageParentInput>;

/** The output schema of a parent. */
export const parent = v.variant("type", [
  v.object({ type: v.literal("database_id"), database_id: idOutput }),
  v.object({ type: v.literal("page_id"), page_id: idOutput }),
  v.object({ type: v.literal("block_id"), block_id: idOutput }),
  v.object({ type: v.literal("workspace"), workspace }),
]);
component(parent, "Parent", "The page, database, block or workspace that contains the object.");

/** The parent of a page; the workspace has no id. */
export interface PageParent {
  readonly kind: Exclude<ParentKind, "block">;
  readonly id: string | null;
}

/** The parent that an input refers to. */
export function toParent(input: PageParentInput): PageParent {
  if ("page_id" in input) return { kind: "page", id: normalizeId(input.page_id) };
  if ("database_id" in input) return { kind: "database", id: normalizeId(input.database_id) };
  return { kind: "workspace", id: null };
}

/** The parent of a node, as JSON text. */
export function parentJson({ parentKind, parentId }: Node): string {
  if (parentKind === "workspace") return `{"type":"workspace","workspace":true}`;
  const type = `${parentKind}_id`;
  return `{"type":"${type}","${type}":"${parentId}"}`;
}
