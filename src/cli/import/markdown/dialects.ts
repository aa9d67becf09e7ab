/**
 * Rewrites the Markdown of other programs as the Markdown that the service reads.
 *
 * @module
 */
import { mapLines } from "./lines.ts";

/** Rewrites the text of a file, without its front matter. */
export type Dialect = (text: string) => string;

/** Markdown as in public repositories. */
export const plainDialect: Dialect = (text) => mapLines(text, calloutLines);

/** Obsidian: line ends are kept, IDs of blocks are not shown, callouts have a title. */
export const obsidianDialect: Dialect = (text) =>
  mapLines(
    text,
    (line) => calloutLines(withBreak(line.replace(/(?:^|\s)\^[A-Za-z0-9-]+\s*$/, ""))),
  );

/** The vendor's exports: callouts and toggles in HTML that is not divided by empty lines. */
export const notionDialect: Dialect = (text) =>
  mapLines(text, htmlLines).replace(ASIDE, (_, start: string) => asideStart(start));

/** Two spaces at the end make a line break, if another line of text follows. */
function withBreak(line: string): string {
  return /\S/.test(line) && !/^\s*(?:[#|>]|[-*_]{3,}\s*$|\$\$)/.test(line) ? `${line}  ` : line;
}

const CALLOUT = /^((?:\s*>)+\s*)\[!([\w-]+)\][+-]?\s*(.*)$/;

/** The title of a callout becomes a paragraph of its own. */
function calloutLines(line: string): string | string[] {
  const [, quote = "", type = "", title = ""] = CALLOUT.exec(line) ?? [];
  return type === "" ? line : [`${quote}[!${type}] ${title.trim()}`, quote.trimEnd()];
}

const WHOLE_TAG = /^\s*<(\/?)(aside|details|summary)>\s*$/;

/** Tags stand in lines of their own, between empty lines. */
function htmlLines(line: string): string | string[] {
  if (!/<\/?(?:aside|details|summary)/.test(line) || /`/.test(line)) return line;
  const pieces = line.split(/(<\/?(?:aside|details|summary)[^>]*>)/).filter((piece) =>
    piece.trim() !== ""
  );
  return pieces.flatMap((piece) =>
    WHOLE_TAG.test(piece.replace(/<(\w+)\s[^>]*>/, "<$1>"))
      ? ["", piece.trim().replace(/<(details|summary|aside)\s[^>]*>/, "<$1>"), ""]
      : piece
  );
}

const ASIDE = /^<aside>\n\n?([^\n]*)/gm;
const ICON_IMAGE = /^\s*<img\s[^>]*src="(https?:[^"]+)"[^>]*>\s*/;
const EMOJI =
  /^\s*(\p{Extended_Pictographic}[\p{Emoji_Modifier}\u200d\ufe0f\p{Extended_Pictographic}]*|\p{Regional_Indicator}{2})\s*/u;

/** A callout begins with its icon, an emoji or a picture. */
function asideStart(start: string): string {
  const [all = "", icon] = ICON_IMAGE.exec(start) ?? EMOJI.exec(start) ?? [];
  const tag = icon === undefined ? "<aside>" : `<aside data-icon="${icon}">`;
  return `${tag}\n\n${start.slice(all.length)}`;
}
