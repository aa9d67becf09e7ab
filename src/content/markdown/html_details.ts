/**
 * Reads `<details>` as people write it: several tags in one piece of HTML, with or without blank
 * lines around the text between them.
 *
 * @module
 */
import type { Html, Root, RootContent } from "mdast";
import { oneLine } from "./one_line.ts";
import { parseMarkdown } from "./parse_markdown.ts";

const TAG = /(<\/?(?:details|summary)\b[^<>]*>)/i;
const HAS_DETAILS = /<\/?details\b/i;
const DETAILS = /<(\/?)details\b[^<>]*>/gi;

/** A text and its tree. */
export interface ParsedText {
  readonly root: Root;
  readonly text: string;
}

const origins = new WeakMap<RootContent, ParsedText>();

/** The text between tags that a node of `withSeparateDetails()` is of; undefined for other nodes. */
export function textBetweenTags(node: RootContent): ParsedText | undefined {
  return origins.get(node);
}

/** The content with each tag of `<details>` as a node of its own, as they are printed. */
export function withSeparateDetails(content: readonly RootContent[]): readonly RootContent[] {
  if (!content.some(isDetails) || !isBalanced(content)) return content;
  return content.flatMap((node) => isDetails(node) ? pieces(node.value) : [node]);
}

function isDetails(node: RootContent): node is Html {
  return node.type === "html" && HAS_DETAILS.test(node.value);
}

/** Returns whether each opening tag has a closing tag behind it. */
function isBalanced(content: readonly RootContent[]): boolean {
  let open = 0;
  for (const node of content.filter(isDetails)) {
    for (const [, slash] of node.value.matchAll(DETAILS)) {
      open += slash ? -1 : 1;
      if (open < 0) return false;
    }
  }
  return open === 0;
}

function pieces(value: string): RootContent[] {
  let isSummary = false;
  return value.split(TAG).flatMap((piece): RootContent[] => {
    const [, slash, name] = /^<(\/?)(details|summary)\b/i.exec(piece) ?? [];
    if (name === undefined) return textNodes(piece, isSummary);
    isSummary = name.toLowerCase() === "summary" && slash === "";
    return [{ type: "html", value: `<${slash}${name.toLowerCase()}>` }];
  });
}

function textNodes(text: string, isSummary: boolean): RootContent[] {
  if (text.trim() === "") return [];
  const markdown = isSummary ? withMarks(oneLine(text)) : text;
  const root = parseMarkdown(markdown, { frontMatter: false });
  const parsed = { root, text: markdown };
  for (const node of root.children) origins.set(node, parsed);
  return root.children;
}

/** HTML's own styles, which are usual in a summary. */
function withMarks(text: string): string {
  return text.replace(/<\/?(?:b|strong)>/gi, "**")
    .replace(/<\/?(?:i|em)>/gi, "*")
    .replace(/<\/?code>/gi, "`")
    .replace(/<\/?h[1-6]\b[^<>]*>/gi, "");
}
