/**
 * Members of requests on pages that the vendor added after version 2022-06-28.
 *
 * @module
 */
import * as v from "valibot";
import {
  type PageCreateInput,
  pageCreateInput,
  pageUpdateInput,
} from "../../content/pages/pages.ts";
import { pageParentInput } from "../../content/schema/parents.ts";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import type { SiblingPosition } from "../../store/port.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";

const timezone = v.exactOptional(v.pipe(v.string(), v.maxLength(64)));
const byId = v.strictObject({ type: v.literal("template_id"), template_id: idInput, timezone });
const byDefault = v.strictObject({ type: v.literal("default"), timezone });
const templateInput = v.variant("type", [
  byId,
  byDefault,
  v.strictObject({ type: v.literal("none") }),
]);
export type TemplateInput = v.InferOutput<typeof templateInput>;

const positionInput = v.variant("type", [
  v.strictObject({ type: v.literal("page_start") }),
  v.strictObject({ type: v.literal("page_end") }),
  v.strictObject({ type: v.literal("after_block"), after_block: v.strictObject({ id: idInput }) }),
]);

/** Which properties a reply has. */
export interface FilterQuery {
  readonly filter_properties?: readonly string[];
}

/** A new page. */
export const notionPageCreateInput = v.strictObject({
  ...pageCreateInput.entries,
  properties: v.optional(pageCreateInput.entries.properties, {}),
  template: v.exactOptional(templateInput),
  position: v.exactOptional(positionInput),
  // Every page is complete in the reply.
  allow_async: v.exactOptional(v.boolean()),
});
export type NotionPageCreateInput = v.InferOutput<typeof notionPageCreateInput>;

/** Changes to a page. */
export const notionPageUpdateInput = v.strictObject({
  ...pageUpdateInput.entries,
  is_locked: v.exactOptional(v.boolean()),
  template: v.exactOptional(v.variant("type", [byId, byDefault])),
  erase_content: v.exactOptional(v.boolean()),
});
export type NotionPageUpdateInput = v.InferOutput<typeof notionPageUpdateInput>;

/** The new parent of a page. */
export const moveInput = v.strictObject({ parent: pageParentInput });
export type MoveInput = v.InferOutput<typeof moveInput>;

/** Returns the ID of the database that is the parent of a new page; undefined if it is none. */
export function parentDatabaseOf({ parent }: Pick<PageCreateInput, "parent">): string | undefined {
  return "database_id" in parent ? parent.database_id : undefined;
}

/** Returns whether a request names a template. */
export function namesTemplate(
  template: TemplateInput | undefined,
): template is Exclude<TemplateInput, { readonly type: "none" }> {
  return template !== undefined && template.type !== "none";
}

/** Returns the place of a new page among the blocks of its parent. */
export function placeOf({ position }: Pick<NotionPageCreateInput, "position">): SiblingPosition {
  if (position?.type === "after_block") return { after: normalizeId(position.after_block.id) };
  return position?.type === "page_start" ? "start" : "end";
}

/** All issues of the added members of a new page. */
export function extraIssues(
  { template, position, parent, ...body }: NotionPageCreateInput,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const isTemplated = namesTemplate(template);
  for (const name of ["children", "content", "markdown"] as const) {
    if (!isTemplated || body[name] === undefined) continue;
    const expected = "not present, as `template` is given";
    issues.push(bodyIssue(`/${name}`, { expected, received: body[name] }));
  }
  if (position !== undefined && !("page_id" in parent)) {
    const expected = "not present unless the parent is a page";
    issues.push(bodyIssue("/position", { expected, received: position }));
  }
  return issues;
}
