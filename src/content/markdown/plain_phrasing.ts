/**
 * Prints rich text in which no character can need an escape, without the library.
 *
 * @module
 */
import type { RichText, RichTextItem } from "../values/rich_text.ts";

/** Everything that may need an escape in a text, in any context. */
const RISKY =
  /[\t\r\n!#$&*+<=>@[\\\]_`|~\uFEFF]|^[\d(:-]|:(?!\s)|\.(?!\s|$)|[wW]\.|\{(?:color|toggle)=/;
/** The same in a destination without brackets, but for `&`. */
const RISKY_DESTINATION = /[^\w/:.,;=?#%~+&-]/;
/** Matches text that is read as a character reference. */
const REFERENCE = /&(?:#|[A-Za-z]\w*;)/;
/**
 * Texts that can be marked in any context: marks next to other characters may not be recognized.
 */
const MARKABLE = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u;

/** Returns whether a text needs no escape in any context. */
export function isPlain(text: string): boolean {
  return !RISKY.test(text);
}

/**
 * Returns whether a URL needs neither escapes nor brackets as the destination of a link. The `&` of
 * a query needs none, so that the URL can be copied out of the Markdown.
 */
export function isPlainDestination(url: string): boolean {
  return !RISKY_DESTINATION.test(url) && !hasReference(url);
}

/** Returns whether a part of a text would be read as a character reference. */
export function hasReference(text: string): boolean {
  return REFERENCE.test(text);
}

/**
 * Prints rich text that consists of plain and marked texts and links; undefined if it contains
 * anything else, or a character that may need an escape.
 */
export function plainPhrasing(richText: RichText): string | undefined {
  let printed = "";
  // Neighbours of the same kind would have to be joined, or their marks would run together.
  let last: PieceKind | undefined;
  for (const item of richText) {
    const kind = kindOf(item);
    const piece = kind === undefined || kind === last ? undefined : pieceOf(item, kind);
    if (piece === undefined) return undefined;
    printed += piece;
    last = kind;
  }
  return printed.startsWith(" ") || printed.endsWith(" ") ? undefined : printed;
}

type PieceKind = "text" | "marked" | "link";

/** The kind of an item; undefined for anything else. */
function kindOf({ type, annotations, href }: RichTextItem): PieceKind | undefined {
  if (type !== "text" || annotations.color !== "default") return undefined;
  if (annotations.code || annotations.underline) return undefined;
  const isMarked = annotations.bold || annotations.italic || annotations.strikethrough;
  if (href !== null) return isMarked ? undefined : "link";
  return isMarked ? "marked" : "text";
}

function pieceOf(item: RichTextItem, kind: PieceKind): string | undefined {
  const { plain_text: text } = item;
  if (text === "" || !isPlain(text)) return undefined;
  if (kind === "text") return text;
  return kind === "link" ? plainLink(text, item.href ?? "") : marked(text, item);
}

function marked(text: string, { annotations }: RichTextItem): string | undefined {
  if (!MARKABLE.test(text)) return undefined;
  const { bold, italic, strikethrough } = annotations;
  if (bold) return italic || strikethrough ? undefined : `**${text}**`;
  return italic ? strikethrough ? undefined : `*${text}*` : `~~${text}~~`;
}

function plainLink(text: string, url: string): string | undefined {
  return url !== "" && isPlainDestination(url) && text !== url ? `[${text}](${url})` : undefined;
}
