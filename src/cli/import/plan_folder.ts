/**
 * Plans the import of Markdown files and tables in folders: notes, vaults, outlines, and the
 * vendor's exports of Markdown and CSV.
 *
 * @module
 */
import { MARKDOWN_ENDINGS } from "./detect.ts";
import { createLinkIndex, type LinkIndex } from "./links/link_index.ts";
import { type Note, openNote, scanNote } from "./markdown/note.ts";
import { areRows, joinRows, noteTable } from "./plan_rows.ts";
import { type PlannedTable, planTables } from "./plan_tables.ts";
import type { Content, Plan, Planned, ReportLoss, SourceKind } from "./plan.ts";
import { arrangeItems, type Item, ROOT, type Tree } from "./plan_tree.ts";
import type { Progress } from "../transfer/progress.ts";
import { endingOf, folderOf } from "./source/names.ts";
import type { Source } from "./source/source.ts";
import type { Cell, Column } from "./tables/column.ts";
import { TABLE_ENDINGS, type TableOptions } from "./tables/table.ts";

export interface PlanOptions extends TableOptions {
  readonly report: ReportLoss;
  /** Counts the files that are read. */
  readonly progress: Pick<Progress, "advance">;
}

/** The parts of the source that a plan is made from. */
interface Reading {
  readonly source: Source;
  readonly kind: SourceKind;
  readonly options: PlanOptions;
  readonly index: LinkIndex;
  readonly notes: readonly Note[];
  readonly tables: readonly PlannedTable[];
  readonly blockLink: (id: string) => string;
}

/** Plans the import of a source of Markdown and tables. */
export async function planFolder(
  source: Source,
  kind: SourceKind,
  options: PlanOptions,
): Promise<Plan> {
  const index = createLinkIndex();
  const { notes, tablePaths, files } = await scan(source, kind, options);
  files.forEach(index.addFile);
  for (const { path, title, aliases } of notes) index.addNode(path, path, [title, ...aliases]);
  const noteFolders = new Set(notes.map(({ path }) => folderOf(path)));
  const tables = await planTables(source, tablePaths, { ...options, kind, index, noteFolders });
  const reading = { source, kind, options, index, notes, tables, blockLink: linkToBlocks(notes) };
  return { kind, files, nodes: await planNodes(reading) };
}

/** Notes that are read at a time. */
const SCANNED = 32;

async function scan(source: Source, kind: SourceKind, { encoding, progress }: PlanOptions) {
  const notePaths: string[] = [];
  const tablePaths: string[] = [];
  const files: string[] = [];
  for (const path of source.files.keys()) {
    if (kind === "logseq" && path.startsWith("logseq/")) continue;
    if (kind === "notion-markdown" && path === "index.html") continue;
    const ending = endingOf(path);
    if (MARKDOWN_ENDINGS.has(ending)) notePaths.push(path);
    else if (TABLE_ENDINGS.has(ending)) tablePaths.push(path);
    else files.push(path);
  }
  const notes: Note[] = [];
  for (let start = 0; start < notePaths.length; start += SCANNED) {
    const paths = notePaths.slice(start, start + SCANNED);
    notes.push(
      ...await Promise.all(paths.map((path) => scanNote(source, path, { kind, encoding }))),
    );
    progress.advance(paths.length);
  }
  return { notes, tablePaths, files };
}

/** A reference to a block becomes its text, as a link to its page. */
function linkToBlocks(notes: readonly Note[]): (id: string) => string {
  const texts = new Map(
    notes.flatMap(({ blocks, path }) => [...blocks].map(([id, text]) => [id, { text, path }])),
  );
  return (id) => {
    const block = texts.get(id);
    if (block === undefined) return `((${id}))`;
    return `[[${block.path}|${block.text.replace(/[[\]|]/g, "") || block.path}]]`;
  };
}

async function planNodes(reading: Reading): Promise<Planned[]> {
  const { source, kind, notes, tables } = reading;
  const tree = arrangeItems({ name: source.name, kind, notes, tables });
  const planner: Planner = { reading, tree, nodes: [] };
  await planItems(planner, tree.get(ROOT) ?? [], undefined);
  return planner.nodes;
}

interface Planner {
  readonly reading: Reading;
  readonly tree: Tree;
  readonly nodes: Planned[];
}

/** Plans siblings in their order, and then what is below each of them. */
async function planItems(
  planner: Planner,
  items: readonly Item[],
  page: string | undefined,
): Promise<void> {
  for (const item of items) planner.nodes.push(planItem(planner, item, page));
  for (const item of items) await planBelow(planner, item, page);
}

function planItem({ reading, tree }: Planner, item: Item, page: string | undefined): Planned {
  const { key, title, note, table } = item;
  const common = { key, title, parent: page };
  if (table !== undefined) {
    const { columns, count, rows, notes } = table;
    const hasPages = tree.get(key)?.some((one) => one.note) ?? false;
    return {
      kind: "database",
      ...common,
      columns,
      notes,
      ...(!hasPages && { table: { count, rows } }),
    };
  }
  const rows = wholeRows(tree, item);
  if (rows !== undefined) {
    const { columns } = noteTable(rows, reading.options);
    return { kind: "database", ...common, columns, notes: [] };
  }
  return {
    kind: "page",
    ...common,
    icon: note?.icon,
    content: note && contentOf(reading, { note, title }),
  };
}

/** The notes of a folder that is a database as a whole: nothing else is in it. */
function wholeRows(tree: Tree, { key, note, table }: Item): Note[] | undefined {
  const below = tree.get(key) ?? [];
  const rows = rowItems(below);
  const isWhole = note === undefined && table === undefined && key !== "/";
  return isWhole && rows.length > 0 && rows.length === below.length
    ? rows.map(({ note }) => note)
    : undefined;
}

type NoteItem = Item & { readonly note: Note };

/** The items that are rows of a database of notes; none if there is no such database. */
function rowItems(items: readonly Item[]): NoteItem[] {
  const candidates = items.filter((item): item is NoteItem =>
    item.note !== undefined && !item.isMain
  );
  return areRows(candidates.map(({ note }) => note)) ? candidates : [];
}

async function planBelow(planner: Planner, item: Item, page: string | undefined): Promise<void> {
  const { tree, nodes, reading } = planner;
  const below = tree.get(item.key) ?? [];
  if (item.table !== undefined) return await planTableRows(planner, item.table, page);
  if (wholeRows(tree, item) !== undefined) {
    return await planNotes(planner, rowItems(below), item.key);
  }
  const rows = reading.kind === "notion-markdown" ? [] : rowItems(below);
  const others = below.filter((one) => !rows.some((row) => row === one));
  if (rows.length > 0) {
    const key = `${item.key}#notes`;
    const { columns } = noteTable(rows.map(({ note }) => note), reading.options);
    const title = item.key === "/" || page === undefined ? "Notes" : item.title;
    nodes.push({ kind: "database", key, title, parent: item.key, columns, notes: [] });
    await planNotes(planner, rows, key);
  }
  await planItems(planner, others, item.key);
}

/** Plans notes as the rows of a database, and what is below each of them. */
async function planNotes(
  planner: Planner,
  rows: readonly NoteItem[],
  database: string,
): Promise<void> {
  const { reading, nodes, tree } = planner;
  const { cellsOf } = noteTable(rows.map(({ note }) => note), reading.options);
  for (const { key, title, note } of rows) {
    const content = contentOf(reading, { note, title, hasProperties: true });
    nodes.push({ kind: "row", key, title, parent: database, cells: cellsOf(note), content });
  }
  for (const { key } of rows) await planItems(planner, tree.get(key) ?? [], key);
}

async function planTableRows(
  planner: Planner,
  table: PlannedTable,
  page: string | undefined,
): Promise<void> {
  const { reading, nodes, tree } = planner;
  const below = tree.get(table.key) ?? [];
  const notes = below.flatMap(({ note }) => note ?? []);
  const columns = new Set(table.columns.map(({ name }) => name));
  const joined = notes.length === 0 ? [] : await joinRows(table, notes);
  for (const [at, { cells, note }] of joined.entries()) {
    const title = titleIn(table.columns, cells);
    const content = note && contentOf(reading, { note, title, columns, hasProperties: true });
    const key = note?.path ?? `${table.key}#row ${at + 1}`;
    nodes.push({ kind: "row", key, title, parent: table.key, cells, icon: note?.icon, content });
  }
  for (const { path } of notes) await planItems(planner, tree.get(path) ?? [], path);
  // A database holds rows alone: what else is in its folder goes beside it.
  await planItems(planner, below.filter(({ note }) => note === undefined), page);
}

function titleIn(columns: readonly Column[], cells: readonly Cell[]): string {
  const cell = cells[columns.findIndex(({ type }) => type === "title")] ?? "";
  return typeof cell === "string" ? cell : cell.join(", ");
}

interface ContentOptions {
  readonly note: Note;
  readonly title: string;
  readonly hasProperties?: boolean;
  readonly columns?: ReadonlySet<string>;
}

function contentOf(
  reading: Reading,
  { note, hasProperties = false, ...options }: ContentOptions,
): Content {
  const { source, index, kind, blockLink, options: { report, encoding } } = reading;
  const common = { source, index, kind, blockLink, report, encoding, from: note.path };
  return { open: () => openNote({ ...common, ...options, hasProperties }) };
}
