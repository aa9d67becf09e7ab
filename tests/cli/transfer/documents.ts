/**
 * Reads an export as documents that can be compared with those of another: IDs become places in the
 * tree, and what an import cannot set is left out.
 *
 * @module
 */
import { unflatten } from "../../../src/cli/export/block_tree.ts";
import { readArchive } from "../../../src/cli/import/jsonl/archive.ts";
import { normalizeId } from "../../../src/content/values/ids.ts";

/** Members that the server sets. */
const SET_BY_SERVER = new Set([
  ...["created_time", "last_edited_time", "created_by", "last_edited_by", "verified_by"],
  ...["request_id"],
]);

export interface Document {
  /** Title path, such as `0/2`: the third page in the first. */
  readonly place: string;
  readonly record: unknown;
  readonly blocks: unknown;
  readonly comments: unknown;
}

/** Returns the documents of an export, in order. */
export async function documentsIn(folder: string): Promise<Document[]> {
  const archive = await readArchive(folder);
  const names = new Map<string, string>();
  const contents = new Map<string, Awaited<ReturnType<typeof archive.readBlocks>>>();
  const counts = new Map<string, number>();
  for (const [id, { kind, parentId = "" }] of archive.objects) {
    const place = names.get(parentId) ?? "top";
    const index = counts.get(place) ?? 0;
    counts.set(place, index + 1);
    names.set(id, `${place}/${index}`);
    const blocks = kind === "page" ? await archive.readBlocks(id) : [];
    contents.set(id, blocks);
    blocks.forEach((block, n) => {
      if (!archive.objects.has(String(block.id))) {
        names.set(String(block.id), `${place}/${index}#${n}`);
      }
    });
  }
  for (const { record } of archive.objects.values()) nameOptions(record, names);
  const files = new Map([...archive.files.values()].map(({ path, sha256, name, contentType }) => [
    path,
    `${name} (${contentType}) ${sha256}`,
  ]));
  const plain = (value: unknown): unknown => withoutIds(value, { names, files });
  const comments = new Map<string, unknown>();
  for (const id of archive.commented) {
    const found = await archive.readComments(id);
    found.forEach((comment, n) => {
      const discussion = String(comment.discussion_id);
      names.set(discussion, names.get(discussion) ?? `${names.get(id)} discussion ${n}`);
      names.set(String(comment.id), `${names.get(id)} comment ${n}`);
    });
    comments.set(id, found);
  }
  return [...archive.objects.values()].map(({ id, record }) => ({
    place: names.get(id) ?? "",
    record: plain(record),
    blocks: plain(unflatten(contents.get(id) ?? [], id)),
    comments: plain(comments.get(id)),
  }));
}

interface Naming {
  readonly names: ReadonlyMap<string, string>;
  /** Name, media type and hash by path. */
  readonly files: ReadonlyMap<string, string>;
}

function withoutIds(value: unknown, naming: Naming): unknown {
  if (typeof value === "string") return named(value, naming);
  if (Array.isArray(value)) return value.map((one) => withoutIds(one, naming));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => isCompared(name, value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutIds(inner, naming)]));
}

/** Properties have IDs of their own in each database. */
function isCompared(name: string, holder: object): boolean {
  if (SET_BY_SERVER.has(name)) return false;
  if (name === "id" && "type" in holder && !("object" in holder)) return false;
  return !["relation_property_id", "rollup_property_id", "synced_property_id"].includes(name);
}

/** Options and groups have IDs of their own, too, and their names are unique in a property. */
function nameOptions(value: unknown, names: Map<string, string>): void {
  if (typeof value !== "object" || value === null) return;
  if ("color" in value && "name" in value && "id" in value) {
    names.set(String(value.id), `option ${value.name}`);
  }
  for (const inner of Object.values(value)) nameOptions(inner, names);
}

function named(text: string, { names, files }: Naming): string {
  return text
    .replace(/^files\/.*$/, (path) => files.get(path) ?? path)
    .replace(
      /[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      (id) => names.get(normalizeId(id)) ?? id,
    );
}
