/**
 * Converts rich text to the inline content of mdast.
 *
 * @module
 */
import type { PhrasingContent } from "mdast";
import type { Color } from "../values/colors.ts";
import type { Mention } from "../values/mention.ts";
import type { RichText, RichTextItem } from "../values/rich_text.ts";
import type { Addressed, UrlOf } from "../values/page_urls.ts";
import { BREAK, closeTag, EMPTY_TEXT, openTag } from "./html.ts";
import { inOneLine, withBackticks } from "./inline_math.ts";
import { mentionTitle } from "./link_forms.ts";

export interface PhrasingOptions {
  readonly urlOf: UrlOf;
  /**
   * The context: a paragraph has lines, a heading or link has one, and a cell also ends at a bar.
   */
  readonly context: "lines" | "line" | "cell";
  /** The colour of text without its own colour. */
  readonly color?: Color;
  /** Set inside a link, which cannot contain other links. */
  readonly inLink?: true;
}

/** A piece of text with the marks around it, outermost first; `""` for a missing mark. */
interface Span {
  readonly marks: readonly string[];
  readonly leaf: PhrasingContent;
}

const NO_MARKS = ["", "", "", "", "", ""] as const;
const NEW_LINE: Span = { marks: NO_MARKS, leaf: { type: "break" } };

/** Wraps content in the mark of each level. */
const WRAPPERS: readonly ((mark: string, children: PhrasingContent[]) => PhrasingContent[])[] = [
  (mark, children) => [toLink(mark, children)],
  (color, children) => tagged("span", children, { color }),
  (_, children) => tagged("u", children),
  (_, children) => [{ type: "strong", children }],
  (_, children) => [{ type: "emphasis", children }],
  (_, children) => [{ type: "delete", children }],
];

/** The inline content of rich text; empty if there is no text. */
export function toPhrasing(richText: RichText, options: PhrasingOptions): PhrasingContent[] {
  const spans = richText.flatMap((item, index) => toSpans(item, index, options));
  const content = separated(nested(withBreaks(spans, options), 0));
  return options.context === "cell" ? withEdges(content) : content;
}

function toSpans(item: RichTextItem, index: number, options: PhrasingOptions): Span[] {
  const marks = marksOf(item, index, options);
  if (item.type === "equation") return formula(item.equation.expression, { marks, options });
  const isCoded = item.annotations.code && isCode(item, options);
  if (!SPECIAL.test(item.plain_text)) return plainSpan(item.plain_text, marks, isCoded);
  return item.plain_text.split(/(\n|\r|\uFEFF)/).filter((text) => text !== "").map((text) =>
    text === "\n" ? NEW_LINE : { marks, leaf: leafOf(text, isCoded) }
  );
}

/** Characters that are printed separately from the text around them. */
const SPECIAL = /[\n\r\uFEFF]/;

function plainSpan(text: string, marks: readonly string[], isCode: boolean): Span[] {
  return text === "" ? [] : [{ marks, leaf: leafOf(text, isCode) }];
}

function leafOf(value: string, isCode: boolean): PhrasingContent {
  if (isCode) return { type: "inlineCode", value };
  // A literal carriage return is a line end, and a byte order mark is dropped.
  return value === "\r" || value === "\uFEFF" ? reference(value) : { type: "text", value };
}

function reference(character: string): PhrasingContent {
  return html(`&#x${character.charCodeAt(0).toString(16)};`);
}

function isCode({ plain_text: text }: RichTextItem, { context }: PhrasingOptions): boolean {
  // Code has no escapes, so it cannot contain these; in a cell, a bar would need one.
  return !/[\r\uFEFF]/.test(text) && !(context === "cell" && text.includes("\\|"));
}

function formula(
  expression: string,
  { marks, options }: { readonly marks: readonly string[]; readonly options: PhrasingOptions },
): Span[] {
  const value = inOneLine(expression);
  if (value === "") return [];
  const isText = options.context === "cell" && value.includes("|");
  return [{
    marks,
    leaf: isText ? { type: "text", value } : { type: "inlineMath", value: withBackticks(value) },
  }];
}

function marksOf(item: RichTextItem, index: number, options: PhrasingOptions): readonly string[] {
  const { bold, italic, strikethrough, underline, color } = item.annotations;
  const shade = color === "default" ? options.color ?? color : color;
  const link = options.inLink ? "" : linkOf(item, index, options.urlOf);
  if (link === "" && shade === "default" && !(bold || italic || strikethrough || underline)) {
    return NO_MARKS;
  }
  return [
    link,
    shade === "default" ? "" : shade,
    underline ? "u" : "",
    bold ? "b" : "",
    italic ? "i" : "",
    strikethrough ? "s" : "",
  ];
}

/**
 * The link around an item as one text of three lines: what tells a mention from one like it beside
 * it, title, URL.
 */
function linkOf(item: RichTextItem, index: number, urlOf: UrlOf): string {
  if (item.type !== "mention") return item.href === null ? "" : `\n\n${item.href}`;
  const { title = "", url } = mentionTarget(item.mention, urlOf) ?? {};
  return url === undefined ? "" : `${index}\n${title}\n${url}`;
}

interface Target {
  readonly title?: string;
  readonly url: string;
}

function mentionTarget(mention: Mention, urlOf: UrlOf): Target | undefined {
  if (mention.type === "user") return titled("user", urlOf("user", mention.user.id));
  if (mention.type === "page") return titled("page", urlOf("page", mention.page.id));
  if (mention.type === "database") {
    return titled("database", urlOf("database", mention.database.id));
  }
  if (mention.type === "link_preview") return { url: mention.link_preview.url };
  return mention.type === "link_mention" ? { url: mention.link_mention.href } : undefined;
}

function titled(kind: Addressed, url: string): Target {
  return { title: mentionTitle(kind, url), url };
}

function toLink(mark: string, children: PhrasingContent[]): PhrasingContent {
  const [, title = "", ...url] = mark.split("\n");
  return { type: "link", url: url.join("\n"), title: title || null, children };
}

/** A URL as the destination of a link: a bracket at its start would be read as a delimiter. */
export function destination(url: string): string {
  return url.replace(/^</, "%3C");
}

function tagged(
  name: string,
  children: PhrasingContent[],
  data: Readonly<Record<string, string>> = {},
): PhrasingContent[] {
  return [
    { type: "html", value: openTag(name, data) },
    ...children,
    { type: "html", value: closeTag(name) },
  ];
}

/**
 * Replaces line breaks by the form that their context allows: Markdown's own needs text on both
 * sides, and HTML cannot follow it.
 */
function withBreaks(spans: readonly Span[], { context }: PhrasingOptions): readonly Span[] {
  if (!spans.includes(NEW_LINE)) return spans;
  const result = [...spans];
  for (let index = spans.length - 1; index >= 0; index--) {
    const next = result[index + 1];
    if (result[index] !== NEW_LINE) continue;
    const isOwn = context === "lines" && index > 0 && next !== undefined && !isHtml(next);
    if (!isOwn) result[index] = { marks: NO_MARKS, leaf: html(BREAK) };
  }
  // A line break alone would be read as an empty paragraph.
  const isAlone = spans.length === 1 && spans[0] === NEW_LINE;
  return isAlone ? [...result, { marks: NO_MARKS, leaf: html(EMPTY_TEXT) }] : result;
}

/** Returns whether the printed text starts with a tag or a character reference. */
function isHtml({ marks: [link, color, underline], leaf }: Span): boolean {
  return link === "" && (color !== "" || underline !== "" || leaf.type === "html");
}

/** Nests spans in their marks from this level on; neighbours share marks. */
function nested(spans: readonly Span[], level: number): PhrasingContent[] {
  const here = firstMarked(spans, level);
  const wrap = WRAPPERS[here];
  if (wrap === undefined) return spans.map(({ leaf }) => leaf);
  const content: PhrasingContent[] = [];
  for (let start = 0; start < spans.length;) {
    const mark = spans[start]?.marks[here] ?? "";
    let end = start + 1;
    while (end < spans.length && spans[end]?.marks[here] === mark) end++;
    const children = separated(nested(spans.slice(start, end), here + 1));
    content.push(...mark === "" ? children : wrap(mark, children));
    start = end;
  }
  return content;
}

/** Protects space at the edges of a cell, which Markdown would drop. */
function withEdges(content: readonly PhrasingContent[]): PhrasingContent[] {
  return content.flatMap((node, index) => {
    if (node.type !== "text") return [node];
    const start = index === 0 ? /^[ \t]?/.exec(node.value)?.[0] ?? "" : "";
    const isLast = index === content.length - 1 && node.value.length > start.length;
    const end = isLast ? /[ \t]?$/.exec(node.value)?.[0] ?? "" : "";
    const value = node.value.slice(start.length, node.value.length - end.length);
    const edge = (space: string) => space === "" ? [] : [reference(space)];
    return [
      ...edge(start),
      ...value === "" ? [] : [{ type: "text" as const, value }],
      ...edge(end),
    ];
  });
}

/** The first level from this one on at which any span has a mark. */
function firstMarked(spans: readonly Span[], level: number): number {
  let here = level;
  while (here < WRAPPERS.length && spans.every(({ marks }) => marks[here] === "")) here++;
  return here;
}

/** Joins neighbouring texts and neighbouring code, and separates neighbouring formulas. */
function separated(content: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of content) {
    const last = result.at(-1);
    if (last?.type === "text" && node.type === "text") last.value += node.value;
    else if (last?.type === "inlineCode" && node.type === "inlineCode") last.value += node.value;
    else if (last?.type === "inlineMath" && node.type === "inlineMath") {
      result.push(html(EMPTY_TEXT), node);
    } else result.push(node);
  }
  return result;
}

function html(value: string): PhrasingContent {
  return { type: "html", value };
}
