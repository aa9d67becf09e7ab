/**
 * mdast as Markdown text: CommonMark with the tables, task lists and strikethrough of GFM, and math.
 *
 * @module
 */
import type { RootContent, Text } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { mathToMarkdown } from "mdast-util-math";
import { type Handle, type Info, type Options, toMarkdown } from "mdast-util-to-markdown";

const OPTIONS: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false, tableCellPadding: true }), mathToMarkdown()],
  bullet: "-",
  // A page that begins with a divider must not read as one with front matter.
  rule: "*",
  // Typed as a handler of any node, and met only by the one whose name it stands under.
  handlers: { text: printText as Handle },
};

/** The text of these blocks, each behind a blank line but the first, with a line end at the end. */
export function printMarkdown(children: RootContent[]): string {
  return toMarkdown({ type: "root", children }, OPTIONS);
}

/** Whatever the library might escape in a text, wherever it stands. */
const RISKY = /[\t\r\n!#$&*+<=>@[\\\]_`|~]|^[\d(:-]|:(?!\s)|\.(?!\s|$)|[wW]\./;

/** Escaping is the library's work. It is slow, and most texts hold nothing that it could escape. */
function printText(
  { value }: Text,
  _parent: unknown,
  state: Parameters<Handle>[2],
  info: Info,
): string {
  return RISKY.test(value) || hasEdge(value, info) ? state.safe(value, info) : value;
}

/** Whether a space begins or ends a line. */
function hasEdge(value: string, { before, after }: Info): boolean {
  return value.startsWith(" ") && /[\r\n]$/.test(before) ||
    value.endsWith(" ") && /^[\r\n]/.test(after);
}
