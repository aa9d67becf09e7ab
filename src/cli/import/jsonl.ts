/**
 * Imports what `recto export --format jsonl` wrote, into any workspace of any Recto.
 *
 * @module
 */
import { parse } from "csv-parse/sync";
import { unflatten } from "../export/block_tree.ts";
import { MANIFEST } from "../export/jsonl_format.ts";
import type { ListedObject } from "../export/listing.ts";
import { objectAt, textAt } from "../transfer/json.ts";
import { ApiError } from "../transfer/api_error.ts";
import { forEachParallel } from "../transfer/parallel.ts";
import { readArchive } from "./jsonl/archive.ts";
import { appendTrees, type WaitingCopy } from "./jsonl/blocks.ts";
import { writeComments } from "./jsonl/comments.ts";
import { createImportRun, type ImportRun, refusalOf } from "./jsonl/import_run.ts";
import { writeLocks } from "./jsonl/locks.ts";
import { createObjects } from "./jsonl/objects.ts";
import { completeObjects } from "./jsonl/relations.ts";
import type { ImportContext, ImportSource } from "./source.ts";

/** The file that maps users, which an import of objects with authors takes. */
export const USERS_OPTION = { users: { type: "string" } } as const;

export const jsonlSource: ImportSource = {
  name: "JSON lines",
  usage: `  a folder written by \`recto export --format jsonl\`; IDs become new ones
    --users    CSV file with an old and a new user ID in each line (default: IDs stay)
`,
  options: USERS_OPTION,
  recognizes: isJsonl,
  run: importJsonl,
};

async function isJsonl(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(`${path}/${MANIFEST}`)).isFile;
  } catch (error) {
    const isOther = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (isOther) return false;
    throw error;
  }
}

async function importJsonl(path: string, context: ImportContext): Promise<boolean> {
  context.progress.begin("check the export");
  const archive = await readArchive(path);
  const run = createImportRun(context, archive, await readUsers(context.options.users));
  await noteUsers(run);
  const pending = await createObjects(run);
  await completeObjects(run, pending);
  await writeContents(run);
  await writeComments(run);
  await writeLocks(run);
  return true;
}

/** Reads the file of `--users`: new IDs by old IDs. */
export async function readUsers(file: string | boolean | undefined): Promise<Map<string, string>> {
  if (typeof file !== "string") return new Map();
  const text = await Deno.readTextFile(file);
  const records = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
  return new Map(records.map(([before = "", now = ""]) => [before.trim(), now.trim()]));
}

/** Users exist from their first call on; until then, content shows their ID alone. */
async function noteUsers({ archive, users, api, report }: ImportRun): Promise<void> {
  await forEachParallel(archive.users, api.parallel, async ([id, user]) => {
    try {
      await api.get(`/v2/users/${users.get(id) ?? id}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      report.alter(`${id} (${textAt(user, "name")})`, "is no user here: only the ID is kept");
    }
  });
}

/** Writes the blocks of all pages that the journal has not as written. */
export async function writeContents(run: ImportRun): Promise<void> {
  const pages = [...run.archive.objects.values()].filter(({ kind }) => kind === "page");
  const copies: WaitingCopy[] = [];
  run.progress.begin("write content", pages.length);
  await forEachParallel(pages, run.api.parallel, async (page) => {
    copies.push(...await writeContent(run, page));
    run.progress.advance();
  });
  await writeCopies(run, copies);
}

async function writeContent(run: ImportRun, { id }: ListedObject): Promise<WaitingCopy[]> {
  const done = `content ${id}`;
  const blocks = await run.archive.readBlocks(id);
  run.report.count("blocks", blocks.length);
  const copies: WaitingCopy[] = [];
  const hasCopies = blocks.some((block) =>
    textAt(objectAt(objectAt(block, "synced_block"), "synced_from"), "block_id") !== ""
  );
  // The journal has the place of each copy only through the blocks beside it.
  if (run.journal.get(done) !== undefined && !hasCopies) return copies;
  const content = { run: revised(run, id), pageId: id, copies, nextBatch: 0 };
  await appendTrees(content, run.idOf(id) ?? "", unflatten(blocks, id));
  run.journal.put(done, "done");
  return copies;
}

/** The requests of content that is written again have names of their own. */
function revised(run: ImportRun, pageId: string): ImportRun {
  const revision = run.journal.get(revisionKey(pageId));
  if (revision === undefined) return run;
  return { ...run, once: (name, write) => run.once(`${name} revision ${revision}`, write) };
}

/** Returns the key in the journal under which an import that replaces content counts. */
export function revisionKey(pageId: string): string {
  return `revision ${pageId}`;
}

/** Writes copies of synced blocks. Neighbours come last first, each after the same block. */
async function writeCopies(run: ImportRun, copies: readonly WaitingCopy[]): Promise<void> {
  for (const { parentId, after, block } of copies.toReversed()) {
    const id = textAt(block, "id");
    const from = textAt(objectAt(objectAt(block, "synced_block"), "synced_from"), "block_id");
    const original = run.journal.get(from);
    if (original === undefined) {
      run.report.omit(id, "a copy of a synced block that is not in the export");
      continue;
    }
    const position = after === undefined
      ? { type: "start" }
      : { type: "after_block", after_block: { id: after } };
    const copy = { synced_block: { synced_from: { block_id: original } } };
    try {
      await run.once(`copy ${id}`, async (key) => {
        const path = `/v2/blocks/${parentId}/children`;
        await run.api.patch(path, { children: [copy], position }, { key });
        return "done";
      });
    } catch (error) {
      run.report.omit(id, refusalOf(error));
    }
  }
}
