/**
 * Comments on pages and blocks.
 *
 * @module
 */
import * as v from "valibot";
import { editComment, newComment, toDisplayName } from "../../content/comments/comment.ts";
import {
  type CommentCreateInput,
  commentCreateInput,
  commentCreateIssues,
  type CommentUpdateInput,
  commentUpdateInput,
  textIssues,
} from "../../content/comments/comment_input.ts";
import { comment as commentSchema } from "../../content/comments/comment_json.ts";
import { categoryOf, type StoredAttachment } from "../../content/comments/comment_doc.ts";
import { textOfBlocks } from "../../content/comments/markdown_text.ts";
import type { CommentView } from "../../content/schema/comment.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { fromUpload } from "../../content/values/hosted_files.ts";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import { LIMITS } from "../../content/values/limits.ts";
import { type RichText, toRichText } from "../../content/values/rich_text.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { notFound, validationError } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { editOf, requireAlive } from "../../api/shared/edits.ts";
import { listSchema, pagination } from "../../api/shared/lists.ts";
import { bodyEtag, findNode } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import { write, type WriteDecision, writePrepared } from "../../api/shared/write.ts";
import { own } from "../endpoint.ts";
import { listComments } from "./list.ts";
import { commentJsons } from "./reply.ts";

const params = v.strictObject({ comment_id: idInput });

export const commentEndpoints = [
  own({
    method: "GET",
    path: "/v1/comments",
    operationId: "listComments",
    // `page_id` is an addition: with the comments on all blocks of the page, so that an export need not
    // ask for each block.
    query: v.strictObject({
      block_id: v.exactOptional(idInput),
      page_id: v.exactOptional(idInput),
      ...pagination,
    }),
    response: listSchema("comment", commentSchema),
    handle: listComments,
  }),
  own({
    method: "POST",
    path: "/v1/comments",
    operationId: "createComment",
    body: commentCreateInput,
    response: commentSchema,
    handle: createComment,
  }),
  own({
    method: "GET",
    path: "/v1/comments/:comment_id",
    operationId: "getComment",
    params,
    response: commentSchema,
    handle: async (call, services) => {
      const body = await commentBody(call, services, await findComment(call, services));
      return { body, etag: bodyEtag(services, body) };
    },
  }),
  own({
    method: "PATCH",
    path: "/v1/comments/:comment_id",
    operationId: "updateComment",
    params,
    body: commentUpdateInput,
    response: commentSchema,
    handle: updateComment,
  }),
  own({
    method: "DELETE",
    path: "/v1/comments/:comment_id",
    operationId: "deleteComment",
    params,
    response: commentSchema,
    handle: (call, services) => write(call, services, decideDelete),
  }),
];

type CreateCall = Call<unknown, unknown, CommentCreateInput>;

function createComment(call: CreateCall, services: Services): Promise<Reply> {
  const { attachments = [], ...body } = call.body;
  // In the form in which a write looks for uploads.
  const files = attachments.map(({ file_upload_id: id }) => ({ file_upload: { id } }));
  return writePrepared({ ...call, body: { ...body, files } }, services, async (checked) => {
    const issues = commentCreateIssues(checked.body);
    if (issues.length > 0) throw validationError(issues);
    const text = await readText(checked, services);
    return (judged, own) => decideCreate(judged, own, text);
  });
}

interface WithFiles {
  readonly files: readonly { readonly file_upload: { readonly id: string } }[];
}

type DecidedCall = Pick<CreateCall, "caller" | "now"> & {
  readonly body: Omit<CommentCreateInput, "attachments"> & WithFiles;
};

async function decideCreate(
  call: DecidedCall,
  services: Services,
  richText: RichText,
): Promise<WriteDecision> {
  const { body, caller: { workspace, userId } } = call;
  const { node, discussionId } = await placeOf(call, services);
  requireAlive(node);
  const [user] = await services.store.users(workspace, [userId]);
  const comment = newComment({
    id: services.newId(),
    discussionId,
    node,
    doc: {
      rich_text: richText,
      attachments: await attachmentsOf(services, workspace, body),
      display_name: toDisplayName(body.display_name, user?.type ?? "person"),
    },
    edit: editOf(call),
  });
  const view: CommentView = { ...comment, nodeKind: node.kind, inTrash: false };
  return {
    changes: [{ op: "createComment", comment }],
    reply: await taggedReply(call, services, view),
  };
}

/** Returns the node of a new comment, and the discussion that it begins or replies to. */
async function placeOf(
  { body: { parent, discussion_id: replied }, caller: { workspace } }: DecidedCall,
  services: Services,
): Promise<{ readonly node: NodeView; readonly discussionId: string }> {
  if (parent !== undefined) {
    const [kind, id] = "page_id" in parent
      ? ["page", parent.page_id] as const
      : ["block", parent.block_id] as const;
    const node = await findNode(services, workspace, { kind, id, pointer: `/parent/${kind}_id` });
    return { node, discussionId: services.newId() };
  }
  const discussionId = normalizeId(replied ?? "");
  const first = await services.store.discussionStart(workspace, discussionId);
  if (first === undefined) throw notFound("discussion", discussionId);
  const node = await findNode(services, workspace, { kind: "block", id: first.nodeId });
  return { node, discussionId };
}

async function attachmentsOf(
  { store }: Services,
  workspace: string,
  { files }: WithFiles,
): Promise<StoredAttachment[]> {
  const hosted = files.map(({ file_upload }) => fromUpload(file_upload));
  if (hosted.length === 0) return [];
  const uploads = await store.uploads(workspace, hosted.map(({ upload }) => upload));
  const types = new Map(uploads.map(({ id, contentType }) => [id, contentType]));
  return hosted.map((file) => ({ category: categoryOf(types.get(file.upload) ?? null), file }));
}

type TextCall = Pick<Call<unknown, unknown, CommentUpdateInput>, "body" | "caller">;

/** Returns the text of a comment, from rich text or Markdown. */
async function readText({ body, caller }: TextCall, services: Services): Promise<RichText> {
  const { rich_text: richText = [], markdown } = body;
  if (markdown === undefined) return toRichText(richText);
  const { nodes } = await services.readMarkdown(markdown, caller);
  const text = textOfBlocks(nodes);
  if (text.length <= LIMITS.array) return text;
  const expected = `of at most ${LIMITS.array} pieces of text in different styles`;
  throw validationError([bodyIssue("/markdown", { expected, received: markdown })]);
}

type CommentCall<Body = unknown> = Call<{ readonly comment_id: string }, unknown, Body>;

/** Returns the comment that a call names. Throws `object_not_found`. */
async function findComment(
  { params, caller: { workspace } }: Pick<CommentCall, "params" | "caller">,
  { store }: Services,
): Promise<CommentView> {
  const id = normalizeId(params.comment_id);
  const [comment] = await store.commentsById(workspace, [id]);
  if (comment === undefined) throw notFound("comment", id);
  return comment;
}

function updateComment(
  call: CommentCall<CommentUpdateInput>,
  services: Services,
): Promise<Reply> {
  return writePrepared(call, services, async (checked) => {
    const issues = textIssues(checked.body);
    if (issues.length > 0) throw validationError(issues);
    const text = await readText(checked, services);
    return (judged, own) => decideUpdate(judged, own, text);
  });
}

async function decideUpdate(
  call: CommentCall,
  services: Services,
  richText: RichText,
): Promise<WriteDecision> {
  const comment = await currentComment(call, services);
  await requireLivingNode(call, services, comment);
  const edit = editOf(call);
  const change = editComment(comment, richText, edit);
  const { doc, hasMentions } = change;
  const changed = { ...comment, doc, hasMentions, editedTime: edit.time, editedBy: edit.by };
  return { changes: [change], reply: await taggedReply(call, services, changed) };
}

async function decideDelete(call: CommentCall, services: Services): Promise<WriteDecision> {
  const comment = await currentComment(call, services);
  await requireLivingNode(call, services, comment);
  const { id, pageId, version } = comment;
  return {
    changes: [{ op: "deleteComment", id, pageId, version, time: call.now }],
    reply: await taggedReply(call, services, comment),
  };
}

/** Returns the comment that a call names, after checking its preconditions. */
async function currentComment(call: CommentCall, services: Services): Promise<CommentView> {
  const comment = await findComment(call, services);
  call.requireMatch(bodyEtag(services, await commentBody(call, services, comment)));
  return comment;
}

async function requireLivingNode(
  { caller: { workspace } }: Pick<CommentCall, "caller">,
  services: Services,
  { nodeId }: CommentView,
): Promise<void> {
  requireAlive(await findNode(services, workspace, { kind: "block", id: nodeId }));
}

async function commentBody(
  { caller: { workspace } }: Pick<CommentCall, "caller">,
  services: Services,
  comment: CommentView,
): Promise<string> {
  const [json = ""] = await commentJsons(services, workspace, [comment]);
  return json;
}

async function taggedReply(
  call: Pick<CommentCall, "caller">,
  services: Services,
  comment: CommentView,
): Promise<WriteDecision["reply"]> {
  const body = await commentBody(call, services, comment);
  return { body, etag: bodyEtag(services, body) };
}
