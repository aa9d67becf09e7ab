/**
 * The content of a page as Markdown.
 *
 * @module
 */
import { isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { collectMentions, fillMentions, type MentionNames } from "../mentions.ts";
import type { ContentNode } from "../node.ts";
import { parsePageDoc } from "../pages.ts";
import { titleOf } from "../properties.ts";
import { plainText } from "../rich_text.ts";
import { printMarkdown } from "./print.ts";
import { type Flow, gathered, itemsAtEnd, type ShownBlock, toFlow } from "./to_flow.ts";
import type { UrlOf } from "./to_phrasing.ts";

/** What the content shows beside its own nodes. */
export interface Shown {
  readonly names: Pick<MentionNames, "users" | "titles">;
  readonly urlOf: UrlOf;
}

export interface RenderedPage {
  /** The text in parts, which follow each other as they are; made as they are taken. */
  readonly parts: Iterable<string>;
  /** Ids of blocks whose content or place the text does not show; complete once all parts are taken. */
  readonly unknownIds: readonly string[];
}

/** Blocks below blocks that are nested in the text; what is deeper follows at this level. */
const LEVELS = 60;
/** Blocks of one part, at least. */
const PART = 500;

/** Ids of the users, pages and databases whose names these nodes show. */
export function namesIn(nodes: readonly ContentNode[]): { users: string[]; nodes: string[] } {
  const mentioning = nodes.filter((node) => node.hasMentions);
  const docs = mentioning.map((node): unknown => JSON.parse(node.doc));
  const found = collectMentions(docs);
  const linked = mentioning.map((node, index) => linkedId(node, docs[index])).filter(Boolean);
  return { users: [...found.users], nodes: [...new Set([...found.nodes, ...linked])] };
}

/** Renders all that is below a page, parents before their children, whatever its size. */
export function renderContent(
  pageId: string,
  nodes: readonly ContentNode[],
  shown: Shown,
): RenderedPage {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  for (const siblings of below.values()) siblings.sort(byPosition);
  const unknownIds: string[] = [];
  const tree: Tree = { count: 0, below, shown, unknownIds };
  return { parts: printed(tree, below.get(pageId) ?? []), unknownIds };
}

interface Tree {
  /** Blocks that were taken so far. */
  count: number;
  readonly below: ReadonlyMap<string | null, readonly ContentNode[]>;
  readonly shown: Shown;
  readonly unknownIds: string[];
}

function* printed(tree: Tree, top: readonly ContentNode[]): Generator<string> {
  let flow: Flow = [];
  let start = 0;
  let separator = "";
  let numbers = 0;
  for (const [index, node] of top.entries()) {
    flow.push(...flowOf(tree, node, LEVELS));
    const next = top[index + 1];
    if (next !== undefined && tree.count - start < PART) continue;
    yield separator + printMarkdown(gathered(flow, numbers + 1));
    const goesOn = listKind(node) !== undefined && listKind(node) === listKind(next);
    // A list that is cut goes on where it ended.
    separator = goesOn ? "" : "\n";
    const items = itemsAtEnd(flow);
    numbers = !goesOn ? 0 : items === flow.length ? numbers + items : items;
    start = tree.count;
    flow = [];
  }
}

/** Which items are neighbours in one list; undefined of what is no item. */
function listKind(node: ContentNode | undefined): "numbers" | "bullets" | undefined {
  if (node?.type === "numbered_list_item") return "numbers";
  return node?.type === "to_do" || node?.type === "bulleted_list_item" ? "bullets" : undefined;
}

/** The Markdown of a node and of all below it, nested so many levels at most. */
function flowOf(tree: Tree, node: ContentNode, levels: number): Flow {
  const { below, shown, unknownIds } = tree;
  const block = blockOf(node, shown);
  tree.count++;
  if (node.type === "unsupported") unknownIds.push(node.id);
  const nodes = node.kind === "block" ? below.get(node.id) ?? [] : [];
  if (node.type === "table") {
    return toFlow({ ...block, rows: nodes.map((row) => valueOf(row, shown)) }, shown.urlOf);
  }
  if (levels === 0) return [...toFlow(block, shown.urlOf), ...levelled(tree, nodes)];
  const children = nodes.flatMap((child) => flowOf(tree, child, levels - 1));
  return toFlow({ ...block, children }, shown.urlOf);
}

/** All that is below without its nesting, in order; no depth is too deep. */
function levelled(tree: Tree, top: readonly ContentNode[]): Flow {
  const flow: Flow = [];
  const open = top.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    tree.count++;
    tree.unknownIds.push(node.id);
    const isTable = node.type === "table";
    flow.push(...flowOf(isTable ? tree : { ...tree, below: new Map() }, node, LEVELS));
    if (!isTable && node.kind === "block") {
      open.push(...(tree.below.get(node.id) ?? []).toReversed());
    }
  }
  return flow;
}

function blockOf(node: ContentNode, shown: Shown): ShownBlock {
  // A type of a later release shows as what it is here: unsupported.
  const type = isBlockType(node.type) ? node.type : "unsupported";
  const value = node.kind === "block" ? valueOf(node, shown) : {};
  return { id: node.id, type, value, title: titleIn(node, value, shown), children: [], rows: [] };
}

function valueOf({ doc, hasMentions }: ContentNode, { names, urlOf }: Shown): BlockValue {
  return JSON.parse(hasMentions ? fillMentions(doc, { ...names, urlOf }) : doc);
}

function titleIn(node: ContentNode, value: BlockValue, { names, urlOf }: Shown): string {
  if (node.type === "link_to_page") return names.titles.get(linkedId(node, value)) ?? "";
  // The stored title of a page lacks the names of what it mentions.
  if (node.kind !== "page" || !node.hasMentions) return node.title;
  const { properties } = parsePageDoc(fillMentions(node.doc, { ...names, urlOf }));
  return plainText(titleOf(properties));
}

/** The page or database that a link leads to; `""` of every other block. */
function linkedId({ type }: ContentNode, value: unknown): string {
  if (type !== "link_to_page" || typeof value !== "object" || value === null) return "";
  const { page_id: page, database_id: database } = value as BlockValue;
  return String(page ?? database ?? "");
}

function byPosition(a: ContentNode, b: ContentNode): number {
  return a.position < b.position ? -1 : 1;
}
