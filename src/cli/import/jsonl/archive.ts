/**
 * Reads and checks a folder of JSON lines before anything of it is imported.
 *
 * @module
 */
import * as v from "valibot";
import { OperatorError } from "../../../store/operator_error.ts";
import type { ExportedFile } from "../../export/files.ts";
import {
  COMMENTS,
  FILES,
  fileSchema,
  FOLDERS,
  MANIFEST,
  type Manifest,
  manifestSchema,
  USERS,
} from "../../export/jsonl_format.ts";
import { inOrder, type ListedObject, type Listing, toListed } from "../../export/listing.ts";
import { isObject, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";

export interface Archive {
  readonly manifest: Manifest;
  /** Parents first, siblings in the order of their creation. */
  readonly objects: Listing;
  /** By path in the folder. */
  readonly files: ReadonlyMap<string, ExportedFile>;
  /** By ID. */
  readonly users: ReadonlyMap<string, JsonObject>;
  /** IDs of the blocks that are needed: synced blocks that have copies, and blocks with comments. */
  readonly originals: ReadonlySet<string>;
  /** IDs of the pages and databases that have comments. */
  readonly commented: readonly string[];
  /** Resolves to the comments of a page or database, the oldest first. */
  readComments(id: string): Promise<JsonObject[]>;
  /** Resolves to the blocks of a page: each before what is nested in it. */
  readBlocks(id: string): Promise<JsonObject[]>;
  /** Opens a file. */
  open(file: ExportedFile): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** Issues shown at most. */
const SHOWN = 100;

/** Reads an archive. Throws `OperatorError` with all its issues if it is damaged. */
export async function readArchive(path: string): Promise<Archive> {
  const issues: string[] = [];
  const manifest = await readManifest(path);
  const objects: ListedObject[] = [];
  const originals = new Set<string>();
  for (const folder of Object.values(FOLDERS)) {
    for (const file of await namesIn(`${path}/${folder}`)) {
      const lines = await readLines(path, `${folder}/${file}`, issues);
      const object = lines[0] && readObject(lines[0], `${folder}/${file}`, issues);
      if (object !== undefined) objects.push(object);
      issues.push(...blockIssues(lines, `${folder}/${file}`));
      for (const id of lines.flatMap(originalOf)) originals.add(id);
    }
  }
  const commented: string[] = [];
  for (const file of await namesIn(`${path}/${COMMENTS}`)) {
    const comments = await readLines(path, `${COMMENTS}/${file}`, issues);
    commented.push(file.replace(/\.jsonl$/, ""));
    issues.push(...commentIssues(comments, `${COMMENTS}/${file}`));
    for (const id of comments.flatMap(commentedBlock)) originals.add(id);
  }
  const files = await readFiles(path, issues);
  const users = await readLines(path, USERS, issues);
  issues.push(...countIssues(manifest, objects));
  if (issues.length > 0) throw damaged(path, issues);
  return {
    manifest,
    objects: inOrder(objects),
    files: new Map(files.map((file) => [file.path, file])),
    users: new Map(users.map((user) => [textAt(user, "id"), user])),
    originals,
    commented,
    readComments: async (id) => await readLines(path, `${COMMENTS}/${id}.jsonl`, []),
    readBlocks: async (id) => (await readLines(path, `${FOLDERS.page}/${id}.jsonl`, [])).slice(1),
    open: async (file) => (await Deno.open(`${path}/${file.path}`)).readable,
  };
}

async function readManifest(path: string): Promise<Manifest> {
  const text = await Deno.readTextFile(`${path}/${MANIFEST}`);
  const parsed = v.safeParse(manifestSchema, parseLine(text));
  if (!parsed.success) {
    throw new OperatorError(
      `${path}/${MANIFEST} is not of a format that can be imported: ` +
        "only exports with `--format jsonl` of a version that this one knows can",
    );
  }
  if (!parsed.output.complete) {
    throw new OperatorError(`The export in ${path} was interrupted: run it again first`);
  }
  return parsed.output;
}

function damaged(path: string, issues: readonly string[]): OperatorError {
  const shown = issues.slice(0, SHOWN).join("\n    ");
  const more = issues.length > SHOWN ? `\n    and ${issues.length - SHOWN} more` : "";
  return new OperatorError(`The export in ${path} is damaged:\n    ${shown}${more}`);
}

async function namesIn(path: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(path)) if (name.endsWith(".jsonl")) names.push(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}

async function readLines(path: string, name: string, issues: string[]): Promise<JsonObject[]> {
  let text = "";
  try {
    text = await Deno.readTextFile(`${path}/${name}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    issues.push(`${name} is missing`);
  }
  if (text !== "" && !text.endsWith("\n")) issues.push(`${name}: the last line broke off`);
  return text.split("\n").slice(0, -1).flatMap((line, index) => {
    const value = parseLine(line);
    if (isObject(value)) return [value];
    issues.push(`${name}, line ${index + 1}: no JSON object`);
    return [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readObject(record: JsonObject, name: string, issues: string[]): ListedObject | undefined {
  const object = toListed(record);
  const isNamed = ID.test(object.id) && name === `${FOLDERS[object.kind]}/${object.id}.jsonl`;
  if (isNamed && record.object === object.kind && isObject(record.properties)) return object;
  issues.push(`${name}, line 1: not the page or database that the file is named after`);
  return undefined;
}

/** Every block must have a type with its value, and a parent that comes before it. */
function blockIssues([object, ...blocks]: readonly JsonObject[], name: string): string[] {
  const ids = new Set([textAt(object, "id")]);
  return blocks.flatMap((block, index) => {
    const parent = objectAt(block, "parent");
    const isWhole = isObject(block[textAt(block, "type")]) && ID.test(textAt(block, "id"));
    const isPlaced = ids.has(textAt(parent, textAt(parent, "type")));
    ids.add(textAt(block, "id"));
    if (isWhole && isPlaced) return [];
    return [
      `${name}, line ${index + 2}: ${isWhole ? "its parent does not precede it" : "no block"}`,
    ];
  });
}

/** Every comment must have an ID, a discussion, and a page or block. */
function commentIssues(comments: readonly JsonObject[], name: string): string[] {
  return comments.flatMap((comment, index) => {
    const parent = objectAt(comment, "parent");
    const ids = [
      ...[textAt(comment, "id"), textAt(comment, "discussion_id")],
      textAt(parent, textAt(parent, "type")),
    ];
    return ids.every((id) => ID.test(id)) ? [] : [`${name}, line ${index + 1}: no comment`];
  });
}

/** Returns the block that a comment is on. */
function commentedBlock(comment: JsonObject): string[] {
  const id = textAt(objectAt(comment, "parent"), "block_id");
  return id === "" ? [] : [id];
}

/** Returns the original of a copy of a synced block. */
function originalOf(block: JsonObject): string[] {
  const from = objectAt(objectAt(block, "synced_block"), "synced_from");
  return textAt(from, "block_id") === "" ? [] : [textAt(from, "block_id")];
}

async function readFiles(path: string, issues: string[]): Promise<ExportedFile[]> {
  const files: ExportedFile[] = [];
  for (const [index, line] of (await readLines(path, FILES, issues)).entries()) {
    const parsed = v.safeParse(fileSchema, line);
    if (!parsed.success) issues.push(`${FILES}, line ${index + 1}: no file`);
    else if (await sizeOf(`${path}/${parsed.output.path}`) !== parsed.output.size) {
      issues.push(`${parsed.output.path} is missing or has another size than ${FILES} says`);
    } else files.push(parsed.output);
  }
  return files;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const { isFile, size } = await Deno.lstat(path);
    return isFile ? size : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function countIssues(manifest: Manifest, objects: readonly ListedObject[]): string[] {
  return Object.keys(FOLDERS).flatMap((kind) => {
    const folder = kind === "page" ? FOLDERS.page : FOLDERS.database;
    const found = objects.filter((object) => object.kind === kind).length;
    return found === manifest[folder]
      ? []
      : [`${folder}/ has ${found} whole files, but ${MANIFEST} says ${manifest[folder]}`];
  });
}
