/**
 * Removes the content of a page that is written again.
 *
 * @module
 */
import { type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import { forgetComment } from "../jsonl/comments.ts";
import type { ImportRun } from "../jsonl/import_run.ts";
import { revisionKey } from "../jsonl.ts";

/** Moves the blocks of a page here to the trash, but for pages and databases, and forgets them. */
export async function resetContent(
  run: ImportRun,
  pageId: string,
  generation: number,
): Promise<void> {
  const { api, journal, archive } = run;
  const old: string[] = [];
  for await (const block of api.list(`/v2/blocks/${run.idOf(pageId)}/children`)) {
    if (!isObjectBlock(block)) old.push(textAt(block, "id"));
  }
  await forEachParallel(old, api.parallel, async (id) => {
    await api.delete(`/v2/blocks/${id}`);
  });
  for (const block of await archive.readBlocks(pageId)) {
    const id = textAt(block, "id");
    if (!isObjectBlock(block) && archive.originals.has(id)) journal.forget(id);
    journal.forget(`copy ${id}`);
  }
  if (archive.commented.includes(pageId)) await forgetComments(run, pageId);
  journal.forget(`content ${pageId}`);
  journal.put(revisionKey(pageId), String(generation));
}

function isObjectBlock({ type }: JsonObject): boolean {
  return type === "child_page" || type === "child_database";
}

/** Comments on blocks go to the trash with them. */
async function forgetComments(run: ImportRun, pageId: string): Promise<void> {
  for (const comment of await run.archive.readComments(pageId)) {
    if (textAt(objectAt(comment, "parent"), "type") !== "block_id") continue;
    forgetComment(run, comment);
  }
}
