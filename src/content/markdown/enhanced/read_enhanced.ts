/**
 * Reads enhanced Markdown, line by line: tags and attributes for what Markdown has no syntax for,
 * and tabs for children. Each line is looked at once.
 *
 * @module
 */
import type { BlockInput } from "../../blocks/block_input.ts";
import type { BlockType, BlockValue } from "../../blocks/types.ts";
import type { Color } from "../../values/colors.ts";
import { isEmoji } from "../../values/icons.ts";
import { normalizeId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { idInUrl } from "../../values/page_urls.ts";
import type { RichTextInput, RichTextItemInput } from "../../values/rich_text.ts";
import { fromCodeInfo, isLanguage } from "../code_info.ts";
import { blockOf } from "../default_form.ts";
import { targetIn } from "../link_forms.ts";
import { plainItems, splitItems } from "../rich_text_limits.ts";
import { codeBlocks, paragraph } from "../text_blocks.ts";
import {
  type Attributes,
  colorIn,
  type Element,
  leadingElement,
  trailingAttributes,
} from "./attributes.ts";
import { readInline } from "./inline.ts";
import { FENCE, type Line, type LineReader, readLines, withoutIndent } from "./lines.ts";
import { pipeTable, tagTable } from "./read_table.ts";

/** The blocks of a text. Throws a `RangeError` if it is nested too deeply. */
export function readEnhanced(text: string): BlockInput[] {
  return blocksIn({ lines: readLines(text), closers: [], isSynced: false }, 0);
}

/** Returns whether a line ends a container. */
type Closer = (text: string) => boolean;

interface Reading {
  readonly lines: LineReader;
  /** The lines that end the containers around, innermost last. */
  readonly closers: readonly Closer[];
  /** True if a synced block is around, which cannot have copies in it. */
  readonly isSynced: boolean;
}

/**
 * The blocks from here on. In a container, they end at a closing line; below a block, at a line
 * with less indentation.
 */
function blocksIn(reading: Reading, indent: number, isBelow = false): BlockInput[] {
  const { lines, closers } = reading;
  const blocks: BlockInput[] = [];
  for (let line = lines.peekFilled(); line !== undefined; line = lines.peekFilled()) {
    if (isBelow && line.indent < indent) break;
    const { text } = line;
    if (isClosed(text, closers)) break;
    blocks.push(...blockAt(reading, line));
  }
  return blocks;
}

/** Returns whether a line ends one of the containers around. */
function isClosed(text: string, closers: readonly Closer[]): boolean {
  return /^(?:<\/|:::)/.test(text) && closers.some((closes) => closes(text));
}

function blockAt(reading: Reading, line: Line): BlockInput[] {
  const { lines } = reading;
  const { text } = line;
  const tagged = leadingElement(text);
  const read = tagged && ELEMENTS.get(tagged.element.name);
  if (tagged !== undefined && read !== undefined) {
    lines.next();
    // A closing tag that closes nothing is dropped.
    return tagged.element.kind === "close" ? [] : read(reading, { ...tagged, line });
  }
  if (FENCE.test(text)) return fenced(lines, line);
  if (/^\$\$/.test(text)) return equation(lines, line);
  if (/^:::+\s*callout\b/.test(text)) return fencedCallout(reading, line);
  if (text.startsWith("|") || text.includes(" | ")) {
    const table = tableAt(lines, line);
    if (table !== undefined) return table;
  }
  lines.next();
  return textBlock(reading, line);
}

// Blocks of one line, with their children below

/** The characters that a line starts with, and the block that they make. */
interface Marker {
  readonly pattern: RegExp;
  readonly type: (match: RegExpExecArray, attributes: Attributes) => BlockType;
  readonly more?: (match: RegExpExecArray, attributes: Attributes) => BlockValue;
  /** Returns whether it may have children. */
  readonly isParent: (attributes: Attributes) => boolean;
}

const always = () => true;
const isToggle = (attributes: Attributes) => attributes.get("toggle") === "true";

const HEADINGS: readonly BlockType[] = ["heading_1", "heading_2", "heading_3"];

const MARKERS: readonly Marker[] = [
  {
    pattern: /^(#{1,6})(?:[ \t]+|$)/,
    type: ([, marks = ""]) => HEADINGS[marks.length - 1] ?? "heading_3",
    more: (_, attributes) => isToggle(attributes) ? { is_toggleable: true } : {},
    isParent: isToggle,
  },
  {
    pattern: /^[-*+][ \t]+\[([ xX])\](?:[ \t]+|$)/,
    type: () => "to_do",
    more: ([, mark]) => ({ checked: mark !== " " }),
    isParent: always,
  },
  { pattern: /^[-*+](?:[ \t]+|$)/, type: () => "bulleted_list_item", isParent: always },
  { pattern: /^\d{1,9}[.)](?:[ \t]+|$)/, type: () => "numbered_list_item", isParent: always },
  { pattern: /^>(?:[ \t]+|$)/, type: () => "quote", isParent: always },
  { pattern: /^/, type: () => "paragraph", isParent: always },
];

const DIVIDER = /^(?:-[ \t]*){3,}$|^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$/;
const IMAGE =
  /^!\[((?:[^\]\\]|\\.)*)\]\((?:<([^<>]*)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))\)$/;

function textBlock(reading: Reading, line: Line): BlockInput[] {
  if (DIVIDER.test(line.text)) return [{ divider: {} }];
  const { text, attributes } = trailingAttributes(line.text);
  const image = imageIn(text);
  if (image !== undefined) return [image];
  for (const { pattern, type, more, isParent } of MARKERS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const value = { ...colorOf(attributes), ...more?.(match, attributes) };
    const items = readInline(text.slice(match[0].length));
    const children = isParent(attributes) ? childrenBelow(reading, line) : [];
    return textBlocks(type(match, attributes), { items, value, children });
  }
  return [];
}

function childrenBelow(reading: Reading, { indent }: Line): BlockInput[] {
  const next = reading.lines.peekFilled();
  if (next === undefined || next.indent <= indent) return [];
  return blocksIn(reading, indent + 1, true);
}

interface Text {
  readonly items: readonly RichTextItemInput[];
  readonly value: BlockValue;
  readonly children: readonly BlockInput[];
}

/** A block with a text; what does not fit goes on in paragraphs below it, or behind it. */
function textBlocks(type: BlockType, { items, value, children }: Text): BlockInput[] {
  const [rich_text = [], ...more] = splitItems(items);
  const rest = more.map(paragraph);
  const isParent = !type.startsWith("heading_") || value.is_toggleable === true;
  const below = isParent ? [...rest, ...children] : [];
  const block = blockOf(type, { ...value, rich_text, ...childrenOf(below) });
  return isParent ? [block] : [block, ...rest];
}

function imageIn(text: string): BlockInput | undefined {
  const [whole, caption = "", bracketed, bare = ""] = IMAGE.exec(text) ?? [];
  const url = bracketed ?? bare;
  if (whole === undefined || !isUrl(url)) return undefined;
  return { image: { external: { url }, ...captioned(readInline(caption)) } };
}

// Code and formulas

function fenced(lines: LineReader, opening: Line): BlockInput[] {
  const [, fence = "", info = ""] = FENCE.exec(opening.text) ?? [];
  lines.next();
  const code = linesUntil(lines, closesFence(fence)).map((line) =>
    withoutIndent(line, opening.indent)
  );
  const { language, caption } = codeInfo(info.trim());
  return codeBlocks(code.join("\n"), language, caption);
}

function codeInfo(info: string): ReturnType<typeof fromCodeInfo> {
  if (isLanguage(info)) return { language: info, caption: "" };
  const [lang = "", meta = ""] = info.split(/\s+(.*)/s);
  return fromCodeInfo({ lang: lang || null, meta: meta || null });
}

function equation(lines: LineReader, opening: Line): BlockInput[] {
  lines.next();
  const [fence = "$$"] = /^\$+/.exec(opening.text) ?? [];
  const inside = opening.text.slice(fence.length);
  const isWhole = inside.length > fence.length && inside.endsWith(fence);
  const expression = isWhole ? inside.slice(0, -fence.length).trim() : [
    ...(inside.trim() === "" ? [] : [inside]),
    ...linesUntil(lines, closesFence(fence))
      .map((line) => withoutIndent(line, opening.indent)),
  ].join("\n");
  return expression.length <= LIMITS.equation
    ? [{ equation: { expression } }]
    : codeBlocks(expression, "latex");
}

/** Returns whether a line closes this fence: the same character, at least as often. */
function closesFence(fence: string): Closer {
  const [character = ""] = fence;
  return (text) => text.length >= fence.length && text === character.repeat(text.length);
}

function linesUntil(lines: LineReader, closes: Closer): Line[] {
  const found: Line[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (closes(line.text)) break;
    found.push(line);
  }
  return found;
}

const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** The table of GFM that starts here; undefined if there is none. */
function tableAt(lines: LineReader, first: Line): BlockInput[] | undefined {
  const second = lines.peekSecond();
  if (second === undefined || !second.text.includes("-") || !DELIMITER_ROW.test(second.text)) {
    return undefined;
  }
  if (cellsIn(first.text) !== cellsIn(second.text)) return undefined;
  const rows = [first.text];
  lines.next();
  for (let line = lines.peek(); line?.text.includes("|"); line = lines.peek()) {
    rows.push(line.text);
    lines.next();
  }
  return pipeTable(rows.join("\n"));
}

/** The number of cells in a row: one more than there are bars inside of it. */
function cellsIn(row: string): number {
  const bars = row.matchAll(/\\[\\|]|\|/g).filter(([bar]) => bar === "|").toArray();
  const inside = bars.filter(({ index }) => index > 0 && index < row.length - 1);
  return inside.length + 1;
}

// Tags

interface Tagged {
  readonly element: Element;
  /** The text after the tag in its line. */
  readonly rest: string;
  readonly line: Line;
}

type ElementReader = (reading: Reading, tagged: Tagged) => BlockInput[];

const ELEMENTS: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ["details", details],
  ["callout", callout],
  ["columns", columns],
  ["column", (reading, tagged) => insideOf(reading, tagged)],
  ["synced_block", synced],
  ["synced_block_reference", copy],
  ["table", table],
  ["empty-block", emptyBlock],
  ["table_of_contents", (_, { element }) => [{ table_of_contents: colorOf(element.attributes) }]],
  ["breadcrumb", () => [{ breadcrumb: {} }]],
  ["page", link],
  ["database", link],
  ["unknown", () => []],
  ...["audio", "video", "pdf", "file", "embed", "bookmark"].map(
    (name): [string, ElementReader] => [name, media],
  ),
]);

/** The blocks between a tag and its closing tag, which may be in the same line. */
function insideOf(
  reading: Reading,
  { element: { kind, name }, rest, line }: Tagged,
  more: Partial<Reading> = {},
): BlockInput[] {
  if (kind === "whole") return [];
  const { lines, closers } = reading;
  const tag = `</${name}>`;
  const closes: Closer = (text) => text.startsWith(tag);
  const end = rest.indexOf(tag);
  const part = (text: string) => blocksIn({ ...reading, ...more, lines: readLines(text) }, 0);
  if (end >= 0) return part(rest.slice(0, end));
  const first = rest.trim() === "" ? [] : part(rest);
  const inner = { ...reading, ...more, closers: [...closers, closes] };
  const blocks = blocksIn(inner, line.indent);
  if (closes(lines.peek()?.text ?? "")) lines.next();
  return [...first, ...blocks];
}

function details(reading: Reading, tagged: Tagged): BlockInput[] {
  const { lines } = reading;
  const value = colorOf(tagged.element.attributes);
  const inline = summaryIn(tagged.rest.trim());
  const next = inline === undefined && tagged.rest.trim() === "" ? lines.peekFilled() : undefined;
  const below = next && summaryIn(next.text);
  if (below !== undefined) lines.next();
  const summary = inline ?? below;
  const rest = summary?.rest ?? tagged.rest;
  const children = insideOf(reading, { ...tagged, rest });
  return textBlocks("toggle", { items: summary?.items ?? [], value, children });
}

/** The text of a summary at the start of a line, and what follows it. */
function summaryIn(
  text: string,
): { readonly items: readonly RichTextItemInput[]; readonly rest: string } | undefined {
  const [whole, inside = ""] = /^<summary>(.*?)<\/summary>/s.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : { items: readInline(inside), rest: text.slice(whole.length) };
}

function callout(reading: Reading, tagged: Tagged): BlockInput[] {
  return [calloutBlock(tagged.element.attributes, insideOf(reading, tagged))];
}

function fencedCallout(reading: Reading, line: Line): BlockInput[] {
  const { lines, closers, isSynced } = reading;
  lines.next();
  const { attributes } = trailingAttributes(line.text);
  const closes = closesFence(":::");
  const inside = blocksIn({ lines, closers: [...closers, closes], isSynced }, line.indent);
  if (closes(lines.peek()?.text ?? "")) lines.next();
  return [calloutBlock(attributes, inside)];
}

/** The first paragraph in a callout is its text. */
function calloutBlock(attributes: Attributes, inside: readonly BlockInput[]): BlockInput {
  const [first, ...rest] = inside;
  const text = first?.paragraph;
  const isText = text !== undefined && text.children === undefined;
  return {
    callout: {
      ...colorOf(attributes),
      ...iconOf(attributes.get("icon")),
      rich_text: isText ? text.rich_text : [],
      ...childrenOf(isText ? rest : inside),
    },
  };
}

function iconOf(icon: string | undefined): object {
  if (icon === undefined || icon === "" || icon.length > LIMITS.url) return {};
  if (/^https?:/.test(icon)) return { icon: { external: { url: icon } } };
  return icon.length <= LIMITS.emoji && isEmoji(icon) ? { icon: { emoji: icon } } : {};
}

function columns(reading: Reading, tagged: Tagged): BlockInput[] {
  const { lines, closers } = reading;
  const closes: Closer = (text) => text.startsWith("</columns>");
  const found: BlockInput[] = [];
  const inner = { ...reading, closers: [...closers, closes] };
  for (let line = lines.peekFilled(); line !== undefined; line = lines.peekFilled()) {
    const { text } = line;
    if (isClosed(text, inner.closers)) break;
    const next = leadingElement(text);
    if (next?.element.name !== "column" || next.element.kind !== "open") {
      found.push(...blockAt(inner, line));
      continue;
    }
    lines.next();
    const children = insideOf(inner, { ...next, line });
    found.push({
      column: {
        ...ratioOf(next.element.attributes),
        children: children.length > 0 ? children : [paragraph([])],
      },
    });
  }
  if (closes(lines.peek()?.text ?? "")) lines.next();
  const isWhole = found.length >= 2 && found.every((block) => block.column !== undefined);
  if (isWhole && tagged.element.kind === "open") return [{ column_list: { children: found } }];
  return found.flatMap((block) => block.column?.children ?? [block]);
}

function ratioOf(attributes: Attributes): { readonly width_ratio?: number } {
  const exact = Number(attributes.get("width-ratio") ?? NaN);
  const ratio = Number.isNaN(exact) ? Number(attributes.get("ratio") ?? NaN) / 100 : exact;
  return ratio >= 0 && ratio <= 1 ? { width_ratio: ratio } : {};
}

function synced(reading: Reading, tagged: Tagged): BlockInput[] {
  const children = insideOf(reading, tagged, { isSynced: true });
  return [{ synced_block: childrenOf(children) }];
}

/** A copy, which shows the children of its original; those in the text are only for people. */
function copy(reading: Reading, tagged: Tagged): BlockInput[] {
  const children = insideOf(reading, tagged, { isSynced: true });
  const block_id = idInUrl(tagged.element.attributes.get("url") ?? "");
  if (block_id === undefined || reading.isSynced) return children;
  return [{ synced_block: { synced_from: { block_id: normalizeId(block_id) } } }];
}

function table({ lines }: Reading, { element, rest }: Tagged): BlockInput[] {
  const end = rest.indexOf("</table>");
  const source = end >= 0
    ? rest.slice(0, end)
    : [rest, ...linesUntil(lines, (text) => text.endsWith("</table>")).map(({ text }) => text)]
      .join("\n");
  return tagTable(element.attributes, source);
}

function emptyBlock(reading: Reading, { element, line }: Tagged): BlockInput[] {
  const children = childrenBelow(reading, line);
  return [{
    paragraph: { rich_text: [], ...colorOf(element.attributes), ...childrenOf(children) },
  }];
}

/** A text cannot create pages or databases, so these become links to existing ones. */
function link(_: Reading, tagged: Tagged): BlockInput[] {
  const { name, attributes } = tagged.element;
  const title = contentOf(tagged);
  const url = attributes.get("url") ?? "";
  const target = targetIn(url, name === "database" ? name : undefined);
  if (target?.kind === "comment") return [{ link_to_page: { comment_id: target.id } }];
  if (target === undefined || target.kind === "user") return [paragraph(plainItems(title || url))];
  const { id } = target;
  return [{ link_to_page: name === "database" ? { database_id: id } : { page_id: id } }];
}

function media(_: Reading, tagged: Tagged): BlockInput[] {
  const { name, attributes } = tagged.element;
  const caption = readInline(contentOf(tagged));
  const url = attributes.get("src") ?? attributes.get("url") ?? "";
  if (!isUrl(url)) return caption.length > 0 ? [paragraph(firstGroup(caption))] : [];
  if (name === "embed") return [{ embed: { url, ...captioned(caption) } }];
  if (name === "bookmark") return [{ bookmark: { url, ...captioned(caption) } }];
  const external = { external: { url }, ...captioned(caption) };
  const fileName = attributes.get("name");
  if (name === "audio") return [{ audio: external }];
  if (name === "video") return [{ video: external }];
  if (name === "pdf") return [{ pdf: external }];
  return [{
    file: { ...external, ...(fileName && fileName.length <= LIMITS.name && { name: fileName }) },
  }];
}

/** The text between a tag and its closing tag, or up to the end of the line. */
function contentOf({ element: { kind, name }, rest }: Tagged): string {
  if (kind === "whole") return "";
  const end = rest.indexOf(`</${name}>`);
  return end < 0 ? rest : rest.slice(0, end);
}

function colorOf(attributes: Attributes): { readonly color?: Color } {
  const color = colorIn(attributes);
  return color === undefined ? {} : { color };
}

function childrenOf(children: readonly BlockInput[]): { children?: readonly BlockInput[] } {
  return children.length > 0 ? { children } : {};
}

function captioned(items: readonly RichTextItemInput[]): { readonly caption?: RichTextInput } {
  return items.length > 0 ? { caption: firstGroup(items) } : {};
}

function firstGroup(items: readonly RichTextItemInput[]): RichTextInput {
  return splitItems(items)[0] ?? [];
}

function isUrl(url: string): boolean {
  return url !== "" && url.length <= LIMITS.url;
}
