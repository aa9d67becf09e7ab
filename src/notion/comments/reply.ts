/**
 * Replies with comments.
 *
 * @module
 */
import { commentJson } from "../../content/comments/comment_json.ts";
import type { CommentView } from "../../content/schema/comment.ts";
import { readDocs } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";

/** Returns comments as JSON text, in the same order, with a few queries for all of them. */
export async function commentJsons(
  services: Services,
  workspace: string,
  comments: readonly CommentView[],
): Promise<string[]> {
  const authors = [...new Set(comments.map(({ createdBy }) => createdBy))];
  const [docs, users] = await Promise.all([
    readDocs(services, workspace, comments),
    services.store.users(workspace, authors),
  ]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const rest = createRest();
  const jsons: string[] = [];
  for (const [index, comment] of comments.entries()) {
    jsons.push(commentJson(comment, docs[index] ?? comment.doc, names));
    await rest();
  }
  return jsons;
}
