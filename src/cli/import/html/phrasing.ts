/**
 * Converts inline HTML to rich text.
 *
 * @module
 */
import { COLORS } from "./colors.ts";
import { joinItems, plainItems } from "../../../content/markdown/rich_text_limits.ts";
import { LIMITS } from "../../../content/values/limits.ts";
import type { RichTextItemInput } from "../../../content/values/rich_text.ts";
import {
  attribute,
  type ChildNode,
  classesOf,
  type Element,
  findFirst,
  hasClass,
  isElement,
  textIn,
} from "./elements.ts";

type Annotations = NonNullable<RichTextItemInput["annotations"]>;

interface Style {
  readonly annotations: Annotations;
  readonly url?: string;
}

/** Elements that are blocks, also where they stand inside of text. */
export const BLOCK_TAGS = new Set([
  ...["p", "div", "ul", "ol", "li", "figure", "table", "details", "pre", "blockquote", "hr"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "aside", "nav", "article", "section", "header", "main"],
]);

/** The rich text of nodes, without the blocks among them. */
export function phrasing(nodes: readonly ChildNode[]): RichTextItemInput[] {
  return trimmed(joinItems(nodes.flatMap((node) => itemsOf(node, { annotations: {} }))));
}

const MARKS: Readonly<Record<string, Annotations>> = {
  strong: { bold: true },
  b: { bold: true },
  em: { italic: true },
  i: { italic: true },
  u: { underline: true },
  s: { strikethrough: true },
  del: { strikethrough: true },
  strike: { strikethrough: true },
  code: { code: true },
  kbd: { code: true },
};

function itemsOf(node: ChildNode, style: Style): RichTextItemInput[] {
  if (!isElement(node)) {
    return "value" in node ? textItems(node.value.replace(/\s+/g, " "), style) : [];
  }
  const { tagName } = node;
  if (BLOCK_TAGS.has(tagName) || tagName === "style" || tagName === "script") return [];
  if (tagName === "br") return textItems("\n", style);
  const expression = equationIn(node);
  if (expression !== undefined) return [{ equation: { expression } }];
  if (tagName === "img") return textItems(attribute(node, "alt"), style);
  if (tagName === "a") return linkItems(node, style);
  const mark = MARKS[tagName] ?? colorOf(node);
  const inner = { ...style, annotations: { ...style.annotations, ...mark } };
  return node.childNodes.flatMap((child) => itemsOf(child, inner));
}

/** The LaTeX of a formula, which stands in an annotation of its MathML. */
export function equationIn(element: Element): string | undefined {
  const isFormula = hasClass(element, "notion-text-equation-token") ||
    hasClass(element, "equation") || hasClass(element, "katex");
  if (!isFormula) return undefined;
  const source = findFirst(element, ({ tagName }) => tagName === "annotation");
  const text = textIn(source).trim();
  return text !== "" && text.length <= LIMITS.equation ? text : undefined;
}

function linkItems(element: Element, style: Style): RichTextItemInput[] {
  const url = attribute(element, "href");
  const inner = url === "" || url.length > LIMITS.url ? style : { ...style, url };
  return element.childNodes.flatMap((child) => itemsOf(child, inner));
}

function textItems(text: string, { annotations, url }: Style): RichTextItemInput[] {
  return plainItems(text).map((item) => ({
    ...item,
    ...("text" in item && url !== undefined && { text: { ...item.text, link: { url } } }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }));
}

function colorOf(element: Element): Annotations {
  const classes = [...classesOf(element)];
  const name = classes.map((one) => /^highlight-(\w+)$/.exec(one)?.[1])
    .find((one) => one !== undefined);
  const color = COLORS.get(name ?? "");
  return color === undefined ? {} : { color };
}

/** Removes the space at both ends, which is only the layout of the HTML. */
function trimmed(items: readonly RichTextItemInput[]): RichTextItemInput[] {
  return items.map((item, index) => {
    if (!("text" in item)) return item;
    let { content } = item.text;
    if (index === 0) content = content.trimStart();
    if (index === items.length - 1) content = content.trimEnd();
    return { ...item, text: { ...item.text, content } };
  }).filter((item) => !("text" in item) || item.text.content !== "");
}
