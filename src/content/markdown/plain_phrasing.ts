/**
 * Rich text in which nothing could be escaped, as Markdown.
 *
 * @module
 */
import type { RichText, RichTextItem } from "../values/rich_text.ts";

/** Whatever might be escaped in a text, wherever it stands. */
const RISKY = /[\t\r\n!#$&*+<=>@[\\\]_`|~\uFEFF]|^[\d(:-]|:(?!\s)|\.(?!\s|$)|[wW]\./;
/** The same in a destination without brackets. */
const RISKY_DESTINATION = /[^\w/:.,;=?#%~+-]/;
/** What marks can stand at whatever is on their other side. */
const MARKABLE = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u;

/** Whether a text needs no escape, whatever it stands in and between. */
export function isPlain(text: string): boolean {
  return !RISKY.test(text);
}

/** Whether an address needs no escape as the destination of a link, nor brackets around it. */
export function isPlainDestination(url: string): boolean {
  return !RISKY_DESTINATION.test(url);
}

/**
 * Texts, with marked texts and links to plain addresses between them, as they are printed; undefined
 * where there is anything else, or where a character might have to be escaped.
 */
export function plainPhrasing(richText: RichText): string | undefined {
  let printed = "";
  // Neighbours of a kind are one text or one link, or their marks would run into one another.
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

/** What an item is printed as; undefined where that is none of these alone. */
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
