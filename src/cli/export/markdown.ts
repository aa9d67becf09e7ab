/**
 * Exports a workspace as a folder of Markdown for people: front matter, relative links, databases as
 * CSV beside their rows, and files.
 *
 * @module
 */
import { normalizeId } from "../../content/values/ids.ts";
import { idInUrl } from "../../content/values/page_urls.ts";
import { posix } from "node:path";
import { OperatorError } from "../../store/operator_error.ts";
import { type JsonObject, objectAt, textAt } from "../transfer/json.ts";
import { forEachParallel } from "../transfer/parallel.ts";
import { countObject, type ExportContext } from "./context.ts";
import { csvOf, SCHEMA, schemaOf } from "./database_files.ts";
import { findOutdated, idsIn, type IsOutdated } from "./earlier.ts";
import { createFileCollector, type FileCollector, replaceFiles } from "./files.ts";
import { type ExportFolder, openExportFolder, requireOwnFolder } from "./folder.ts";
import { bodyOf, frontMatter } from "./front_matter.ts";
import { type ListedObject, type Listing, listObjects, titleOf } from "./listing.ts";
import { relink } from "./markdown_body.ts";
import { linkBetween, type Paths, placeObjects } from "./markdown_paths.ts";
import { type MarkdownState, parseState, type Place, printState, STATE } from "./markdown_state.ts";
import type { Naming } from "./plain_values.ts";
import { createUserReader } from "./users.ts";

/** Exports to a folder that is new, empty, or an earlier export as Markdown. */
export async function exportMarkdown(path: string, context: ExportContext): Promise<void> {
  await requireOwnFolder(path, STATE);
  const folder = await openExportFolder(path);
  const state = parseState(folder.read(STATE));
  if (state === undefined && context.since !== undefined) {
    throw new OperatorError("--since needs an earlier export in the folder: run once without it");
  }
  const before = state ?? { root: context.root ?? null, places: [], files: [] };
  // So that an interrupted first export can be run again.
  folder.write(STATE, printState(before));
  const listing = await listObjects(context.api, context);
  if (context.root !== undefined && listing.size === 0) {
    throw new OperatorError(`--root: no page or database has the ID ${context.root}`);
  }
  const exporting = await createExporting(context, { folder, before, listing });
  const places = await writeAll(exporting, listing);
  removeStale(folder, before, places);
  const files = exporting.files.files();
  context.report.count("files", files.length);
  for (const { path } of before.files) {
    if (!files.some((file) => file.path === path)) folder.remove(path);
  }
  folder.write(STATE, printState({ root: context.root ?? null, places, files }));
}

interface Exporting {
  readonly context: ExportContext;
  readonly folder: ExportFolder;
  readonly files: FileCollector;
  readonly listing: Listing;
  readonly paths: Paths;
  /** Rows in the order of their creation, by ID of the database. */
  readonly rows: ReadonlyMap<string | undefined, readonly ListedObject[]>;
  readonly isOutdated: IsOutdated;
  readonly before: ReadonlyMap<string, Place>;
  /** Returns the name of a user, once. */
  readonly userName: (id: string) => Promise<string>;
}

interface ExportInput {
  readonly folder: ExportFolder;
  readonly before: MarkdownState;
  readonly listing: Listing;
}

async function createExporting(
  context: ExportContext,
  { folder, before, listing }: ExportInput,
): Promise<Exporting> {
  const paths = placeObjects(listing, (path) => {
    context.report.alter(path, "is at the top of the folder, because its path would be too long");
  });
  const earlier = new Map(before.places.map((place) => [place.id, {
    editedTime: place.edited,
    shown: place.shown,
    mentions: new Set(place.mentions),
    users: place.users && new Map(Object.entries(place.users)),
  }]));
  const userName = createUserNames(context);
  const shownOf = (object: ListedObject) => shownText(object, paths);
  return {
    context,
    folder,
    files: createFileCollector({ ...context, folder, earlier: before.files }),
    listing,
    paths,
    rows: Map.groupBy(listing.values(), ({ parentId }) => parentId),
    isOutdated: context.since === undefined ? () => true : await findOutdated(listing, {
      since: context.since,
      earlier,
      shownOf,
      shownUser: userName,
      showsEdits: false,
    }),
    before: new Map(before.places.map((place) => [place.id, place])),
    userName,
  };
}

/** Others link to its path under its title. */
function shownText(object: ListedObject, paths: Paths): string {
  return `${paths.get(object.id)} ${titleOf(object)}`;
}

function createUserNames({ api }: ExportContext): (id: string) => Promise<string> {
  const readUser = createUserReader(api);
  return async (id) => textAt(await readUser(id), "name") || id;
}

async function writeAll(exporting: Exporting, listing: Listing): Promise<Place[]> {
  const { context: { api, progress, report } } = exporting;
  const places: Place[] = [];
  progress.begin("export pages and databases", listing.size);
  await forEachParallel(listing.values(), api.parallel, async (object) => {
    const { mentions, users } = object.kind === "database"
      ? await writeDatabase(exporting, object)
      : await writePage(exporting, object);
    countObject(report, object);
    progress.advance();
    const { id, editedTime } = object;
    const path = pathOf(exporting, id);
    places.push({
      id,
      path,
      edited: editedTime,
      shown: shownText(object, exporting.paths),
      mentions: [...mentions].sort(),
      users,
    });
  });
  return places;
}

function pathOf({ paths }: Exporting, id: string): string {
  return paths.get(id) ?? id;
}

/** Writes a page; resolves to the objects and users that its content names. */
async function writePage(exporting: Exporting, object: ListedObject): Promise<Names> {
  const path = pathOf(exporting, object.id);
  const matter = frontMatter(object, await namingFor(exporting, object, matterRow(exporting)));
  const kept = exporting.isOutdated(object) ? undefined : keptBody(exporting, object.id);
  const { body, ...names } = kept ?? await readBody(exporting, object.id);
  exporting.folder.write(path, matter + body);
  return names;
}

interface Names {
  readonly mentions: Iterable<string>;
  readonly users: Readonly<Record<string, string>>;
}

interface Body extends Names {
  readonly body: string;
}

/** A copy of a synced block. It shows blocks of another page, which may have changed. */
const COPY = '<div data-block="synced_block" data-from="';

/** Returns the body of an earlier export, and keeps its files; undefined if it has to be read again. */
function keptBody(
  { folder, before, files }: Exporting,
  id: string,
): Body | undefined {
  const place = before.get(id);
  const text = place && folder.read(place.path);
  if (place?.users === undefined || text === undefined || text.includes(COPY)) return undefined;
  for (const mentioned of place.mentions) files.keep(mentioned);
  return { body: bodyOf(text), mentions: place.mentions, users: place.users };
}

async function readBody(exporting: Exporting, id: string): Promise<Body> {
  const { context: { api, report } } = exporting;
  const path = pathOf(exporting, id);
  const page = await api.get(`/v2/pages/${id}/content/markdown`);
  const markdown = textAt(page, "markdown");
  const unknown = page.unknown_block_ids;
  if (Array.isArray(unknown) && unknown.length > 0) {
    report.alter(path, "has blocks whose content or depth Markdown cannot express");
  }
  const body = await relink(markdown, (url) => relinked(exporting, path, url));
  const users = await usersIn(exporting, markdown);
  return { body: body === "" ? "" : `\n${body}`, mentions: idsIn(markdown), users };
}

/** The address of a user in a mention. */
const USER = /\/v2\/users\/([0-9a-f-]{32,36})/g;

async function usersIn({ userName }: Exporting, markdown: string): Promise<Names["users"]> {
  const ids = new Set([...markdown.matchAll(USER)].map(([, id = ""]) => normalizeId(id)));
  const names = [...ids].sort().map(async (id) => [id, await userName(id)] as const);
  return Object.fromEntries(await Promise.all(names));
}

/** Files have signed URLs: of the server, or of the store behind it. */
const SIGNED = /\/files\/content\/[^?]*\?.*signature=|[?&]X-Amz-Signature=/;

async function relinked(
  exporting: Exporting,
  from: string,
  url: string,
): Promise<string | undefined> {
  // URLs of objects end with the ID, at the service and in a front end.
  const target = exporting.paths.get(normalizeId(idInUrl(url) ?? ""));
  if (target !== undefined) return linkBetween(from, target);
  if (!SIGNED.test(url)) return undefined;
  const file = await exporting.files.collect(url, from);
  return file && linkBetween(from, file.path);
}

/** Writes CSV and schema of a database; its rows are written as pages. */
async function writeDatabase(exporting: Exporting, database: ListedObject): Promise<Names> {
  const { folder, rows, listing } = exporting;
  const path = pathOf(exporting, database.id);
  const own = rows.get(database.id) ?? [];
  const titles = (id: string): string => {
    const row = listing.get(id);
    return row === undefined ? id : titleOf(row);
  };
  const naming = await namingFor(exporting, database, titles, own);
  folder.write(path, csvOf(database, own, { paths: exporting.paths, naming }));
  const record = await replaceFiles(database.record, async (url) => {
    const file = await exporting.files.collect(url, path);
    return { path: file === undefined ? null : linkBetween(path, file.path) };
  });
  folder.write(`${posix.dirname(path)}/${SCHEMA}`, schemaOf(record));
  return { mentions: [], users: {} };
}

/** Obsidian takes links in front matter in this form alone. */
function matterRow({ paths, listing }: Exporting): (id: string) => string {
  return (id) => {
    const row = listing.get(id);
    if (row === undefined) return id;
    return `[[${paths.get(id)?.replace(/\.md$/, "")}|${titleOf(row).replace(/[[\]|]/g, " ")}]]`;
  };
}

/** Loads what the values of objects name: users and files. */
async function namingFor(
  exporting: Exporting,
  from: ListedObject,
  row: Naming["row"],
  objects: readonly ListedObject[] = [from],
): Promise<Naming> {
  const path = pathOf(exporting, from.id);
  const links = new Map<string, string>();
  const users = new Map<string, string>();
  for (const { record } of objects) {
    const text = JSON.stringify(record);
    for (const [, id = ""] of text.matchAll(/"object":"user","id":"([0-9a-f-]{36})"/g)) {
      users.set(id, await exporting.userName(id));
    }
    if (!text.includes('"expiry_time"')) continue;
    await replaceFiles(record, async (url) => {
      const file = await exporting.files.collect(url, path);
      links.set(url, file === undefined ? "" : linkBetween(path, file.path));
      return {};
    });
  }
  return {
    row,
    file: (file) => fileText(file, links),
    user: (id) => users.get(id) ?? id,
  };
}

function fileText(file: JsonObject, links: ReadonlyMap<string, string>): string {
  const url = textAt(objectAt(file, "file"), "url");
  return url === "" ? textAt(objectAt(file, "external"), "url") : links.get(url) ?? "";
}

/** Removes what is no longer exported, or has moved. */
function removeStale(
  folder: ExportFolder,
  before: MarkdownState,
  places: readonly Place[],
): void {
  const kept = new Set(places.map(({ path }) => path));
  for (const { path } of before.places) {
    if (kept.has(path)) continue;
    folder.remove(path);
    if (path.endsWith(".csv")) folder.remove(`${posix.dirname(path)}/${SCHEMA}`);
  }
}
