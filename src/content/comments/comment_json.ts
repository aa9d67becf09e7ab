/**
 * Comments in the form of replies.
 *
 * @module
 */
import * as v from "valibot";
import type { CommentView } from "../schema/comment.ts";
import { fileAddress } from "../values/hosted_files.ts";
import { idOutput } from "../values/ids.ts";
import { richText } from "../values/rich_text.ts";
import { partialUser, toPartialUser } from "../values/users.ts";
import { type CommentDoc, parseCommentDoc } from "./comment_doc.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

/** The output schema of a comment. */
export const comment = v.object({
  object: v.literal("comment"),
  id: idOutput,
  parent: v.variant("type", [
    v.object({ type: v.literal("page_id"), page_id: idOutput }),
    v.object({ type: v.literal("block_id"), block_id: idOutput }),
  ]),
  discussion_id: idOutput,
  created_time: time,
  last_edited_time: time,
  created_by: partialUser,
  rich_text: richText,
  display_name: v.object({
    type: v.picklist(["integration", "user", "custom"]),
    resolved_name: v.nullable(v.string()),
  }),
  attachments: v.array(v.object({
    category: v.picklist(["audio", "image", "pdf", "productivity", "video"]),
    file: fileAddress,
  })),
});

/** Names of users by ID; null if a user has none. */
export type UserNames = ReadonlyMap<string, string | null>;

/**
 * The comment as JSON text. `doc` is its document with mentions filled in; the files in it still have
 * to be.
 */
export function commentJson(view: CommentView, doc: string, names: UserNames): string {
  const { rich_text, attachments, display_name } = parseCommentDoc(doc);
  const parent = view.nodeKind === "page"
    ? { type: "page_id", page_id: view.nodeId }
    : { type: "block_id", block_id: view.nodeId };
  return JSON.stringify({
    object: "comment",
    id: view.id,
    parent,
    discussion_id: view.discussionId,
    created_time: new Date(view.createdTime).toISOString(),
    last_edited_time: new Date(view.editedTime).toISOString(),
    created_by: toPartialUser(view.createdBy),
    rich_text,
    display_name: {
      type: display_name.type,
      resolved_name: nameOf(display_name, names.get(view.createdBy)),
    },
    attachments: attachments.map(({ category, file }) => ({ category, file })),
  });
}

function nameOf(
  name: CommentDoc["display_name"],
  author: string | null | undefined,
): string | null {
  return name.type === "custom" ? name.name : author ?? null;
}
