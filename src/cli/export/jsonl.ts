/**
 * Exports a workspace as JSON lines: one file for each page or database, complete but for what the
 * API does not tell. `recto import` takes it back.
 *
 * @module
 */
import * as v from "valibot";
import { OperatorError } from "../../store/operator_error.ts";
import { type JsonObject, textAt } from "../transfer/json.ts";
import { forEachParallel } from "../transfer/parallel.ts";
import { flatten, readBlockTrees } from "./block_tree.ts";
import { readComments } from "./comments.ts";
import { countObject, type ExportContext } from "./context.ts";
import { type EarlierObject, findOutdated, idsIn, type IsOutdated, shownTitle } from "./earlier.ts";
import { createFileCollector, type FileCollector, replaceFiles } from "./files.ts";
import { type ExportFolder, openExportFolder, requireOwnFolder } from "./folder.ts";
import {
  COMMENTS,
  FILES,
  fileSchema,
  FOLDERS,
  FORMAT,
  MANIFEST,
  type Manifest,
  manifestSchema,
  toLines,
  USERS,
  VERSION,
} from "./jsonl_format.ts";
import { type ListedObject, type Listing, listObjects, toListed } from "./listing.ts";
import { createUserReader, type UserReader } from "./users.ts";

/** Exports to a folder that is new, empty, or an earlier export as JSON lines. */
export async function exportJsonl(path: string, context: ExportContext): Promise<void> {
  await requireOwnFolder(path, MANIFEST);
  const folder = await openExportFolder(path);
  requireFormat(folder, context.since);
  const listing = await listObjects(context.api, context);
  if (context.root !== undefined && listing.size === 0) {
    throw new OperatorError(`--root: no page or database has the ID ${context.root}`);
  }
  const manifest = manifestOf(listing, context);
  writeManifest(folder, { ...manifest, complete: false });
  const earlier = readEarlier(folder);
  const readUser = createUserReader(context.api);
  const isOutdated = context.since === undefined ? () => true : await findOutdated(listing, {
    since: context.since,
    earlier,
    shownOf: shownTitle,
    shownUser: async (id) => shownUser(await readUser(id)),
    showsEdits: true,
  });
  const files = createFileCollector({ ...context, folder, earlier: readFiles(folder) });
  await writeObjects({ context, folder, files, isOutdated, readUser, users: new Set() }, listing);
  for (const id of earlier.keys()) {
    if (!listing.has(id)) removeObject(folder, id);
  }
  writeManifest(folder, manifest);
}

interface Writing {
  readonly context: ExportContext;
  readonly folder: ExportFolder;
  readonly files: FileCollector;
  readonly isOutdated: IsOutdated;
  readonly readUser: UserReader;
  /** IDs of all users that were found. */
  readonly users: Set<string>;
}

async function writeObjects(writing: Writing, listing: Listing): Promise<void> {
  const { context: { api, progress }, folder, files } = writing;
  const before = readFiles(folder);
  progress.begin("export pages and databases", listing.size);
  await forEachParallel(listing.values(), api.parallel, async (object) => {
    await writeObject(writing, object);
    progress.advance();
  });
  const exported = files.files();
  writing.context.report.count("files", exported.length);
  const kept = new Set(exported.map(({ path }) => path));
  folder.write(FILES, toLines(exported));
  folder.write(USERS, toLines(await readUsers(writing)));
  for (const { path } of before) {
    if (!kept.has(path)) folder.remove(path);
  }
}

async function writeObject(writing: Writing, object: ListedObject): Promise<void> {
  const { context: { report }, folder, isOutdated, users } = writing;
  const name = fileOf(object);
  const content = object.kind === "database"
    ? []
    : isOutdated(object)
    ? await readContent(writing, object)
    : keptContent(writing, object);
  const text = toLines([await withPaths(writing, object.record, object.id), ...content]);
  const comments = await readCommentLines(writing, object);
  folder.write(name, text);
  if (comments === "") folder.remove(commentsOf(object));
  else folder.write(commentsOf(object), comments);
  for (const [, id = ""] of (text + comments).matchAll(USER)) users.add(id);
  countObject(report, object);
  report.count("blocks", content.length);
}

/** Reads comments each time, because they do not change when their page was edited. */
async function readCommentLines(writing: Writing, object: ListedObject): Promise<string> {
  const { api, report } = writing.context;
  const comments = await readComments(api, object);
  if (comments === undefined) {
    report.alter("comments", "are not exported, because the server does not serve /v1");
    return "";
  }
  report.count("comments", comments.length);
  return toLines(
    await Promise.all(comments.map((comment) => withPaths(writing, comment, object.id))),
  );
}

/** Mentions show all that is known of a user. */
function shownUser(user: JsonObject | undefined): string {
  return JSON.stringify(user ?? null);
}

/** Every mention of a user in a block of the API. */
const MENTIONED = /"type":"user","user":\{"object":"user","id":"([0-9a-f-]{36})"/g;

/** Every reference to a user in an object of the API. */
const USER = /"object":"user","id":"([0-9a-f-]{36})"/g;

async function readContent(writing: Writing, { id }: ListedObject): Promise<JsonObject[]> {
  const blocks = flatten(await readBlockTrees(writing.context.api, id));
  return await Promise.all(blocks.map((block) => withPaths(writing, block, id)));
}

/** Returns the blocks of an earlier export, and keeps their files. */
function keptContent(writing: Writing, object: ListedObject): JsonObject[] {
  const text = writing.folder.read(fileOf(object)) ?? "";
  const blocks = text.split("\n").slice(1, -1).map((line): JsonObject => JSON.parse(line));
  for (const [, id = ""] of text.matchAll(FILE)) writing.files.keep(id);
  return blocks;
}

/** Every reference to a file in an exported object. */
const FILE = /"path":"files\/([0-9a-f-]{36})\//g;

/** Replaces the URLs of files, which expire, by paths. */
function withPaths(
  { files }: Writing,
  record: JsonObject,
  where: string,
): Promise<JsonObject> {
  return replaceFiles(record, async (url) => {
    const file = await files.collect(url, where);
    return { path: file?.path ?? null };
  });
}

function fileOf({ kind, id }: ListedObject): string {
  return `${FOLDERS[kind]}/${id}.jsonl`;
}

function commentsOf({ id }: Pick<ListedObject, "id">): string {
  return `${COMMENTS}/${id}.jsonl`;
}

function removeObject(folder: ExportFolder, id: string): void {
  folder.remove(commentsOf({ id }));
  for (const name of Object.values(FOLDERS)) folder.remove(`${name}/${id}.jsonl`);
}

async function readUsers({ context: { api }, readUser, users }: Writing): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  await forEachParallel([...users].sort(), api.parallel, async (id) => {
    const user = await readUser(id);
    if (user !== undefined) found.push(user);
  });
  return found.sort((a, b) => textAt(a, "id") < textAt(b, "id") ? -1 : 1);
}

function manifestOf(listing: Listing, { api, root }: ExportContext): Manifest {
  const kinds = Map.groupBy(listing.values(), ({ kind }) => kind);
  const [first] = listing.values();
  return {
    format: FORMAT,
    version: VERSION,
    origin: URL.parse(textAt(first?.record, "url"))?.origin ?? api.server,
    root: root ?? null,
    complete: true,
    pages: kinds.get("page")?.length ?? 0,
    databases: kinds.get("database")?.length ?? 0,
  };
}

function writeManifest(folder: ExportFolder, manifest: Manifest): void {
  folder.write(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Throws if the folder is an export in another format, or an increment has nothing before it. */
function requireFormat(folder: ExportFolder, since: string | undefined): void {
  const text = folder.read(MANIFEST);
  if (text === undefined && since !== undefined) {
    throw new OperatorError("--since needs an earlier export in the folder: run once without it");
  }
  if (text !== undefined && !v.is(manifestSchema, parseJson(text))) {
    throw new OperatorError(
      `${folder.pathOf(MANIFEST)} is of another format or version: name another folder`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readFiles(folder: ExportFolder): v.InferOutput<typeof fileSchema>[] {
  const lines = (folder.read(FILES) ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line) => v.parse(fileSchema, JSON.parse(line)));
}

function readEarlier(folder: ExportFolder): Map<string, EarlierObject> {
  const earlier = new Map<string, EarlierObject>();
  const users = readEarlierUsers(folder);
  for (const name of Object.values(FOLDERS)) {
    for (const file of folder.list(name).filter((path) => path.endsWith(".jsonl"))) {
      const text = folder.read(file) ?? "";
      const object = toListed(JSON.parse(text.slice(0, text.indexOf("\n"))));
      const content = text.slice(text.indexOf("\n"));
      const mentioned = [...content.matchAll(MENTIONED)].map(([, id = ""]) => id);
      earlier.set(object.id, {
        editedTime: object.editedTime,
        shown: shownTitle(object),
        mentions: idsIn(content),
        users: new Map(mentioned.map((id) => [id, shownUser(users.get(id))])),
      });
    }
  }
  return earlier;
}

function readEarlierUsers(folder: ExportFolder): Map<string, JsonObject> {
  const lines = (folder.read(USERS) ?? "").split("\n").filter((line) => line !== "");
  const users = lines.map((line): JsonObject => JSON.parse(line));
  return new Map(users.map((user) => [textAt(user, "id"), user]));
}
