/**
 * Comments in requests.
 *
 * @module
 */
import * as v from "valibot";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { idInput } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { richTextInput, richTextIssues } from "../values/rich_text.ts";
import { byKey } from "../values/union.ts";

/** Files of one comment. */
const MAX_ATTACHMENTS = 3;

/** The page or block that a comment is on. */
const parentInput = byKey({
  page_id: v.strictObject({ type: v.exactOptional(v.literal("page_id")), page_id: idInput }),
  block_id: v.strictObject({ type: v.exactOptional(v.literal("block_id")), block_id: idInput }),
});

const attachmentInput = v.strictObject({
  type: v.exactOptional(v.literal("file_upload")),
  file_upload_id: idInput,
});

const displayNameInput = v.variant("type", [
  v.strictObject({ type: v.literal("integration") }),
  v.strictObject({ type: v.literal("user") }),
  v.strictObject({
    type: v.literal("custom"),
    custom: v.strictObject({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.optionName)),
    }),
  }),
]);
export type DisplayNameInput = v.InferOutput<typeof displayNameInput>;

const textInput = {
  rich_text: v.exactOptional(richTextInput),
  markdown: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.markdown))),
};

/** A new comment: on a page or block, or as a reply in a discussion. */
export const commentCreateInput = v.strictObject({
  parent: v.exactOptional(parentInput),
  discussion_id: v.exactOptional(idInput),
  ...textInput,
  attachments: v.exactOptional(v.pipe(v.array(attachmentInput), v.maxLength(MAX_ATTACHMENTS))),
  display_name: v.exactOptional(displayNameInput),
});
export type CommentCreateInput = v.InferOutput<typeof commentCreateInput>;

/** A new text of a comment. */
export const commentUpdateInput = v.strictObject(textInput);
export type CommentUpdateInput = v.InferOutput<typeof commentUpdateInput>;

/** All issues of a new comment that the schema cannot express. */
export function commentCreateIssues(input: CommentCreateInput): ValidationIssue[] {
  const { parent, discussion_id: discussion } = input;
  const issues = textIssues(input);
  if (parent === undefined && discussion === undefined) {
    issues.push(bodyIssue("/parent", { expected: "defined", received: undefined }));
  }
  if (parent !== undefined && discussion !== undefined) {
    const expected = "not present, as `parent` is given";
    issues.push(bodyIssue("/discussion_id", { expected, received: discussion }));
  }
  return issues;
}

/** All issues of the text of a comment that the schema cannot express. */
export function textIssues(
  { rich_text: richText, markdown }: CommentUpdateInput,
): ValidationIssue[] {
  if (richText === undefined && markdown === undefined) {
    return [bodyIssue("/rich_text", { expected: "defined", received: undefined })];
  }
  if (richText !== undefined && markdown !== undefined) {
    const expected = "not present, as `rich_text` is given";
    return [bodyIssue("/markdown", { expected, received: markdown })];
  }
  return richText === undefined ? [] : richTextIssues(richText, "/rich_text");
}
