/**
 * Plans the import of HTML files: the vendor's exports, whose pages carry the types of properties.
 *
 * @module
 */
import { HTML_ENDINGS } from "./detect.ts";
import { type HtmlPage, openHtml, scanHtml } from "./html/html_page.ts";
import { createLinkIndex, type LinkIndex } from "./links/link_index.ts";
import { parseTarget, targetUrl } from "./links/target.ts";
import type { PlanOptions } from "./plan_folder.ts";
import type { Content, Plan, Planned, PlannedRow } from "./plan.ts";
import { arrangeItems, type Item, ROOT, type Tree } from "./plan_tree.ts";
import { endingOf } from "./source/names.ts";
import type { Source } from "./source/source.ts";
import type { Cell, Column } from "./tables/column.ts";
import { type InferOptions, profileColumn } from "./tables/infer.ts";

interface Reading {
  readonly source: Source;
  readonly options: PlanOptions;
  readonly index: LinkIndex;
  readonly pages: ReadonlyMap<string, HtmlPage>;
  readonly tree: Tree;
}

/** Plans the import of a source of HTML. */
export async function planHtml(source: Source, options: PlanOptions): Promise<Plan> {
  const index = createLinkIndex();
  const pages: HtmlPage[] = [];
  const files: string[] = [];
  for (const path of source.files.keys()) {
    const isIndex = path === "index.html" && source.files.size > 1;
    if (HTML_ENDINGS.has(endingOf(path)) && !isIndex) {
      pages.push(await scanHtml(source, path, options));
      options.progress.advance();
    } else if (!isIndex && endingOf(path) !== "csv") files.push(path);
  }
  files.forEach(index.addFile);
  for (const { path, title } of pages) index.addNode(path, path, [title]);
  const tree = arrangeItems({ name: source.name, kind: "notion-html", notes: pages, tables: [] });
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const nodes: Planned[] = [];
  planItems(
    { source, options, index, pages: byPath, tree },
    nodes,
    tree.get(ROOT) ?? [],
    undefined,
  );
  return { kind: "notion-html", files, nodes: relateColumns(nodes) };
}

function planItems(
  reading: Reading,
  nodes: Planned[],
  items: readonly Item[],
  parent: string | undefined,
): void {
  for (const item of items) {
    if (!isDatabase(reading, item)) nodes.push(planPage(reading, item, parent));
    else nodes.push(...planRows(reading, item, { key: item.key, parent }));
  }
  for (const item of items) {
    const below = reading.tree.get(item.key) ?? [];
    const rows = rowsBelow(reading, item);
    if (rows.length > 0 && !isDatabase(reading, item)) {
      nodes.push(...planRows(reading, item, { key: `${item.key}#rows`, parent: item.key }));
    }
    for (const row of rows) planItems(reading, nodes, reading.tree.get(row.key) ?? [], row.key);
    // A database holds rows alone: what else is below it goes beside it.
    const place = isDatabase(reading, item) ? parent : item.key;
    planItems(reading, nodes, below.filter((one) => !rows.includes(one)), place);
  }
}

/** Pages with properties are rows. */
function rowsBelow({ tree, pages }: Reading, { key }: Item): Item[] {
  return (tree.get(key) ?? []).filter((one) => (pages.get(one.key)?.types.size ?? 0) > 0);
}

function isDatabase(reading: Reading, item: Item): boolean {
  const isWhole = reading.pages.get(item.key)?.isDatabase ?? item.key.endsWith("/");
  return isWhole && rowsBelow(reading, item).length > 0;
}

function planPage(reading: Reading, { key, title }: Item, parent: string | undefined): Planned {
  const page = reading.pages.get(key);
  const content = page && contentOf(reading, page);
  return { kind: "page", key, title, parent, icon: page?.icon, content };
}

function contentOf({ source, index, options }: Reading, { path }: HtmlPage): Content {
  const { report, encoding } = options;
  return { open: () => openHtml({ source, index, report, encoding, from: path }) };
}

/** The database of the pages below an item, and its rows. */
function planRows(
  reading: Reading,
  item: Item,
  { key, parent }: { readonly key: string; readonly parent: string | undefined },
): Planned[] {
  const rows = rowsBelow(reading, item).flatMap(({ key }) => reading.pages.get(key) ?? []);
  const columns = columnsOf(rows, reading.options);
  const planned = rows.map((page): PlannedRow => ({
    kind: "row",
    key: page.path,
    title: page.title,
    parent: key,
    icon: page.icon,
    cells: columns.map((column) =>
      column.type === "title"
        ? page.title
        : linkedCell(reading, page, { column, cell: page.properties.get(column.name) ?? "" })
    ),
    content: contentOf(reading, page),
  }));
  return [{ kind: "database", key, title: item.title, parent, columns, notes: [] }, ...planned];
}

const TITLE = "Name";

function columnsOf(rows: readonly HtmlPage[], options: InferOptions): Column[] {
  const types = new Map(rows.flatMap((page) => [...page.types]));
  types.delete(TITLE);
  const known = [...types].flatMap(([name, type]) =>
    type === undefined ? [] : [[name, type] as const]
  );
  const forced = { ...options, types: new Map([...known, ...options.types ?? []]) };
  const title: Column = {
    type: "title",
    name: TITLE,
    count: rows.length,
    example: rows[0]?.title ?? "",
  };
  const others = [...types].map(([name, type]): Column => {
    const profile = profileColumn(name);
    for (const { properties } of rows) profile.add(properties.get(name) ?? "");
    const column = profile.finish(forced);
    const { count, example } = column;
    if (type === "files") return { type, name, count, example };
    return type === "relation" ? { type, database: "", name, count, example } : column;
  });
  return [title, ...others];
}

interface LinkedCell {
  readonly column: Column;
  readonly cell: Cell;
}

/** The targets of the links in a cell. */
function linkedCell(
  { index, options }: Reading,
  page: HtmlPage,
  { column, cell }: LinkedCell,
): Cell {
  if (column.type !== "relation" && column.type !== "files") return cell;
  return (typeof cell === "string" ? [] : cell).flatMap((url) => {
    const target = index.resolveUrl(url, page.path);
    if (target === undefined) {
      options.report({ where: page.path, what: `${column.name}: no page or file "${url}"` });
    }
    return target === undefined ? [] : [targetUrl(target)];
  });
}

/** Finds out which database each relation leads to. */
function relateColumns(nodes: readonly Planned[]): Planned[] {
  const databases = new Map(
    nodes.map(({ key, parent, kind }) => [key, kind === "row" ? parent : ""]),
  );
  const rows = Map.groupBy(nodes.filter((node) => node.kind === "row"), ({ parent }) => parent);
  return nodes.map((node) => {
    if (node.kind !== "database") return node;
    const columns = node.columns.map((column, at): Column => {
      if (column.type !== "relation") return column;
      const urls = (rows.get(node.key) ?? []).flatMap(({ cells }) => cells[at] ?? []);
      const targets = urls.map(parseTarget).map((target) =>
        target?.kind === "node" ? databases.get(target.key) : undefined
      );
      const database = targets.find((one) => one !== undefined && one !== "");
      const { name, count, example } = column;
      // Without a row in reach, it is a relation without values.
      if (database === undefined) {
        return { type: "relation", database: node.key, name, count, example };
      }
      return { ...column, database };
    });
    return { ...node, columns };
  });
}
