/**
 * Plans databases from tables: which files are one database, and which columns are relations.
 *
 * @module
 */
import type { LinkIndex } from "./links/link_index.ts";
import { parseTarget, targetUrl } from "./links/target.ts";
import { withoutId } from "./markdown/note.ts";
import type { ReportLoss, SourceKind } from "./plan.ts";
import { endingOf, folderOf, stemOf } from "./source/names.ts";
import type { Source } from "./source/source.ts";
import type { Cell, Column } from "./tables/column.ts";
import { readTables, type Table, type TableOptions } from "./tables/table.ts";

/** A database from a table. */
export interface PlannedTable {
  readonly key: string;
  readonly path: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly count: number;
  readonly notes: readonly string[];
  readonly rows: () => AsyncIterable<readonly Cell[]>;
  /** Folders that may hold the pages of the rows. */
  readonly rowFolders: readonly string[];
}

export interface TablesInput extends TableOptions {
  readonly report: ReportLoss;
  readonly kind: SourceKind;
  readonly index: LinkIndex;
  /** Folders that hold notes. */
  readonly noteFolders: ReadonlySet<string>;
}

/** The facts about all tables that reading the columns of one takes. */
interface LinkInput extends TablesInput {
  readonly path: string;
  /** The key of the database that a note is a row of. */
  readonly rowDatabase: (note: string) => string | undefined;
}

/** Files of one table: the vendor writes the columns of a view, and all of them. */
interface TableFiles {
  /** Path without `_all`. */
  readonly path: string;
  readonly data: string;
  readonly view: string | undefined;
}

/** Plans the tables of a source, and makes them known to the index. */
export async function planTables(
  source: Source,
  paths: readonly string[],
  options: TablesInput,
): Promise<PlannedTable[]> {
  const groups = options.kind === "notion-markdown"
    ? withoutLinkedViews(groupFiles(paths), options)
    : paths.map((path): TableFiles => ({ path, data: path, view: undefined }));
  for (const { path, data } of groups) {
    options.index.addNode(path, path);
    if (data !== path) options.index.addNode(path, data);
  }
  const databases = new Map(
    groups.flatMap(({ path }) => rowFoldersOf(path).map((folder) => [folder, path] as const)),
  );
  const rowDatabase = (note: string) => databases.get(folderOf(note));
  const planned: PlannedTable[] = [];
  for (const files of groups) {
    planned.push(...await planFile(source, files, { ...options, rowDatabase }));
  }
  return planned;
}

function groupFiles(paths: readonly string[]): TableFiles[] {
  const known = new Set(paths);
  return paths.flatMap((path): TableFiles[] => {
    const base = path.replace(/_all\.csv$/, ".csv");
    if (base !== path) {
      return [{ path: base, data: path, view: known.has(base) ? base : undefined }];
    }
    return known.has(path.replace(/\.csv$/, "_all.csv"))
      ? []
      : [{ path, data: path, view: undefined }];
  });
}

/** A table without `_all`, beside one of the same title that has it, is a view of that one. */
function withoutLinkedViews(groups: readonly TableFiles[], { index, noteFolders }: TablesInput) {
  const titleOf = ({ path }: TableFiles) => withoutId(stemOf(path));
  const whole = new Map(
    groups.filter(({ path, data }) => path !== data)
      .map((group) => [titleOf(group), group]),
  );
  return groups.filter((group) => {
    const original = whole.get(titleOf(group));
    const hasRows = rowFoldersOf(group.path).some((folder) => noteFolders.has(folder));
    if (original === undefined || group.path !== group.data || hasRows) return true;
    index.addNode(original.path, group.path);
    return false;
  });
}

function rowFoldersOf(path: string): string[] {
  const folder = folderOf(path);
  const inside = (name: string) => folder === "" ? name : `${folder}/${name}`;
  return [...new Set([inside(stemOf(path)), inside(withoutId(stemOf(path)))])];
}

async function planFile(
  source: Source,
  { path, data, view }: TableFiles,
  options: Omit<LinkInput, "path">,
): Promise<PlannedTable[]> {
  const tables = await readTables(source, data, options);
  if (tables.length === 0) options.report({ where: data, what: "is empty, so it is no database" });
  const order = view === undefined ? [] : await columnOrder(source, view, options);
  const rowFolders = rowFoldersOf(path);
  return await Promise.all(tables.map(async (table) => {
    const title = titleOfTable(path, table, tables.length);
    const key = tables.length === 1 ? path : `${path}#${table.sheet ?? ""}`;
    const linked = options.kind === "notion-markdown"
      ? await linkColumns(table, { ...options, path })
      : table;
    return { ...arrange(linked, order), key, path, title, rowFolders, notes: table.notes };
  }));
}

function titleOfTable(path: string, { sheet }: Table, count: number): string {
  const name = endingOf(path) === "csv" ? withoutId(stemOf(path)) : stemOf(path);
  return count > 1 && sheet !== undefined ? `${name}: ${sheet}` : name;
}

async function columnOrder(source: Source, path: string, options: TableOptions): Promise<string[]> {
  const [table] = await readTables(source, path, options);
  return table?.columns.map(({ name }) => name) ?? [];
}

type Cells = Pick<PlannedTable, "columns" | "count" | "rows">;

/** Puts the columns into the order of the view. */
function arrange({ columns, count, rows }: Cells, order: readonly string[]): Cells {
  if (order.length === 0) return { columns, count, rows };
  const place = (index: number) => {
    const at = order.indexOf(columns[index]?.name ?? "");
    return at < 0 ? order.length + index : at;
  };
  const indexes = columns.map((_, index) => index).sort((a, b) => place(a) - place(b));
  const arranged = async function* () {
    for await (const row of rows()) yield indexes.map((index) => row[index] ?? "");
  };
  return { count, columns: indexes.flatMap((index) => columns[index] ?? []), rows: arranged };
}

/** Finds the columns whose cells are all links to rows, or all files. */
async function linkColumns(table: Table, input: LinkInput): Promise<Cells> {
  const states = table.columns.map(() => createLinkState(input));
  for await (const row of table.rows()) states.forEach((state, at) => state.add(row[at] ?? ""));
  const kinds = states.map((state) => state.kind());
  const columns = table.columns.map((column, at): Column => {
    const { name, count, example } = column;
    const kind = kinds[at];
    if (kind === undefined || column.type === "title") return column;
    return kind.type === "files"
      ? { type: "files", name, count, example }
      : { type: "relation", database: kind.database, name, count, example };
  });
  const isLinked = columns.map(({ type }) => type === "files" || type === "relation");
  const rows = async function* (): AsyncGenerator<readonly Cell[]> {
    for await (const row of table.rows()) {
      yield columns.map((_, at) =>
        isLinked[at] ? linksIn(row[at] ?? "", input) ?? [] : row[at] ?? ""
      );
    }
  };
  return { columns, count: table.count, rows };
}

type LinkKind = { readonly type: "files" } | {
  readonly type: "relation";
  readonly database: string;
};

function createLinkState(input: LinkInput) {
  const kinds = new Set<string>();
  return {
    add: (cell: string) => {
      if (cell.trim() === "" || kinds.has("")) return;
      const links = linksIn(cell, input);
      if (links === undefined) kinds.add("");
      else links.forEach((url) => kinds.add(kindOf(url, input)));
    },
    kind: (): LinkKind | undefined => {
      const [kind = "", ...more] = kinds;
      if (kind === "" || more.length > 0) return undefined;
      return kind === "files" ? { type: "files" } : { type: "relation", database: kind };
    },
  };
}

/** `files`, the database of a row, or `""`. */
function kindOf(url: string, { rowDatabase }: LinkInput): string {
  const target = parseTarget(url);
  if (target?.kind === "file") return "files";
  return target === undefined ? "" : rowDatabase(target.key) ?? "";
}

const RELATION = /(?:^|,\s*)[^()]*?\((https?:[^()\s]+|(?:[^()]|\([^()]*\))+?\.md)\)(?=,|$)/g;

/** The URLs of targets that a cell consists of; undefined if it holds anything else. */
function linksIn(cell: string, { index, path }: LinkInput): string[] | undefined {
  const text = cell.trim();
  if (text === "") return [];
  const rows = [...text.matchAll(RELATION)];
  const isWhole = rows.reduce((length, [all]) => length + all.length, 0) === text.length;
  const urls = rows.length > 0 && isWhole ? rows.map(([, url = ""]) => url) : text.split(/,\s*/);
  const targets = urls.map((url) =>
    index.resolveUrl(url, path) ?? index.resolveUrl(url, `${path.replace(/\.csv$/, "")}/`)
  );
  return targets.every((target) => target !== undefined) ? targets.map(targetUrl) : undefined;
}
