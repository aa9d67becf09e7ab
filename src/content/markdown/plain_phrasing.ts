/**
 * Inline content in which nothing could be escaped, as Markdown.
 *
 * @module
 */
import type { Link, RootContent } from "mdast";

/** Whatever might be escaped in a text, wherever it stands. */
const RISKY = /[\t\r\n!#$&*+<=>@[\\\]_`|~]|^[\d(:-]|:(?!\s)|\.(?!\s|$)|[wW]\./;
/** The same in a destination without brackets. */
const RISKY_DESTINATION = /[^\w/:.,;=?#%~+-]/;
/** What marks can stand at whatever is on their other side. */
const MARKABLE = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u;

const MARKS: Readonly<Record<string, string>> = { strong: "**", emphasis: "*", delete: "~~" };

/** Whether a text needs no escape, whatever it stands in and between. */
export function isPlain(text: string): boolean {
  return !RISKY.test(text);
}

/** Whether an address needs no escape as the destination of a link, nor brackets around it. */
export function isPlainDestination(url: string): boolean {
  return !RISKY_DESTINATION.test(url);
}

/**
 * Texts, marked texts between others and links to plain addresses, as they are printed; undefined
 * where there is anything else, or where a character might have to be escaped.
 */
export function plainPhrasing(children: readonly RootContent[]): string | undefined {
  let printed = "";
  let isMarked = false;
  for (const child of children) {
    const isMark = child.type in MARKS;
    // Marks side by side would run into one another.
    const piece = isMark && isMarked ? undefined : plainPiece(child);
    if (piece === undefined) return undefined;
    printed += piece;
    isMarked = isMark;
  }
  return printed.startsWith(" ") || printed.endsWith(" ") ? undefined : printed;
}

function plainPiece(node: RootContent): string | undefined {
  if (node.type === "text") return textOf([node]);
  if (node.type === "link") return plainLink(node);
  const mark = MARKS[node.type];
  if (mark === undefined || !("children" in node)) return undefined;
  const text = textOf(node.children);
  return text !== undefined && MARKABLE.test(text) ? mark + text + mark : undefined;
}

function plainLink({ url, title, children }: Link): string | undefined {
  const text = textOf(children);
  const isLink = text !== undefined && !title && url !== "" && isPlainDestination(url);
  return isLink && text !== url ? `[${text}](${url})` : undefined;
}

/** The text that is all there is, where it is plain and not empty. */
function textOf(nodes: readonly RootContent[]): string | undefined {
  const [node] = nodes;
  if (nodes.length !== 1 || node?.type !== "text" || node.value === "") return undefined;
  return isPlain(node.value) ? node.value : undefined;
}
