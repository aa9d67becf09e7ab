/**
 * Reads the blocks that are printed between two HTML tags.
 *
 * @module
 */
import type { RootContent } from "mdast";
import * as v from "valibot";
import type { BlockInput } from "../blocks/block_input.ts";
import type { BlockKind } from "../blocks/kinds.ts";
import { isEmoji } from "../values/icons.ts";
import { idInput } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { blockOf, createdKinds, fieldsFrom } from "./default_form.ts";
import { matchTags, parseTag, type Tag } from "./html.ts";
import { type FlowContext, paragraph, type TextAndChildren, withText } from "./text_blocks.ts";

type Content = readonly RootContent[];
type Container = (content: Content, context: FlowContext, tag: Tag) => BlockInput[];

/** Readers of the blocks that are printed as a `div` with their type. */
const DIVS: ReadonlyMap<string, Container> = new Map<string, Container>([
  ...createdKinds("container").map((kind): [string, Container] => [kind.type, divReader(kind)]),
  ["paragraph", (content, context) => [{ paragraph: withText(content, context) }]],
  // Clients cannot create templates.
  ["template", (content, context) => [{ toggle: withText(content, context) }]],
  ["synced_block", synced],
  ["column_list", columnList],
  ["column", column],
]);

type WholeReader = (tag: Tag) => BlockInput[];

/** Readers of the blocks that are printed as a tag without content. */
const WHOLE: ReadonlyMap<string, WholeReader> = new Map<string, WholeReader>([
  ...createdKinds("tag").map((kind): [string, WholeReader] => [
    kind.type,
    ({ data }) => [blockOf(kind.type, fieldsFrom(kind, data))],
  ]),
  ["synced_block", copy],
  ["unsupported", () => []],
]);

function divReader(kind: BlockKind): Container {
  const { type, fields, fewestChildren = 0 } = kind;
  return (content, context, { data }) => {
    const attributes = fieldsFrom(kind, data);
    if ("rich_text" in fields) {
      return [blockOf(type, { ...attributes, ...withText(content, context) })];
    }
    const children = context.blocks(content);
    if (children.length < fewestChildren) return children;
    return [blockOf(type, { ...attributes, ...childrenOf(children) })];
  };
}

/** Returns whether this tag and its closing tag enclose one block. */
export function isContainer({ name, data, kind }: Tag): boolean {
  if (kind === "close") return name === "details" || name === "aside" || name === "div";
  return name === "details" || name === "aside" ||
    name === "div" && DIVS.has(data.get("block") ?? "");
}

/** The blocks for the content between a tag and its closing tag. */
export function containerBlocks(tag: Tag, content: Content, context: FlowContext): BlockInput[] {
  if (tag.name === "details") return [details(content, context)];
  if (tag.name === "aside") return [callout(content, context, tag)];
  return DIVS.get(tag.data.get("block") ?? "")?.(content, context, tag) ?? context.blocks(content);
}

/** The blocks that a tag without content stands for; undefined if it is ordinary HTML. */
export function wholeBlocks(tag: Tag): BlockInput[] | undefined {
  return WHOLE.get(tag.data.get("block") ?? "")?.(tag);
}

function details(content: Content, context: FlowContext): BlockInput {
  const tagAt = (index: number): Tag | undefined => {
    const node = content[index];
    const tag = node?.type === "html" ? parseTag(node.value) : undefined;
    return tag?.name === "summary" ? tag : undefined;
  };
  const end = matchTags(content.length, tagAt).get(0);
  if (end === undefined) {
    return { toggle: { rich_text: [], ...childrenOf(context.blocks(content)) } };
  }
  const [heading] = content.slice(1, end);
  const summary = context.blocks(content.slice(1, end));
  const children = context.blocks(content.slice(end + 1));
  const [first, ...more] = summary;
  return heading?.type === "heading" && first !== undefined
    ? toggleable(first, [...more, ...children])
    : { toggle: toggle(summary, children) };
}

/** A heading that contains blocks. */
function toggleable(heading: BlockInput, children: readonly BlockInput[]): BlockInput {
  const more = { is_toggleable: true, ...childrenOf(children) };
  if (heading.heading_1) return { heading_1: { ...heading.heading_1, ...more } };
  if (heading.heading_2) return { heading_2: { ...heading.heading_2, ...more } };
  if (heading.heading_3) return { heading_3: { ...heading.heading_3, ...more } };
  return heading;
}

function toggle(
  [first, ...more]: readonly BlockInput[],
  children: readonly BlockInput[],
): TextAndChildren {
  const text = first?.paragraph;
  const isText = text !== undefined && text.children === undefined;
  const inside = [...(isText || first === undefined ? more : [first, ...more]), ...children];
  return { rich_text: isText ? text.rich_text : [], ...childrenOf(inside) };
}

function callout(content: Content, context: FlowContext, { data }: Tag): BlockInput {
  const value = withText(content, context);
  const icon = data.get("icon");
  if (icon === undefined || icon.length > LIMITS.url) return { callout: value };
  if (/^https?:/.test(icon)) return { callout: { ...value, icon: { external: { url: icon } } } };
  const isIcon = icon.length <= LIMITS.emoji && isEmoji(icon);
  return { callout: isIcon ? { ...value, icon: { emoji: icon } } : value };
}

function columnList(content: Content, context: FlowContext): BlockInput[] {
  const blocks = context.columns(content);
  const isWhole = blocks.length >= 2 && blocks.every((block) => block.column !== undefined);
  return isWhole ? [{ column_list: { children: blocks } }] : blocks.flatMap(outOfColumn);
}

function column(content: Content, context: FlowContext, { data }: Tag): BlockInput[] {
  const share = Number(data.get("width") ?? NaN);
  const blocks = context.blocks(content);
  const children = blocks.length > 0 ? blocks : [paragraph([])];
  const width = share >= 0 && share <= 1 ? { width_ratio: share } : {};
  return [{ column: { ...width, children } }];
}

/** The block, or the blocks in it if it is a column. */
export function outOfColumn(block: BlockInput): readonly BlockInput[] {
  return block.column?.children ?? [block];
}

/** An original with its children, or a copy, whose children are those of its original. */
function synced(content: Content, context: FlowContext, tag: Tag): BlockInput[] {
  const children = context.blocks(content);
  return tag.data.has("from") ? copy(tag) : [{ synced_block: childrenOf(children) }];
}

function copy({ data }: Tag): BlockInput[] {
  const block_id = data.get("from");
  return !v.is(idInput, block_id) ? [] : [{ synced_block: { synced_from: { block_id } } }];
}

function childrenOf(children: readonly BlockInput[]): { children?: readonly BlockInput[] } {
  return children.length > 0 ? { children } : {};
}
