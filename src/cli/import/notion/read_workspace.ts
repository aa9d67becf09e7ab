/**
 * Reads what changed in a workspace of the vendor's API into a folder in the form of an export as
 * JSON lines. What the folder has already, and has not changed, is not read again, so that a
 * reading that was interrupted goes on.
 *
 * @module
 */
import { OperatorError } from "../../../store/operator_error.ts";
import { type BlockTree, flatten } from "../../export/block_tree.ts";
import type { ExportFolder } from "../../export/folder.ts";
import {
  COMMENTS,
  FILES,
  FOLDERS,
  FORMAT,
  MANIFEST,
  toLines,
  USERS,
  VERSION,
} from "../../export/jsonl_format.ts";
import type { ApiClient } from "../../transfer/api_client.ts";
import type { Journal } from "../../transfer/journal.ts";
import { type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import type { Progress } from "../../transfer/progress.ts";
import type { Report } from "../../transfer/report.ts";
import { createSourceFiles, type SourceFiles } from "./files.ts";
import { normalBlock, type Normalizer, normalRecord, withLinks } from "./normalize.ts";
import {
  type CommentMode,
  readList,
  readSourceComments,
  readTrees,
  withLongValues,
} from "./read_content.ts";
import { queryRows } from "./read_rows.ts";
import { createScope, isMissing, readOr, type Scope } from "./scope.ts";
import { type Stored, storedIn } from "./stored.ts";

export interface ReadOptions {
  readonly source: ApiClient;
  readonly folder: ExportFolder;
  /** Remembers the files that were downloaded. */
  readonly fileJournal: Journal;
  readonly progress: Progress;
  readonly report: Report;
  readonly roots: ReadonlySet<string>;
  readonly comments: CommentMode;
  /** Counts the readings of this folder; the manifest has it. */
  readonly generation: number;
  /**
   * True if the reading before came to its end, so that unchanged databases have all their rows.
   */
  readonly isIncremental: boolean;
}

/** Objects that were deleted there and are still to be moved to the trash here. */
export const DELETED = "deleted";

interface Reading extends ReadOptions {
  readonly scope: Scope;
  readonly files: SourceFiles;
  readonly normalizer: Normalizer;
  /** The objects that the folder had before. */
  readonly stored: ReadonlyMap<string, Stored>;
  readonly seen: Set<string>;
  /** Names of users, by ID. */
  readonly users: ReadonlyMap<string, JsonObject>;
}

/** Brings the folder up to date. */
export async function readWorkspace(options: ReadOptions): Promise<void> {
  const { folder, source, fileJournal, report, roots, progress } = options;
  progress.begin("list what is there");
  const listed = await listAll(options);
  const stored = storedIn(folder);
  const [first] = [...listed.values(), ...[...stored.values()].map(({ record }) => record)];
  const origin = URL.parse(textAt(first, "url"))?.origin ?? source.server;
  writeManifest(options, { origin, complete: false });
  const reading: Reading = {
    ...options,
    scope: createScope(source, roots),
    files: createSourceFiles({ source, folder, report, journal: fileJournal }),
    normalizer: { origin, report },
    stored,
    seen: new Set(),
    users: await readUsers(options),
  };
  requireAccess(reading, listed);
  if (options.comments === "pages") {
    report.alter(
      "comments on blocks",
      "are not read: use --comments all, a request for each block",
    );
  }
  for (const record of listed.values()) reading.scope.learn(record);
  progress.begin("read what changed", listed.size);
  await readObjects(reading, [...listed.values()]);
  await findRoots(reading);
  await settleMissing(reading);
  finishFolder(reading, origin);
}

/** Resolves to all objects that the search finds, the last edited first. */
async function listAll({ source, progress }: ReadOptions): Promise<Map<string, JsonObject>> {
  const sort = { timestamp: "last_edited_time", direction: "descending" };
  const found = new Map<string, JsonObject>();
  for (const record of await readList(source, "/v1/search", { sort, page_size: 100 })) {
    found.set(textAt(record, "id"), record);
    progress.advance();
  }
  return found;
}

async function readUsers({ source, report }: ReadOptions): Promise<Map<string, JsonObject>> {
  try {
    const users = await readList(source, "/v1/users?page_size=100");
    return new Map(users.map((user) => [textAt(user, "id"), user]));
  } catch (error) {
    if (!isMissing(error)) throw error;
    report.alter("users", "have no names, because the token may not read users");
    return new Map();
  }
}

/** A token that lost its access must not delete everything here. */
function requireAccess({ stored, roots }: Reading, listed: ReadonlyMap<string, JsonObject>): void {
  if (listed.size > 0 || roots.size > 0 || stored.size === 0) return;
  throw new OperatorError(
    "The token sees no page any more, so nothing was changed: share the pages with its integration",
  );
}

async function readObjects(reading: Reading, records: readonly JsonObject[]): Promise<void> {
  for (let open = records; open.length > 0;) {
    const found: JsonObject[] = [];
    await forEachParallel(open, reading.source.parallel, async (record) => {
      found.push(...await readObject(reading, record));
      reading.progress.advance();
    });
    open = found;
  }
}

/** Reads an object if it changed; resolves to objects that it leads to and that are not listed. */
async function readObject(reading: Reading, listed: JsonObject): Promise<JsonObject[]> {
  const { seen, scope } = reading;
  const id = textAt(listed, "id");
  if (seen.has(id) || isGone(listed)) return [];
  scope.learn(listed);
  if (!await scope.contains(listed)) return [];
  seen.add(id);
  const known = reading.stored.get(id);
  const isChanged = known === undefined || !known.isCurrent(listed);
  const record = await scope.placed(listed);
  if (listed.object === "database") return await readDatabase(reading, record, isChanged);
  return isChanged ? await readPage(reading, record) : [];
}

async function readDatabase(
  reading: Reading,
  record: JsonObject,
  isChanged: boolean,
): Promise<JsonObject[]> {
  const { source, stored, report } = reading;
  const id = textAt(record, "id");
  const readTime = new Date().toISOString();
  try {
    const since = reading.isIncremental ? stored.get(id)?.readTime : undefined;
    const rows = await queryRows(source, id, since);
    const path = `/v1/databases/${id}`;
    const written = isChanged ? record : stored.get(id)?.record ?? record;
    await writeObject(reading, { record: written, path, readTime });
    return rows;
  } catch (error) {
    if (!isMissing(error)) throw error;
    report.omit(id, "a database that the API does not answer for, such as a linked view");
    reading.seen.delete(id);
    return [];
  }
}

async function readPage(reading: Reading, record: JsonObject): Promise<JsonObject[]> {
  const { source, report, comments: mode, files, normalizer } = reading;
  const id = textAt(record, "id");
  // An edit while the page is read is found by the next reading.
  const readTime = new Date().toISOString();
  const trees = await readTrees(source, id);
  const found = flatten(trees);
  const parents = new Map<string, JsonObject>();
  for (const { block, children } of walk(trees)) {
    for (const child of children) {
      parents.set(textAt(child.block, "id"), { type: "block_id", block_id: block.id });
    }
  }
  const blocks = await Promise.all(found.map((block) => {
    const parent = parents.get(textAt(block, "id")) ?? { type: "page_id", page_id: id };
    const path = `/v1/blocks/${textAt(block, "id")}`;
    return files.withPaths(normalBlock(normalizer, block, parent), path);
  }));
  const blockIds = found.filter(({ type }) => type !== "child_page" && type !== "child_database")
    .map((block) => textAt(block, "id"));
  const comments = await readSourceComments(source, { pageId: id, blockIds, mode });
  if (comments === undefined) report.alter("comments", "are left out: the token may not read them");
  await writeComments(reading, id, comments ?? []);
  await writeObject(reading, {
    record: await withLongValues(source, record),
    path: `/v1/pages/${id}`,
    readTime,
    blocks,
  });
  return await foundObjects(reading, found);
}

function* walk(trees: readonly BlockTree[]): Generator<BlockTree> {
  for (const tree of trees) {
    yield tree;
    yield* walk(tree.children);
  }
}

/** The search may miss pages and databases that a page has in it. */
async function foundObjects(
  { source, seen, scope }: Reading,
  blocks: readonly JsonObject[],
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const { id, type } of blocks) {
    const kind = type === "child_page" ? "pages" : type === "child_database" ? "databases" : "";
    if (kind === "" || seen.has(String(id)) || scope.knows(String(id))) continue;
    const record = await readOr(source, `/v1/${kind}/${id}`, undefined);
    if (record !== undefined) found.push(record);
  }
  return found;
}

async function writeComments(
  { folder, files, normalizer, users }: Reading,
  pageId: string,
  comments: readonly JsonObject[],
): Promise<void> {
  const lines = await Promise.all(comments.map((comment) => {
    const author = users.get(textAt(objectAt(comment, "created_by"), "id"));
    const name = textAt(author, "name");
    const shown = { type: "user", resolved_name: name, ...objectAt(comment, "display_name") };
    const written = { ...withLinks(normalizer, comment), display_name: shown };
    return files.withPaths(written, `/v1/comments/${textAt(comment, "id")}`);
  }));
  const name = `${COMMENTS}/${pageId}.jsonl`;
  if (lines.length === 0) folder.remove(name);
  else folder.write(name, toLines(lines));
}

interface Written {
  readonly record: JsonObject;
  /** Reads the record. */
  readonly path: string;
  readonly readTime: string;
  readonly blocks?: readonly JsonObject[];
}

async function writeObject(
  { folder, files, normalizer }: Reading,
  { record, path, readTime, blocks = [] }: Written,
): Promise<void> {
  const id = textAt(record, "id");
  const kind = record.object === "database" ? "database" : "page";
  const normal = await files.withPaths(normalRecord(normalizer, record), path);
  const lines = [{ ...normal, read_time: readTime }, ...blocks];
  folder.write(`${FOLDERS[kind]}/${id}.jsonl`, toLines(lines));
  folder.remove(`${DELETED}/${id}.jsonl`);
}

function isGone(record: JsonObject): boolean {
  return record.in_trash === true || record.archived === true;
}

/** A root that the search does not find is asked for. */
async function findRoots(reading: Reading): Promise<void> {
  const { roots, seen, source } = reading;
  for (const id of roots) {
    if (seen.has(id)) continue;
    const record = await readOr(source, `/v1/pages/${id}`, undefined) ??
      await readOr(source, `/v1/databases/${id}`, undefined);
    if (record === undefined && !reading.stored.has(id)) {
      throw new OperatorError(`--root: the token sees no page or database with the ID ${id}`);
    }
    if (record !== undefined) await readObjects(reading, [record]);
  }
}

/** Asks for each object that was not found: it is deleted, or the list has not got it yet. */
async function settleMissing(reading: Reading): Promise<void> {
  const { stored, seen, source, folder } = reading;
  const missing = [...stored].filter(([id]) => !seen.has(id));
  reading.progress.begin("find what was deleted", missing.length);
  await forEachParallel(missing, source.parallel, async ([id, { record }]) => {
    const kind = record.object === "database" ? "database" : "page";
    const now = await readOr(source, `/v1/${FOLDERS[kind]}/${id}`, undefined);
    if (now !== undefined && !isGone(now)) await readObjects(reading, [now]);
    reading.progress.advance();
    if (seen.has(id)) return;
    folder.write(`${DELETED}/${id}.jsonl`, toLines([{ id, object: kind }]));
    folder.remove(`${FOLDERS[kind]}/${id}.jsonl`);
    folder.remove(`${COMMENTS}/${id}.jsonl`);
  });
}

const USER = /"object":"user","id":"([0-9a-f-]{36})"/g;
const FILE = /"path":"files\/([0-9a-f-]{36})\//g;

/** Lists the files and users that the content names, removes other files, and ends the manifest. */
function finishFolder(reading: Reading, origin: string): void {
  const { folder, files, users } = reading;
  const texts = [...Object.values(FOLDERS), COMMENTS].flatMap((name) => folder.list(name))
    .map((name) => folder.read(name) ?? "");
  const named = (pattern: RegExp): string[] =>
    [
      ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, id = ""]) => id))),
    ].sort();
  const kept = named(FILE).flatMap((id) => files.get(id) ?? []);
  folder.write(FILES, toLines(kept));
  const people = named(USER).map((id) => users.get(id) ?? { object: "user", id, name: "" });
  folder.write(USERS, toLines(people));
  const paths = new Set(kept.map(({ path }) => path));
  for (const path of folder.all("files/")) if (!paths.has(path)) folder.remove(path);
  writeManifest(reading, { origin, complete: true });
}

function writeManifest(
  { folder, roots, generation }: ReadOptions,
  { origin, complete }: { readonly origin: string; readonly complete: boolean },
): void {
  const manifest = {
    format: FORMAT,
    version: VERSION,
    origin,
    root: [...roots].join(",") || null,
    complete,
    pages: folder.list(FOLDERS.page).length,
    databases: folder.list(FOLDERS.database).length,
    generation,
  };
  folder.write(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}
