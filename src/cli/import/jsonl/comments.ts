/**
 * Writes the comments of pages and databases, once the blocks are there.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { ApiError, isMissingRoute } from "../../transfer/api_error.ts";
import { type JsonObject, objectAt, objectsAt, textAt } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import { type ImportRun, refusalOf } from "./import_run.ts";
import { userId, writtenText } from "./values.ts";

/** Writes all comments: those of an object one after the other, because replies need the first. */
export async function writeComments(run: ImportRun): Promise<void> {
  const objects = [...run.archive.commented];
  if (objects.length === 0) return;
  run.progress.begin("write comments", objects.length);
  const { id: me } = await run.api.get("/v2/users/me");
  await forEachParallel(objects, run.api.parallel, async (objectId) => {
    for (const comment of await run.archive.readComments(objectId)) {
      await writeComment(run, comment, String(me));
    }
    run.progress.advance();
  });
}

async function writeComment(run: ImportRun, comment: JsonObject, me: string): Promise<void> {
  const id = textAt(comment, "id");
  const place = placeOf(run, comment);
  if (place === undefined) {
    run.report.omit(id, "a comment on a block that is not in the export");
    return;
  }
  try {
    const discussion = await run.once(`comment ${id}`, async (key) => {
      const body = { ...place, ...await writtenComment(run, comment, me) };
      const created = await run.api.post("/v1/comments", body, { key });
      rememberText(run, comment, textAt(created, "id"));
      return textAt(created, "discussion_id");
    });
    await updateText(run, comment);
    const started = discussionKey(comment);
    if (run.journal.get(started) === undefined) run.journal.put(started, discussion);
    run.report.count("comments");
  } catch (error) {
    const isMissing = isMissingRoute(error);
    run.report.omit(id, isMissing ? "comments need a server that serves /v1" : refusalOf(error));
  }
}

/** Writes the text of a comment again if it has changed since it was written. */
async function updateText(run: ImportRun, comment: JsonObject): Promise<void> {
  const id = textAt(comment, "id");
  const [here, written] = run.journal.get(textKey(id))?.split(" ") ?? [];
  if (here === undefined || written === textHash(comment)) return;
  try {
    const { items } = writtenText(run, comment.rich_text, id);
    await run.api.patch(`/v1/comments/${here}`, { rich_text: items });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    run.report.alter(id, "a comment that was changed there is deleted here, and stays so");
  }
  rememberText(run, comment, here);
}

/** `here` is the ID of the comment here. */
function rememberText({ journal }: ImportRun, comment: JsonObject, here: string): void {
  journal.put(textKey(textAt(comment, "id")), `${here} ${textHash(comment)}`);
}

function textHash({ rich_text }: JsonObject): string {
  return createHash("sha256").update(JSON.stringify(rich_text)).digest("base64url");
}

function textKey(id: string): string {
  return `text of comment ${id}`;
}

/** Forgets a comment, which is deleted here, so that it is written again. */
export function forgetComment({ journal }: Pick<ImportRun, "journal">, comment: JsonObject): void {
  const id = textAt(comment, "id");
  for (const key of [`comment ${id}`, textKey(id), discussionKey(comment)]) journal.forget(key);
}

/** Returns where a comment goes: to the discussion that an earlier one began, or to its page or block. */
function placeOf(run: ImportRun, comment: JsonObject): JsonObject | undefined {
  const discussion = run.journal.get(discussionKey(comment));
  if (discussion !== undefined) return { discussion_id: discussion };
  const parent = objectAt(comment, "parent");
  const type = textAt(parent, "type");
  const id = run.idOf(textAt(parent, type));
  return id === undefined ? undefined : { parent: { [type]: id } };
}

/** Returns the key in the journal of the discussion here. */
function discussionKey(comment: JsonObject): string {
  return `discussion ${textAt(comment, "discussion_id")}`;
}

/** UTF-16 code units of a custom name. */
const MAX_NAME = 100;

/** A comment of somebody else keeps the name of its author, because it cannot keep the author. */
async function writtenComment(
  run: ImportRun,
  comment: JsonObject,
  me: string,
): Promise<JsonObject> {
  const id = textAt(comment, "id");
  const shown = objectAt(comment, "display_name");
  const author = userId(run, textAt(objectAt(comment, "created_by"), "id"));
  const type = textAt(shown, "type");
  const name = textAt(shown, "resolved_name").slice(0, MAX_NAME).replace(/[\uD800-\uDBFF]$/, "");
  const isOwn = author === me && type !== "custom";
  const attachments: JsonObject[] = [];
  for (const attachment of objectsAt(comment, "attachments")) {
    const path = textAt(objectAt(attachment, "file"), "path");
    if (path === "") run.report.omit(id, "the file of a comment is missing in the export");
    else attachments.push({ file_upload_id: await run.upload(path) });
  }
  return {
    rich_text: writtenText(run, comment.rich_text, id).items,
    ...(attachments.length > 0 && { attachments }),
    ...(isOwn && { display_name: { type } }),
    ...(!isOwn && name !== "" && { display_name: { type: "custom", custom: { name } } }),
  };
}
