/**
 * Converts blocks to the flow content of mdast.
 *
 * @module
 */
import type {
  BlockContent,
  Html,
  List,
  ListItem,
  Paragraph,
  PhrasingContent,
  Table,
  TableCell,
} from "mdast";
import { blockKind, blockKinds } from "../blocks/kinds.ts";
import type { BLOCK_TYPES, BlockType, BlockValue } from "../blocks/types.ts";
import type { Color } from "../values/colors.ts";
import type { DownloadUrl } from "../values/hosted_files.ts";
import { type Icon, isHosted } from "../values/icons.ts";
import { plainText, type RichText } from "../values/rich_text.ts";
import type { UrlOf } from "../values/page_urls.ts";
import { alertOf } from "./alerts.ts";
import { toCodeInfo } from "./code_info.ts";
import { type Attributes, BREAK, closeTag, EMPTY_TEXT, openTag } from "./html.ts";
import { attributesOf, type DefaultForm, defaultForm } from "./default_form.ts";
import { isForm, linkTitle, targetTitle } from "./link_forms.ts";
import { plainPhrasing } from "./plain_phrasing.ts";
import { destination, type PhrasingOptions, toPhrasing } from "./to_phrasing.ts";

/** A block with everything that is shown of it. */
export interface PrintableBlock {
  readonly id: string;
  readonly type: BlockType;
  /** The stored value, with names filled in. */
  readonly value: BlockValue;
  /** The title of the page or database that the block is or links to; otherwise `""`. */
  readonly title: string;
  readonly children: Flow;
  /** The rows of a table. */
  readonly rows: readonly BlockValue[];
}

export type Flow = (BlockContent | ListItem)[];

type Form = (block: PrintableBlock, urlOf: UrlOf) => Flow;

/** Converts one block. List items are separate: `gathered` groups neighbours into lists. */
export function toFlow(block: PrintableBlock, urlOf: UrlOf): Flow {
  return (forms.get(block.type) ?? tag)(block, urlOf);
}

/**
 * Groups neighbouring list items of one kind into lists. A numbered list at the start counts from
 * `start`.
 */
export function groupLists(flow: Flow, start = 1): BlockContent[] {
  const result: BlockContent[] = [];
  for (const node of flow) {
    if (node.type !== "listItem") {
      result.push(node);
      continue;
    }
    const ordered = numbered.has(node);
    const last = result.at(-1);
    if (last?.type === "list" && last.ordered === ordered) last.children.push(node);
    else result.push(list(ordered, node, result.length === 0 ? start : 1));
  }
  return result;
}

/** The number of list items of one kind at the end. */
export function itemsAtEnd(flow: Flow): number {
  const last = flow.at(-1);
  if (last?.type !== "listItem") return 0;
  const isOther = (node: Flow[number]): boolean =>
    node.type !== "listItem" || numbered.has(node) !== numbered.has(last);
  return flow.length - 1 - flow.findLastIndex(isOther);
}

/** Items of numbered lists, because in mdast only the list knows its kind. */
const numbered = new WeakSet<ListItem>();

/** The types that have a form of their own. */
type OwnType = {
  [T in BlockType]: (typeof BLOCK_TYPES)[T] extends { readonly ownMarkdown: true } ? T : never;
}[BlockType];

const OWN_FORMS: Readonly<Record<OwnType, Form>> = {
  paragraph,
  heading_1: (block, urlOf) => heading(block, urlOf, 1),
  heading_2: (block, urlOf) => heading(block, urlOf, 2),
  heading_3: (block, urlOf) => heading(block, urlOf, 3),
  bulleted_list_item: (block, urlOf) => [item(withText(text(block, urlOf), block.children))],
  numbered_list_item: (block, urlOf) => {
    const node = item(withText(text(block, urlOf), block.children));
    numbered.add(node);
    return [node];
  },
  to_do: toDo,
  toggle: (block, urlOf) => details(lines(text(block, urlOf)), block.children),
  quote: (block, urlOf) => [{
    type: "blockquote",
    children: groupLists(withText(text(block, urlOf), block.children)),
  }],
  callout: (block, urlOf) => callout(block, urlOf),
  code: ({ value }) => [{
    type: "code",
    ...toCodeInfo(String(value.language), plainText(richTextIn(value, "caption"))),
    value: withLineFeeds(plainText(richTextIn(value, "rich_text"))),
  }],
  equation: ({ value }) => [{ type: "math", value: withLineFeeds(String(value.expression)) }],
  divider: () => [{ type: "thematicBreak" }],
  image: ({ value }) => [{ type: "paragraph", children: [imageOf(value)] }],
  table,
  table_row: ({ value }, urlOf) => [tableOf([cellsIn(value)], urlOf)],
  column: (block) => enclosed(block, block.children, { width: shareOf(block.value) }),
  synced_block: synced,
  link_to_page: linkToPage,
  child_page: ({ id, title }, urlOf) => [titled("child_page", title, urlOf("page", id))],
  child_database: (
    { id, title },
    urlOf,
  ) => [titled("child_database", title, urlOf("database", id))],
  unsupported: (block) => [html(`${openTag("div", markOf(block, { id: block.id }))}</div>`)],
};

const DEFAULT_FORMS: Readonly<Record<DefaultForm, Form>> = { link, container, tag };

const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...blockKinds.map((kind) => [kind.type, DEFAULT_FORMS[defaultForm(kind) ?? "tag"]] as const),
  ...Object.entries(OWN_FORMS),
]);

/** An image; within the link that its whole caption has, if the caption has any text. */
function imageOf(value: BlockValue): PhrasingContent {
  const image = {
    type: "image" as const,
    url: destination(mediaUrl(value)),
    title: null,
    alt: line(captionOf(value)),
  };
  const targets = new Set(richTextIn(value, "caption").map(({ href }) => href));
  const [target] = targets;
  return image.alt.trim() !== "" && targets.size === 1 && target
    ? { type: "link", url: destination(target), children: [image] }
    : image;
}

function paragraph(block: PrintableBlock, urlOf: UrlOf): Flow {
  const content = text(block, urlOf);
  if (block.children.length > 0) return enclosed(block, withText(content, block.children));
  return content.length > 0 ? lines(content) : [html(BREAK)];
}

function heading(block: PrintableBlock, urlOf: UrlOf, depth: 1 | 2 | 3): Flow {
  const node = { type: "heading" as const, depth, children: text(block, urlOf, "line") };
  return block.value.is_toggleable === true ? details([node], block.children) : [node];
}

function toDo(block: PrintableBlock, urlOf: UrlOf): Flow {
  const content = text(block, urlOf);
  const checked = block.value.checked === true;
  const first = block.children[0];
  // The checkbox is part of a paragraph, so there must be one.
  if (content.length === 0 && !(first?.type === "paragraph" && isForm(first))) {
    content.push({ type: "html", value: EMPTY_TEXT });
  }
  return [{ ...item(withText(content, block.children)), checked }];
}

function callout(block: PrintableBlock, urlOf: UrlOf): Flow {
  const { icon } = block.value;
  // Sound because a callout's icon is stored as `toIcon` returns it.
  const alert = alertOf(block.value);
  if (alert !== undefined) return [alertQuote(alert, block, urlOf)];
  const data = { icon: iconText(icon as Icon) };
  return between("aside", data, withText(text(block, urlOf), block.children));
}

/** A callout that looks like one of GitHub's alerts, whose marker stands for its icon and color. */
function alertQuote(name: string, { value, children }: PrintableBlock, urlOf: UrlOf): BlockContent {
  const content = inline(richTextIn(value, "rich_text"), { urlOf, context: "lines" });
  const [only, ...more] = content;
  // The library joins lines before HTML, so that only a text that is printed already can follow.
  const isPrinted = only?.type === "html" && more.length === 0;
  const marker = html(isPrinted ? `[!${name}]\n${only.value}` : `[!${name}]`);
  const text = isPrinted ? children : withText(content, children);
  // Sound because HTML is inline content, too.
  return { type: "blockquote", children: groupLists([...lines([marker as Html]), ...text]) };
}

/** The emoji, the URL or the name of an icon. */
export function iconText(icon: Icon): string | undefined {
  if (icon?.type === "emoji") return icon.emoji;
  if (icon?.type === "external") return icon.external.url;
  // Sound because URLs have been filled in.
  if (isHosted(icon)) return (icon.file as unknown as DownloadUrl).url;
  if (icon?.type === "icon") return `:${icon.icon.name}:`;
  return icon?.type === "custom_emoji" ? `:${icon.custom_emoji.name ?? ""}:` : undefined;
}

function link({ type, value }: PrintableBlock, urlOf: UrlOf): Flow {
  const url = destination(typeof value.url === "string" ? value.url : mediaUrl(value));
  const name = typeof value.name === "string" ? line(value.name) : "";
  const caption = inline(richTextIn(value, "caption"), { urlOf, context: "line", inLink: true });
  const children = caption.length > 0 ? caption : [{ type: "text" as const, value: name || url }];
  return [linked({ url, title: linkTitle(type, name), children })];
}

function linkToPage({ value, title }: PrintableBlock, urlOf: UrlOf): Flow {
  const kind = value.type === "database_id" ? "database" : "page";
  const isComment = value.type === "comment_id";
  const url = urlOf(isComment ? "comment" : kind, String(value[String(value.type)]));
  const linkTitle = isComment ? "link_to_page" : targetTitle("link_to_page", kind, url);
  return [titled(linkTitle, isComment ? url : title, url)];
}

function titled(type: string, title: string, url: string): Paragraph {
  return linked({
    url,
    title: type,
    children: [{ type: "text", value: line(title) || "Untitled" }],
  });
}

function linked(
  link: { readonly url: string; readonly title: string; readonly children: PhrasingContent[] },
): Paragraph {
  return { type: "paragraph", children: [{ type: "link", ...link }] };
}

function table({ value, rows }: PrintableBlock, urlOf: UrlOf): Flow {
  const cells = rows.map(cellsIn);
  // Tables in GFM always have a header: an empty one means no header.
  const hasHeader = value.has_column_header === true;
  const shown = tableOf(hasHeader ? cells : [(cells[0] ?? []).map(() => []), ...cells], urlOf);
  const header = shown.children[0]?.children ?? [];
  if (hasHeader && header.every(({ children }) => children.length === 0)) {
    header[0]?.children.push({ type: "html", value: EMPTY_TEXT });
  }
  return [shown];
}

function tableOf(rows: readonly RichText[][], urlOf: UrlOf): Table {
  const cell = (richText: RichText): TableCell => ({
    type: "tableCell",
    children: inline(richText, { urlOf, context: "cell" }),
  });
  return {
    type: "table",
    children: rows.map((cells) => ({ type: "tableRow", children: cells.map(cell) })),
  };
}

function synced(block: PrintableBlock): Flow {
  // Sound because it is stored as `syncedFrom` returns it.
  const from = block.value.synced_from as { readonly block_id: string } | null | undefined;
  if (!from) return enclosed(block, block.children);
  if (block.children.length > 0) return enclosed(block, block.children, { from: from.block_id });
  return [html(`${openTag("div", markOf(block, { from: from.block_id }))}</div>`)];
}

function container(block: PrintableBlock, urlOf: UrlOf): Flow {
  const kind = blockKind(block.type);
  if (!("rich_text" in kind.fields)) {
    return enclosed(block, block.children, attributesOf(kind, block.value));
  }
  // The text shows the colour.
  const { color: _, ...data } = attributesOf(kind, block.value);
  return enclosed(block, withText(text(block, urlOf), block.children), data);
}

function tag(block: PrintableBlock): Flow {
  const data = attributesOf(blockKind(block.type), block.value);
  return [html(`${openTag("div", markOf(block, data))}</div>`)];
}

function enclosed(block: PrintableBlock, children: Flow, data: Attributes = {}): Flow {
  return between("div", markOf(block, data), children);
}

function markOf({ type }: PrintableBlock, data: Attributes): Attributes {
  return { block: type, ...data };
}

function details(summary: Flow, children: Flow): Flow {
  return between("details", {}, [...between("summary", {}, summary), ...children]);
}

function between(name: string, data: Attributes, children: Flow): Flow {
  return [html(openTag(name, data)), ...children, html(closeTag(name))];
}

/**
 * A text before the children. If it is empty, a marker keeps a child from being read as the text.
 */
function withText(content: PhrasingContent[], children: Flow): Flow {
  const [first] = children;
  if (content.length > 0) return [...lines(content), ...children];
  return first?.type === "paragraph" && !isForm(first) ? [html(EMPTY_TEXT), ...children] : children;
}

function lines(children: PhrasingContent[]): Flow {
  return children.length > 0 ? [{ type: "paragraph", children }] : [];
}

function item(flow: Flow): ListItem {
  const children = groupLists(flow);
  return { type: "listItem", spread: !isTight(children), children };
}

/** Returns whether an item needs no blank lines between its parts: a text, then lists. */
function isTight([first, ...rest]: readonly BlockContent[]): boolean {
  return first === undefined || (first.type === "paragraph" || isFilled(first)) &&
      rest.every(isFilled);
}

/** A list whose first item has text: an empty item would turn the text before it into a heading. */
function isFilled(node: BlockContent): boolean {
  return node.type === "list" && node.children[0]?.children[0]?.type === "paragraph";
}

function list(ordered: boolean, first: ListItem, start: number): List {
  return { type: "list", ordered, start: ordered ? start : null, spread: false, children: [first] };
}

function text(
  { value }: PrintableBlock,
  urlOf: UrlOf,
  context: PhrasingOptions["context"] = "lines",
): PhrasingContent[] {
  // Sound because colours are validated before they are stored.
  const options = { urlOf, context, color: (value.color ?? "default") as Color };
  return inline(richTextIn(value, "rich_text"), options);
}

/** Inline content, already printed if it is plain. */
function inline(richText: RichText, options: PhrasingOptions): PhrasingContent[] {
  const isOwn = (options.color ?? "default") === "default" && !options.inLink;
  const plain = isOwn ? plainPhrasing(richText) : undefined;
  if (plain === undefined) return toPhrasing(richText, options);
  return plain === "" ? [] : [{ type: "html", value: plain }];
}

function richTextIn(value: BlockValue, key: "rich_text" | "caption"): RichText {
  // Sound because rich text is stored as `toRichText` returns it.
  return (value[key] ?? []) as RichText;
}

function cellsIn({ cells }: BlockValue): RichText[] {
  // Sound for the same reason.
  return cells as RichText[];
}

function captionOf(value: BlockValue): string {
  return plainText(richTextIn(value, "caption"));
}

/** The URL of a file. */
export function mediaUrl(value: BlockValue): string {
  // Sound because the member that `type` names exists and has a URL.
  return (value[String(value.type)] as { readonly url: string }).url;
}

function shareOf({ width_ratio: share }: BlockValue): string | undefined {
  return share === undefined ? undefined : String(share);
}

function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function html(value: string): BlockContent {
  return { type: "html", value };
}
