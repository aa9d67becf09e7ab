/**
 * Flow content of mdast as blocks, as a client could have written them.
 *
 * @module
 */
import type {
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
import { fromCodeInfo } from "./code_info.ts";
import { containerBlocks, isContainer, outOfColumn, wholeBlocks } from "./containers.ts";
import { fromPhrasing } from "./from_phrasing.ts";
import { BREAK, matchTags, NOTHING, parseTag } from "./html.ts";
import { formBlocks } from "./link_blocks.ts";
import type { Source } from "./source.ts";
import { tableBlock } from "./table_block.ts";
import { codeBlocks, paragraph, paragraphBlocks, textBlocks, withText } from "./text_blocks.ts";

/** The blocks of a parsed text, in order. */
export function fromFlow(root: Root, text: string): BlockInput[] {
  const source: Source = {
    text,
    definitions: definitionsIn(root),
    blocks: (content) => blocksOf(content, source).flatMap(outOfColumn),
    columns: (content) => blocksOf(content, source),
  };
  return source.blocks(root.children);
}

function blocksOf(content: readonly RootContent[], source: Source): BlockInput[] {
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
    if (tag === undefined || end === undefined) blocks.push(...blocksIn(node, source));
    else {
      blocks.push(...containerBlocks(tag, content.slice(index + 1, end), source));
      index = end;
    }
  }
  return blocks;
}

function blocksIn(node: RootContent, source: Source): BlockInput[] {
  switch (node.type) {
    case "paragraph":
      return formBlocks(node, source) ?? paragraphBlocks(node, source);
    case "heading":
      return headingBlocks(node, source);
    case "blockquote":
      return [{ quote: withText(node.children, source) }];
    case "list":
      return node.children.map((item) => itemBlock(item, node, source));
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
      const table = tableBlock(node, source);
      return table === undefined ? codeBlocks(textOf(node, source), "markdown") : [table];
    }
    case "thematicBreak":
      return [{ divider: {} }];
    case "footnoteDefinition":
      return footnoteBlocks(node, source);
    default:
      // A definition is where its references led. Nothing else stands here.
      return [];
  }
}

function headingBlocks({ depth, children }: Heading, { definitions }: Source): BlockInput[] {
  return textBlocks(fromPhrasing(children, definitions), (rich_text) => {
    if (depth === 1) return { heading_1: { rich_text } };
    return depth === 2 ? { heading_2: { rich_text } } : { heading_3: { rich_text } };
  });
}

function itemBlock(item: ListItem, { ordered }: List, source: Source): BlockInput {
  const value = withText(item.children, source);
  if (typeof item.checked === "boolean") return { to_do: { ...value, checked: item.checked } };
  return ordered ? { numbered_list_item: value } : { bulleted_list_item: value };
}

function htmlBlocks({ value }: Html): BlockInput[] {
  if (value === BREAK) return [paragraph([])];
  if (value === NOTHING) return [];
  const tag = parseTag(value);
  const whole = tag?.kind === "whole" ? wholeBlocks(tag) : undefined;
  return whole ?? codeBlocks(value, "html");
}

function footnoteBlocks({ label, identifier, children }: FootnoteDefinition, source: Source) {
  const [first, ...rest] = children;
  const name = { type: "text" as const, value: `[^${label ?? identifier}]: ` };
  const isText = first?.type === "paragraph";
  const text: Paragraph = {
    type: "paragraph",
    children: isText ? [name, ...first.children] : [name],
  };
  return source.blocks([text, ...(isText ? rest : children)]);
}

/** The Markdown of a node, as it was written. */
function textOf({ position }: RootContent, { text }: Source): string {
  return text.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

/** What references lead to: of several definitions the first counts, wherever it stands. */
function definitionsIn(root: Root): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const open: (Root | RootContent)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
    if ("children" in node) open.push(...node.children.toReversed());
  }
  return found;
}
