/**
 * Notes: Markdown files with their title and properties, and their content as blocks.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { readMarkdown } from "../../../content/markdown/read_markdown.ts";
import { parseYaml } from "../../../shared/yaml.ts";
import { openBlock, plainTextOf } from "../links/blocks.ts";
import { linkBlocks, type LinkContext } from "../links/link_blocks.ts";
import { linkedNodes, linkUrls } from "../links/linked_nodes.ts";
import type { OpenContent, SourceKind } from "../plan.ts";
import { stemOf } from "../source/names.ts";
import { readBytes, type Source, SourceError } from "../source/source.ts";
import { decodeText } from "../source/text.ts";
import type { Cell } from "../tables/column.ts";
import { notionDialect, obsidianDialect, plainDialect } from "./dialects.ts";
import { splitFrontMatter } from "./lines.ts";
import { namedBlocks, pageProperties, rewriteOutline } from "./logseq.ts";

/** A Markdown file, as described by its path alone, before its content is read. */
export interface Note {
  readonly path: string;
  readonly title: string;
  /** Other names that links may use. */
  readonly aliases: readonly string[];
  readonly properties: ReadonlyMap<string, Cell>;
  /** Place among its siblings. */
  readonly position: number | undefined;
  readonly icon: string | undefined;
  /** URLs of links, in order; only of the vendor's exports. */
  readonly links: readonly string[];
  /** Blocks that others refer to, by their ID. */
  readonly blocks: ReadonlyMap<string, string>;
  /** Lines `Name: value` below the title; only of the vendor's exports. */
  readonly valueLines: ReadonlyMap<string, string>;
}

/** Names in front matter that say how a page is published, and not what is in it. */
const NOT_PROPERTIES = new Set([
  ...["title", "alias", "aliases", "cssclass", "cssclasses", "slug", "permalink", "id", "layout"],
  ...["sidebar_position", "sidebar_label", "weight", "nav_order", "position", "publish"],
]);

interface ReadOptions {
  readonly kind: SourceKind;
  readonly encoding?: string | undefined;
}

/** The text of a file, with `\n` as line ends. */
export async function readText(
  source: Source,
  path: string,
  encoding?: string,
): Promise<string> {
  const { text } = await decodeText(await readBytes(source, path), encoding);
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

/** Reads what a note is known by. */
export async function scanNote(
  source: Source,
  path: string,
  { kind, encoding }: ReadOptions,
): Promise<Note> {
  const text = await readText(source, path, encoding);
  const { matter, rest } = splitFrontMatter(text);
  const values = { ...yamlValues(matter), ...(kind === "logseq" && pageProperties(rest).values) };
  const heading = /^\s*# +(.+?)(?: +#+)?\s*(?:\n|$)/.exec(rest)?.[1];
  const isNotion = kind === "notion-markdown";
  const tags = kind === "obsidian" || kind === "logseq" ? tagsIn(rest) : [];
  return {
    path,
    title: titleOf(path, { kind, values, heading }),
    aliases: listOf(values.aliases ?? values.alias),
    properties: propertiesOf(values, tags),
    position: numberOf(values.sidebar_position ?? values.weight ?? values.nav_order),
    icon: typeof values.icon === "string" ? values.icon : undefined,
    links: isNotion ? linkUrls(rest) : [],
    blocks: new Map(
      kind === "logseq" ? namedBlocks(rest).map(({ id, text }) => [id, text]) : [],
    ),
    valueLines: isNotion ? valueLines(rest).values : new Map(),
  };
}

function titleOf(
  path: string,
  { kind, values, heading }: {
    readonly kind: SourceKind;
    readonly values: Readonly<Record<string, unknown>>;
    readonly heading: string | undefined;
  },
): string {
  const stem = stemOf(path);
  if (kind === "notion-markdown") return plainHeading(heading) ?? withoutId(stem);
  if (kind === "obsidian") return stem;
  if (kind === "logseq") {
    const journal = /^(\d{4})_(\d{2})_(\d{2})$/.exec(stem);
    const name = stem.split("___").at(-1) ?? stem;
    const title = typeof values.title === "string" ? values.title : decoded(name);
    return journal === null ? title : journal.slice(1).join("-");
  }
  return typeof values.title === "string" ? values.title : plainHeading(heading) ?? stem;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The name of a file of the vendor's export without its 32-digit ID. */
export function withoutId(stem: string): string {
  return stem.replace(/(?:^|[ _-])[0-9a-f]{32}$/i, "").trim() || "Untitled";
}

function plainHeading(heading: string | undefined): string | undefined {
  const plain = heading?.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/(\*\*|__|`)/g, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1").trim();
  return plain || undefined;
}

function yamlValues(matter: string): Readonly<Record<string, unknown>> {
  const text = matter.replace(/^---[ \t]*\n/, "").replace(/(?:---|\.\.\.)[ \t]*\n?$/, "");
  try {
    const value = parseYaml(text, { schema: "core" });
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : {};
  } catch (error) {
    // Broken front matter stays in the page as it is.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function propertiesOf(
  values: Readonly<Record<string, unknown>>,
  tags: readonly string[],
): Map<string, Cell> {
  const properties = new Map<string, Cell>();
  for (const [name, value] of Object.entries(values)) {
    const cell = cellOf(value);
    if (!NOT_PROPERTIES.has(name.toLowerCase()) && cell.length > 0) properties.set(name, cell);
  }
  const given = listOf(values.tags ?? values.tag).map((tag) => tag.replace(/^#/, ""));
  const all = [...new Set([...given, ...tags])];
  properties.delete("tag");
  if (all.length > 0) properties.set("tags", all);
  return properties;
}

function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return value.map(scalarText).filter((text) => text !== "");
  return scalarText(value);
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(/\[\[([^\]|]+\|)?([^\]]+)\]\]/g, "$2").trim();
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(scalarText).filter((text) => text !== "");
  return scalarText(value).split(/[,\s]+/).filter((text) => text !== "");
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

const TAG = /(?<=^|\s)#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu;

/** Tags in the text, not those in code and URLs. */
function tagsIn(text: string): string[] {
  const plain = text.replace(/(`{3,}|~{3,})[^]*?(?:\n\s*\1|$)/g, "").replace(/`[^`\n]*`/g, "");
  return [...new Set([...plain.matchAll(TAG)].map(([, tag = ""]) => tag))];
}

/** The lines `Name: value` between the title and the body of a row. */
function valueLines(text: string) {
  const [all = "", lines = ""] = /^\s*# [^\n]*\n\n((?:[^\n:]+: ?[^\n]*\n?)+)(?:\n|$)/.exec(text) ??
    [];
  const pairs = lines.split("\n").flatMap((line): [string, string][] => {
    const [, name, value = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  return { values: new Map(pairs), length: all.length };
}

export interface NoteContext extends LinkContext, ReadOptions {
  readonly source: Source;
  /** True if the front matter is in properties, so that it is not shown. */
  readonly hasProperties: boolean;
  readonly title: string;
  /** Names of columns: lines of the vendor's rows with these names are no content. */
  readonly columns?: ReadonlySet<string>;
  /** Returns what stands for a reference to a block. */
  readonly blockLink?: (id: string) => string;
}

/** Opens the content of a note. */
export async function openNote(context: NoteContext): Promise<OpenContent> {
  const { source, from, encoding } = context;
  const { matter, rest } = splitFrontMatter(await readText(source, from, encoding));
  const text = (context.hasProperties ? "" : matter) + rewrite(rest, context);
  return { linked: linkedNodes(text, context), blocks: () => blocksOf(text, context) };
}

function blocksOf(text: string, context: NoteContext): BlockInput[] {
  const { frontMatter, blocks } = parse(text, context.from);
  const content = linkBlocks(withoutTitle(blocks, context), context);
  const body = context.kind === "notion-markdown" ? withoutRepeats(content) : content;
  return [...frontMatter?.blocks ?? [], ...body];
}

function parse(text: string, path: string) {
  try {
    return readMarkdown(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SourceError(`${path} is nested too deeply`);
  }
}

function rewrite(text: string, { kind, columns, blockLink = (id) => id }: NoteContext): string {
  if (kind === "obsidian") return obsidianDialect(text);
  if (kind === "notion-markdown") return notionDialect(withoutValues(text, columns));
  if (kind !== "logseq") return plainDialect(text);
  return obsidianDialect(rewriteOutline(pageProperties(text).rest, blockLink));
}

function withoutValues(text: string, columns: ReadonlySet<string> | undefined): string {
  const { values, length } = valueLines(text);
  const isRow = columns !== undefined && values.size > 0 &&
    [...values.keys()].every((name) => columns.has(name));
  return isRow ? text.slice(length) : text;
}

/** A page has its title above its content, so a heading with the title repeats it. */
function withoutTitle(
  blocks: readonly BlockInput[],
  { title, kind }: NoteContext,
): readonly BlockInput[] {
  const [first] = blocks;
  const heading = first?.heading_1;
  if (heading === undefined) return blocks;
  const isTitle = kind === "notion-markdown" || plainTextOf(heading.rich_text).trim() === title;
  return isTitle ? blocks.slice(1) : blocks;
}

/** The vendor repeats the caption of a picture in the paragraph below it. */
function withoutRepeats(blocks: readonly BlockInput[]): BlockInput[] {
  return blocks.filter((block, index) => {
    const before = blocks[index - 1];
    const text = plainTextOf(block.paragraph?.rich_text ?? []);
    const caption = before?.image && plainTextOf(openBlock(before).body.caption ?? []);
    return text === "" || text !== caption;
  });
}
