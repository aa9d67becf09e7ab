/**
 * Converts the flow content of mdast to blocks in the form that clients write.
 *
 * @module
 */
import type {
  Blockquote,
  Definition,
  FootnoteDefinition,
  Heading,
  Html,
  List,
  ListItem,
  Paragraph,
  Root,
  RootContent,
} from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import { LIMITS } from "../values/limits.ts";
import { alertIn } from "./alerts.ts";
import { fromCodeInfo } from "./code_info.ts";
import { containerBlocks, isContainer, outOfColumn, wholeBlocks } from "./containers.ts";
import { leadingElement } from "./enhanced/attributes.ts";
import { tagTable } from "./enhanced/read_table.ts";
import { fromPhrasing } from "./from_phrasing.ts";
import { type ParsedText, textBetweenTags, withSeparateDetails } from "./html_details.ts";
import { BREAK, EMPTY_TEXT, matchTags, parseTag } from "./html.ts";
import { formBlocks } from "./link_blocks.ts";
import { tableBlock } from "./table_block.ts";
import {
  codeBlocks,
  type FlowContext,
  paragraph,
  paragraphBlocks,
  textBlocks,
  withText,
} from "./text_blocks.ts";

/** The blocks of a parsed text, in order. */
export function fromFlow(root: Root, text: string): BlockInput[] {
  return createContext({ root, text }).blocks(root.children);
}

function createContext({ root, text }: ParsedText): FlowContext {
  const context: FlowContext = {
    text,
    definitions: definitionsIn(root),
    blocks: (content) => blocksOf(content, context).flatMap(outOfColumn),
    columns: (content) => blocksOf(content, context),
  };
  return context;
}

const contexts = new WeakMap<ParsedText, FlowContext>();

/** The context of a node, which was perhaps parsed apart from the nodes around it. */
function contextOf(node: RootContent, around: FlowContext): FlowContext {
  const own = textBetweenTags(node);
  return own === undefined ? around : contexts.getOrInsertComputed(own, createContext);
}

function blocksOf(written: readonly RootContent[], context: FlowContext): BlockInput[] {
  const content = withSeparateDetails(written);
  const tags = content.map((node) => node.type === "html" ? parseTag(node.value) : undefined);
  const ends = matchTags(content.length, (index) => {
    const tag = tags[index];
    return tag && isContainer(tag) ? tag : undefined;
  });
  const blocks: BlockInput[] = [];
  for (let index = 0; index < content.length; index++) {
    const node = content[index];
    const tag = tags[index];
    const end = ends.get(index);
    if (node === undefined) continue;
    const isPair = tag !== undefined && end !== undefined;
    const found = isPair
      ? containerBlocks(tag, content.slice(index + 1, end), context)
      : blocksIn(node, contextOf(node, context));
    for (const block of found) blocks.push(block);
    if (isPair) index = end;
  }
  return blocks;
}

function blocksIn(node: RootContent, context: FlowContext): BlockInput[] {
  switch (node.type) {
    case "paragraph":
      return formBlocks(node, context) ?? paragraphBlocks(node, context);
    case "heading":
      return headingBlocks(node, context);
    case "blockquote":
      return [quoteBlock(node, context)];
    case "list":
      return node.children.map((item) => itemBlock(item, node, context));
    case "code": {
      const { language, caption } = fromCodeInfo(node);
      return codeBlocks(node.value, language, caption);
    }
    case "math":
      return node.value.length <= LIMITS.equation
        ? [{ equation: { expression: node.value } }]
        : codeBlocks(node.value, "latex");
    case "html":
      return htmlBlocks(node);
    case "table": {
      const table = tableBlock(node, context);
      return table === undefined ? codeBlocks(textOf(node, context), "markdown") : [table];
    }
    case "thematicBreak":
      return [{ divider: {} }];
    case "footnoteDefinition":
      return footnoteBlocks(node, context);
    default:
      // Definitions are resolved at their references. Nothing else occurs here.
      return [];
  }
}

function quoteBlock(node: Blockquote, context: FlowContext): BlockInput {
  const found = alertIn(node);
  if (found === undefined) return { quote: withText(node.children, context) };
  const { alert: { emoji, color }, content } = found;
  return { callout: { ...withText(content, context), icon: { emoji }, color } };
}

function headingBlocks({ depth, children }: Heading, { definitions }: FlowContext): BlockInput[] {
  return textBlocks(fromPhrasing(children, definitions), (rich_text) => {
    if (depth === 1) return { heading_1: { rich_text } };
    return depth === 2 ? { heading_2: { rich_text } } : { heading_3: { rich_text } };
  });
}

function itemBlock(item: ListItem, { ordered }: List, context: FlowContext): BlockInput {
  const value = withText(item.children, context);
  if (typeof item.checked === "boolean") return { to_do: { ...value, checked: item.checked } };
  return ordered ? { numbered_list_item: value } : { bulleted_list_item: value };
}

function htmlBlocks({ value }: Html): BlockInput[] {
  if (value === BREAK) return [paragraph([])];
  if (value === EMPTY_TEXT) return [];
  const tag = parseTag(value);
  const whole = tag?.kind === "whole" ? wholeBlocks(tag) : undefined;
  return whole ?? tableOfTags(value) ?? codeBlocks(value, "html");
}

const TABLE = /^<table\b[^<>]*>/i;
/** Tags other than those of tables and of styles. */
const OTHER_TAG = /<\/?(?!\/?(?:table|thead|tbody|colgroup|col|tr|td|th|br|span|u)\b)[a-z]/i;

/**
 * The block of a table as enhanced Markdown writes it: cells of text alone, each row and cell in a line
 * of its own. Other HTML stays code.
 */
function tableOfTags(value: string): BlockInput[] | undefined {
  const isEnhanced = TABLE.test(value) && /\n\t*<tr\b[^<>]*>\n\t*<t[dh]\b/.test(value);
  const tag = isEnhanced ? leadingElement(value) : undefined;
  if (tag === undefined || !/<\/table>\s*$/i.test(value) || OTHER_TAG.test(value)) return undefined;
  return tagTable(tag.element.attributes, tag.rest.slice(0, tag.rest.lastIndexOf("</")));
}

function footnoteBlocks({ label, identifier, children }: FootnoteDefinition, context: FlowContext) {
  const [first, ...rest] = children;
  const name = { type: "text" as const, value: `[^${label ?? identifier}]: ` };
  const isText = first?.type === "paragraph";
  const text: Paragraph = {
    type: "paragraph",
    children: isText ? [name, ...first.children] : [name],
  };
  return context.blocks([text, ...(isText ? rest : children)]);
}

/** The Markdown of a node as it was written. */
function textOf({ position }: RootContent, { text }: FlowContext): string {
  return text.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

/** All definitions by identifier; the first of several counts. */
function definitionsIn(root: Root): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  const open: (Root | RootContent)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "definition" && !definitions.has(node.identifier)) {
      definitions.set(node.identifier, node);
    }
    const children = "children" in node ? node.children : [];
    for (const child of children.toReversed()) open.push(child);
  }
  return definitions;
}
