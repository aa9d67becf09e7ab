/**
 * Prints the text of one block as enhanced Markdown.
 *
 * @module
 */
import { normalizeDate } from "../../values/dates.ts";
import type { Mention } from "../../values/mention.ts";
import type { UrlOf } from "../../values/page_urls.ts";
import type { RichText, RichTextItem } from "../../values/rich_text.ts";
import { hasReference } from "../plain_phrasing.ts";
import { inOneLine } from "../inline_math.ts";
import { EMPTY_TEXT } from "../html.ts";
import { colorName, openElement } from "./attributes.ts";
import { dateElement } from "./mentions.ts";

/** The text in one line. */
export function printInline(richText: RichText, urlOf: UrlOf): string {
  const items = joinSameStyle(richText.filter((item) => isShown(item, urlOf)));
  const text = items.reduce((before, item, index) => {
    const isAlone = !isMarked(items[index - 1]) && !isMarked(items[index + 1]);
    return append(before, printItem(item, { urlOf, isAlone }), items[index - 1]);
  }, "");
  return withEdges(text);
}

/** Joins neighbouring texts of the same style, so that markup that spans both is escaped. */
function joinSameStyle(items: readonly RichTextItem[]): RichTextItem[] {
  const joined: RichTextItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (last !== undefined && hasSameStyle(last, item)) {
      joined[joined.length - 1] = { ...last, plain_text: last.plain_text + item.plain_text };
    } else joined.push(item);
  }
  return joined;
}

function hasSameStyle(one: RichTextItem, other: RichTextItem): boolean {
  return one.type === "text" && other.type === "text" && one.href === other.href &&
    JSON.stringify(one.annotations) === JSON.stringify(other.annotations);
}

/** Appends a printed item to the text before it, so that the two do not form markup together. */
function append(before: string, printed: string, previous: RichTextItem | undefined): string {
  // A dollar sign behind a formula would be its end, and a digit would make it a price.
  if (previous?.type === "equation" && /^[$\d]/.test(printed)) return before + EMPTY_TEXT + printed;
  // A link behind an exclamation mark would be an image.
  if (printed.startsWith("[") && before.endsWith("!")) return `${before.slice(0, -1)}\\!${printed}`;
  return before + printed;
}

/** Returns whether anything is printed of the item, so that marks of its neighbours cannot meet. */
function isShown(item: RichTextItem, urlOf: UrlOf): boolean {
  if (item.type === "equation") return item.equation.expression !== "";
  if (item.plain_text !== "") return true;
  return item.type === "mention" && mentionText(item.mention, "", urlOf) !== "";
}

interface ItemOptions {
  readonly urlOf: UrlOf;
  /** True if the neighbours have no marks that could run into those of the item. */
  readonly isAlone: boolean;
}

function isMarked(item: RichTextItem | undefined): boolean {
  if (item === undefined) return false;
  const { bold, italic, strikethrough, code } = item.annotations;
  return bold || italic || strikethrough || code || item.type === "equation";
}

function printItem(item: RichTextItem, options: ItemOptions): string {
  const { color, underline, bold, italic, strikethrough, code } = item.annotations;
  const isText = item.type === "text";
  const usesMarks = isText && !code && options.isAlone && hasSafeEdges(item.plain_text);
  const usesCode = isText && code && options.isAlone && isCode(item.plain_text);
  const content = item.type === "mention"
    ? mentionText(item.mention, item.plain_text, options.urlOf)
    : item.type === "equation"
    ? formula(item.equation.expression)
    : usesCode
    ? codeSpan(item.plain_text)
    : escapeText(item.plain_text);
  const marked = usesMarks ? marks(content, { bold, italic, strikethrough }) : content;
  const flag = (isSet: boolean) => isSet ? "true" : undefined;
  const attributes = {
    color: colorName(color),
    underline: flag(underline),
    bold: flag(bold && !usesMarks),
    italic: flag(italic && !usesMarks),
    strikethrough: flag(strikethrough && !usesMarks),
    code: flag(code && !usesCode),
  };
  const linked = isText && item.href !== null ? link(marked, item.href) : marked;
  const isPlain = Object.values(attributes).every((value) => value === undefined);
  return isPlain ? linked : `${openElement("span", attributes)}${linked}</span>`;
}

/** Marks beside letters and digits are always read as marks. */
function hasSafeEdges(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(text);
}

interface Marks {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strikethrough: boolean;
}

function marks(text: string, { bold, italic, strikethrough }: Marks): string {
  const struck = strikethrough ? `~~${text}~~` : text;
  const slanted = italic ? `*${struck}*` : struck;
  return bold ? `**${slanted}**` : slanted;
}

function isCode(text: string): boolean {
  return text !== "" && !/[\n\r\uFEFF]/.test(text) && !/^ +$/.test(text);
}

function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

function formula(expression: string): string {
  const text = inOneLine(expression);
  const runs = new Set([...text.matchAll(/\$+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const fence = "$".repeat(length);
  return text === "" ? "" : `${fence}\`${text}\`${fence}`;
}

function link(text: string, url: string): string {
  const isBare = /^[^\s<>()\\]+$/.test(url) && !hasReference(url);
  if (isBare) return `[${text}](${url})`;
  const escaped = url.replace(/[<>\\&]/g, (character) => `\\${character}`)
    .replace(/[\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `[${text}](<${escaped}>)`;
}

function mentionText(mention: Mention, text: string, urlOf: UrlOf): string {
  const tag = (kind: "user" | "page" | "database", id: string, name: string) =>
    `${openElement(`mention-${kind}`, { url: urlOf(kind, id) })}${
      escapeText(name)
    }</mention-${kind}>`;
  if (mention.type === "user") return tag("user", mention.user.id, text.replace(/^@/, ""));
  if (mention.type === "page") return tag("page", mention.page.id, text);
  if (mention.type === "database") return tag("database", mention.database.id, text);
  if (mention.type === "date") return dateElement(normalizeDate(mention.date));
  if (mention.type === "link_preview") return link(escapeText(text), mention.link_preview.url);
  if (mention.type === "link_mention") return link(escapeText(text), mention.link_mention.href);
  return escapeText(text);
}

const SPECIAL = /[\\*~`$[\]<>{}|^_&@]/g;

/** The text with everything escaped that could be read as markup. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/(?<![a-z\d])(www)\./gi, "$1\\.")
    .replace(/[\r\uFEFF]/g, reference)
    .replaceAll("\n", "<br>");
}

/** Protects what a line would lose at its edges, and a start that would make it another block. */
function withEdges(text: string): string {
  return text
    .replace(/^\s|\s$/g, kept)
    // A line that starts with two dollar signs is a formula of its own.
    .replace(/^\$\$/, `${EMPTY_TEXT}$&`)
    .replace(/^(?:[#+:!=-]|\d+(?=[.)]))/, (start) => /^\d/.test(start) ? start : `\\${start}`)
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** White space that stays at the edge of a line. No reference stands for a vertical tab. */
function kept(space: string): string {
  return space === "\v" ? EMPTY_TEXT + space + EMPTY_TEXT : reference(space);
}

function reference(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16)};`;
}
