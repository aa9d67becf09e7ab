/**
 * The tree of an import: which page each note, table and folder is below.
 *
 * @module
 */
import { MAIN_PAGES } from "./links/link_index.ts";
import { type Note, withoutId } from "./markdown/note.ts";
import type { PlannedTable } from "./plan_tables.ts";
import type { SourceKind } from "./plan.ts";
import { baseOf, folderOf, stemOf } from "./source/names.ts";

/** A note, a table, or a folder that has neither of its name. */
export interface Item {
  readonly key: string;
  readonly title: string;
  readonly note?: Note;
  readonly table?: PlannedTable;
  /** True if it is the page of the folder it is in. */
  readonly isMain?: boolean;
}

export interface TreeInput {
  /** Title of the page above all others. */
  readonly name: string;
  readonly kind: SourceKind;
  readonly notes: readonly Note[];
  readonly tables: readonly PlannedTable[];
}

/** The items below each item, in order; those at the top are below {@linkcode ROOT}. */
export type Tree = ReadonlyMap<string, readonly Item[]>;

export const ROOT = "";
const ROOT_PAGE = "/";

/** Arranges the items of a source. */
export function arrangeItems(input: TreeInput): Tree {
  const placed = placeItems(input);
  const folders = foldersAbove(placed.map(({ folder }) => folder));
  const owners = findOwners(placed, folders);
  const missing = [...folders].filter((folder) => folder !== "" && !owners.has(folder));
  for (const folder of missing) {
    const item = { key: `${folder}/`, title: withoutId(baseOf(folder)) };
    owners.set(folder, item);
    placed.push({ item, folder: folderOf(folder), opens: [] });
  }
  const root = owners.get("") ?? { key: ROOT_PAGE, title: input.name };
  owners.set("", root);
  const children = new Map<string, Item[]>([[ROOT, [root]]]);
  for (const { item, folder } of placed) {
    if (item === root) continue;
    children.getOrInsertComputed((owners.get(folder) ?? root).key, () => []).push(item);
  }
  sortChildren(children, owners);
  return withoutEmptyRoot(children, root);
}

interface Placed {
  readonly item: Item;
  /** The folder it is in. */
  readonly folder: string;
  /** The folders that may hold what is below it; the first that exists counts. */
  readonly opens: readonly string[];
}

function placeItems({ notes, tables, kind }: TreeInput): Placed[] {
  return [
    ...notes.map((note) => placeNote(note, kind)),
    ...tables.map((table): Placed => ({
      item: { key: table.key, title: table.title, table },
      folder: folderOf(table.path),
      opens: table.rowFolders,
    })),
  ];
}

function placeNote(note: Note, kind: SourceKind): Placed {
  const path = kind === "logseq" ? note.path.replaceAll("___", "/") : note.path;
  const folder = folderOf(path);
  const item = { key: note.path, title: note.title, note };
  if (MAIN_PAGES.includes(baseOf(path)) && kind !== "obsidian") {
    const title = note.title === stemOf(path) && folder !== "" ? baseOf(folder) : note.title;
    return { item: { ...item, title, isMain: true }, folder: folderOf(folder), opens: [folder] };
  }
  const inside = (name: string) => folder === "" ? name : `${folder}/${name}`;
  return { item, folder, opens: [inside(stemOf(path)), inside(withoutId(stemOf(path)))] };
}

function foldersAbove(folders: readonly string[]): Set<string> {
  const all = new Set<string>();
  for (const folder of folders) {
    for (let one = folder; one !== "" && !all.has(one); one = folderOf(one)) all.add(one);
  }
  return all;
}

function findOwners(placed: readonly Placed[], folders: ReadonlySet<string>): Map<string, Item> {
  const owners = new Map<string, Item>();
  for (const { item, opens } of placed) {
    const folder = opens.find((one) => folders.has(one) || (item.isMain && one === ""));
    if (folder !== undefined && !owners.has(folder)) owners.set(folder, item);
  }
  // A main page without other files in its folder is its only one.
  for (const { item, opens: [folder] } of placed) {
    if (item.isMain && folder !== undefined && !owners.has(folder)) owners.set(folder, item);
  }
  return owners;
}

const collator = new Intl.Collator("en", { numeric: true });

/** By position, then as the page above mentions them, then by title. */
function sortChildren(children: Map<string, Item[]>, owners: ReadonlyMap<string, Item>): void {
  const notes = new Map([...owners.values()].map(({ key, note }) => [key, note]));
  for (const [key, items] of children) {
    const mentioned = new Map(
      (notes.get(key)?.links ?? []).map((url, index, { length }) => [nameIn(url), index - length]),
    );
    const order = ({ key, note }: Item) =>
      [note?.position ?? Infinity, mentioned.get(baseOf(key.replace(/\/$/, ""))) ?? 0] as const;
    items.sort((a, b) => {
      const [positionA, mentionA] = order(a);
      const [positionB, mentionB] = order(b);
      if (positionA !== positionB) return positionA - positionB;
      return mentionA - mentionB || collator.compare(a.title, b.title);
    });
  }
}

function nameIn(url: string): string {
  try {
    return baseOf(decodeURIComponent(url));
  } catch {
    return baseOf(url);
  }
}

/** A page that only holds one other page is left out. A database needs a page above it. */
function withoutEmptyRoot(children: Map<string, Item[]>, root: Item): Tree {
  const below = children.get(root.key) ?? [];
  const [only] = below;
  if (root.note !== undefined || below.length !== 1 || only?.note === undefined) return children;
  children.set(ROOT, [only]);
  children.delete(root.key);
  return children;
}
