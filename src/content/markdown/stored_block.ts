/**
 * Parses stored blocks.
 *
 * @module
 */
import type { BlockValue } from "../blocks/types.ts";
import { type Annotations, PLAIN, type RichText, type RichTextItem } from "../values/rich_text.ts";

/** The start of a block with text, and of a table row. */
const START = '{"rich_text":[';
const ROW_START = '{"cells":[[';
const STRING = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`;
/** A text item as it is stored, and the character after it. */
const TEXT = new RegExp(
  String.raw`\{"type":"text","text":\{"content":${STRING},"link":(?:null|\{"url":${STRING}\})\},` +
    String.raw`"annotations":(?:${RegExp.escape(JSON.stringify(PLAIN))}|(\{[^{}]*\})),` +
    String.raw`"plain_text":(?:"\1"|${STRING}),"href":(?:null|${STRING})\}([,\]])`,
  "y",
);

/**
 * Parses a stored block, with the same result as `JSON.parse`. Most blocks are plain text items in
 * one form, which this parses in a third of the time; anything else is left to `JSON.parse`.
 */
export function parseStoredBlock(doc: string): BlockValue {
  // Sound because documents are validated before they are stored.
  return textValue(doc) ?? rowValue(doc) ?? JSON.parse(doc) as BlockValue;
}

function textValue(doc: string): BlockValue | undefined {
  if (!doc.startsWith(START)) return undefined;
  const richText = richTextAt(doc, START.length);
  if (richText === undefined) return undefined;
  const rest = doc.slice(TEXT.lastIndex);
  // Sound as above.
  const fields = rest === "}" ? {} : JSON.parse(`{${rest.slice(1)}`) as BlockValue;
  return { rich_text: richText, ...fields };
}

function rowValue(doc: string): BlockValue | undefined {
  if (!doc.startsWith(ROW_START)) return undefined;
  const cells: RichText[] = [];
  for (let at = ROW_START.length;; at = TEXT.lastIndex + ",[".length) {
    const cell = richTextAt(doc, at);
    if (cell === undefined) return undefined;
    cells.push(cell);
    if (doc.startsWith("]}", TEXT.lastIndex)) return { cells };
    if (!doc.startsWith(",[", TEXT.lastIndex)) return undefined;
  }
}

/**
 * The text items from `start` to the end of their list, which is where `TEXT.lastIndex` is then.
 */
function richTextAt(doc: string, start: number): RichText | undefined {
  const richText: RichText = [];
  TEXT.lastIndex = start;
  for (let end = ","; end === ",";) {
    const match = TEXT.exec(doc);
    if (match === null) return undefined;
    richText.push(toItem(match));
    end = match[6] ?? "";
  }
  return richText;
}

function toItem([, content = "", url, annotations, plain, href]: RegExpExecArray) {
  const text = unescaped(content);
  const link = url === undefined ? null : { url: unescaped(url) };
  return {
    type: "text",
    text: { content: text, link },
    annotations: annotations === undefined ? PLAIN : annotationsOf(annotations),
    plain_text: plain === undefined ? text : unescaped(plain),
    href: href === undefined ? null : unescaped(href),
  } satisfies RichTextItem;
}

function unescaped(text: string): string {
  return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
}

/** By their JSON; their schema allows only some hundreds. */
const annotationsCache = new Map<string, Annotations>();

function annotationsOf(text: string): Annotations {
  const cached = annotationsCache.get(text);
  if (cached !== undefined) return cached;
  // Sound as above.
  const parsed = JSON.parse(text) as Annotations;
  annotationsCache.set(text, parsed);
  return parsed;
}
