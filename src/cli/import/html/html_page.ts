/**
 * HTML files: their title, icon and properties, and their content as blocks.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { linkBlocks, type LinkContext } from "../links/link_blocks.ts";
import { linkedNodes } from "../links/linked_nodes.ts";
import { type Note, readText, withoutId } from "../markdown/note.ts";
import type { OpenContent } from "../plan.ts";
import { stemOf } from "../source/names.ts";
import type { Source } from "../source/source.ts";
import type { Cell, ColumnType } from "../tables/column.ts";
import {
  attribute,
  type Element,
  elementsOf,
  findAll,
  findFirst,
  hasClass,
  parseHtml,
  textIn,
} from "./elements.ts";
import { flow } from "./flow.ts";

/** A page of an export, with the types of its properties. */
export interface HtmlPage extends Note {
  readonly types: ReadonlyMap<string, PropertyClass>;
  /** True if the page is a database as a whole: it holds nothing but its table. */
  readonly isDatabase: boolean;
}

/** The types of properties that exports name; the others are inferred. */
const TYPES = {
  text: "rich_text",
  number: "number",
  select: "select",
  status: "select",
  multi_select: "multi_select",
  person: "rich_text",
  checkbox: "checkbox",
  date: "date",
  created_time: "date",
  last_edited_time: "date",
  url: "url",
  email: "email",
  phone_number: "phone_number",
  file: "files",
  relation: "relation",
} as const satisfies Readonly<Record<string, ColumnType>>;

export type PropertyClass = (typeof TYPES)[keyof typeof TYPES] | undefined;

interface ReadOptions {
  readonly encoding?: string | undefined;
}

/** Reads what a page is known by. */
export async function scanHtml(
  source: Source,
  path: string,
  { encoding }: ReadOptions,
): Promise<HtmlPage> {
  const root = parseHtml(await readText(source, path, encoding));
  const heading = findFirst(root, (one) => hasClass(one, "page-title")) ??
    findFirst(root, ({ tagName }) => tagName === "title") ??
    findFirst(root, ({ tagName }) => tagName === "h1");
  const icon = findFirst(root, (one) => hasClass(one, "icon"));
  const rows = propertyRows(root);
  const body = bodyOf(root);
  return {
    path,
    title: textIn(heading).trim() || withoutId(stemOf(path)),
    aliases: [],
    position: undefined,
    icon: icon && (attribute(icon, "data-emoji") || textIn(icon).trim()),
    properties: new Map(rows.map(({ name, cell }) => [name, cell])),
    types: new Map(rows.map(({ name, type }) => [name, type])),
    links: findAll(root, ({ tagName }) => tagName === "a").map((one) => attribute(one, "href")),
    blocks: new Map(),
    valueLines: new Map(),
    isDatabase: findFirst(root, (one) => hasClass(one, "collection-content")) !== undefined &&
      flow(body.childNodes).length === 0,
  };
}

type Root = ReturnType<typeof parseHtml>;

function bodyOf(root: Root): Element | Root {
  return findFirst(root, (one) => hasClass(one, "page-body")) ??
    findFirst(root, ({ tagName }) => tagName === "body") ?? root;
}

interface PropertyRow {
  readonly name: string;
  readonly type: PropertyClass;
  readonly cell: Cell;
}

function propertyRows(root: Root): PropertyRow[] {
  const table = findFirst(root, (one) => one.tagName === "table" && hasClass(one, "properties"));
  if (table === undefined) return [];
  return findAll(table, ({ tagName }) => tagName === "tr").flatMap((row): PropertyRow[] => {
    const [, kind = ""] = /property-row-(\w+)/.exec(attribute(row, "class")) ?? [];
    const [head, value] = elementsOf(row);
    const name = textIn(head).trim();
    if (name === "" || value === undefined) return [];
    return [{ name, type: new Map(Object.entries(TYPES)).get(kind), cell: cellOf(kind, value) }];
  });
}

function cellOf(kind: string, value: Element): Cell {
  const all = (test: (element: Element) => boolean) =>
    findAll(value, test).map((one) => textIn(one).trim()).filter((text) => text !== "");
  switch (kind) {
    case "checkbox":
      return findFirst(value, (one) => hasClass(one, "checkbox-on")) === undefined ? "No" : "Yes";
    case "multi_select":
      return all((one) => hasClass(one, "selected-value"));
    case "relation":
    case "file":
      return findAll(value, ({ tagName }) => tagName === "a").map((one) => attribute(one, "href"));
    case "person":
      return all((one) => hasClass(one, "user")).join(", ") || textIn(value).trim();
    case "date":
    case "created_time":
    case "last_edited_time":
      return textIn(value).trim().replace(/@/g, "");
    default:
      return textIn(value).trim();
  }
}

export interface HtmlContext extends LinkContext, ReadOptions {
  readonly source: Source;
}

/** Opens the content of a page. */
export async function openHtml(context: HtmlContext): Promise<OpenContent> {
  const text = await readText(context.source, context.from, context.encoding);
  return { linked: linkedNodes(text, context), blocks: () => blocksOf(text, context) };
}

function blocksOf(text: string, context: HtmlContext): BlockInput[] {
  const root = parseHtml(text);
  const body = bodyOf(root);
  const title = findFirst(body, ({ tagName }) => tagName === "h1");
  const isTitle = title !== undefined && !hasClass(title, "page-title") &&
    textIn(title).trim() === textIn(findFirst(root, ({ tagName }) => tagName === "title")).trim();
  const blocks = flow(body.childNodes);
  return linkBlocks(isTitle && blocks[0]?.heading_1 ? blocks.slice(1) : blocks, context);
}
