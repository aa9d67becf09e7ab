/**
 * The content of a page as Markdown.
 *
 * @module
 */
import { isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { collectMentions, fillMentions, type MentionNames } from "../mentions.ts";
import type { ContentNode, NodeDoc } from "../node.ts";
import type { PageDoc } from "../pages.ts";
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

/** The documents of these nodes, by id; each of the very version that the node has. */
export type DocsOf = (nodes: readonly ContentNode[]) => Promise<ReadonlyMap<string, string>>;

export interface RenderedPage {
  /**
   * The text in parts, which follow each other as they are. They are made as they are taken, each from
   * documents that are read for it alone, so that a large page takes little memory.
   */
  readonly parts: AsyncIterable<string>;
  /** Ids of blocks whose content or place the text does not show; complete once all parts are taken. */
  readonly unknownIds: readonly string[];
}

/** Blocks below blocks that are nested in the text; what is deeper follows at this level. */
const LEVELS = 60;
/** Blocks of one part, at least. */
const PART = 500;

/** Ids of the users, pages and databases whose names these documents show. */
export function namesIn(docs: readonly NodeDoc[]): { users: string[]; nodes: string[] } {
  const values = docs.map(({ doc }): unknown => JSON.parse(doc));
  const found = collectMentions(values);
  const linked = docs.map(({ type }, index) => linkedId(type, values[index])).filter(Boolean);
  return { users: [...found.users], nodes: [...new Set([...found.nodes, ...linked])] };
}

export interface RenderOptions extends Shown {
  readonly docsOf: DocsOf;
}

/** Renders all that is below a page, parents before their children, whatever its size. */
export function renderContent(
  pageId: string,
  nodes: readonly ContentNode[],
  { docsOf, ...shown }: RenderOptions,
): RenderedPage {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  for (const siblings of below.values()) siblings.sort(byPosition);
  const unknownIds: string[] = [];
  const tree = { below, shown, unknownIds };
  return { parts: printed(tree, below.get(pageId) ?? [], docsOf), unknownIds };
}

interface Tree {
  readonly below: ReadonlyMap<string | null, readonly ContentNode[]>;
  readonly shown: Shown;
  readonly unknownIds: string[];
}

/** A tree with the documents that are needed now. */
interface Documented extends Tree {
  readonly docs: ReadonlyMap<string, string>;
}

async function* printed(
  tree: Tree,
  top: readonly ContentNode[],
  docsOf: DocsOf,
): AsyncGenerator<string> {
  let separator = "";
  let numbers = 0;
  for (const { nodes, all, next } of portions(tree, top)) {
    const documented: Documented = { ...tree, docs: await docsOf(all) };
    const flow = nodes.flatMap((node) => flowOf(documented, node, LEVELS));
    yield separator + printMarkdown(gathered(flow, numbers + 1));
    const kind = listKind(nodes.at(-1));
    // A list that is cut goes on where it ended.
    const goesOn = kind !== undefined && kind === listKind(next);
    const items = itemsAtEnd(flow);
    separator = goesOn ? "" : "\n";
    numbers = !goesOn ? 0 : items === flow.length ? numbers + items : items;
  }
}

interface Portion {
  /** Neighbours at the top of the page. */
  readonly nodes: readonly ContentNode[];
  /** Those and all that is below them. */
  readonly all: readonly ContentNode[];
  /** The neighbour behind them. */
  readonly next: ContentNode | undefined;
}

function* portions(tree: Tree, top: readonly ContentNode[]): Generator<Portion> {
  let nodes: ContentNode[] = [];
  let all: ContentNode[] = [];
  for (const [index, node] of top.entries()) {
    nodes.push(node);
    all.push(...branch(tree, node));
    const next = top[index + 1];
    if (next !== undefined && all.length < PART) continue;
    yield { nodes, all, next };
    nodes = [];
    all = [];
  }
}

/** A node and all below it, parents before their children; no depth is too deep. */
function* branch({ below }: Tree, root: ContentNode): Generator<ContentNode> {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if (node.kind === "block") open.push(...(below.get(node.id) ?? []).toReversed());
  }
}

/** Which items are neighbours in one list; undefined of what is no item. */
function listKind(node: ContentNode | undefined): "numbers" | "bullets" | undefined {
  if (node?.type === "numbered_list_item") return "numbers";
  return node?.type === "to_do" || node?.type === "bulleted_list_item" ? "bullets" : undefined;
}

/** The Markdown of a node and of all below it, nested so many levels at most. */
function flowOf(tree: Documented, node: ContentNode, levels: number): Flow {
  const { below, shown, unknownIds } = tree;
  if (node.type === "unsupported") unknownIds.push(node.id);
  const nodes = node.kind === "block" ? below.get(node.id) ?? [] : [];
  if (node.type === "table") {
    const rows = nodes.map((row) => valueOf(tree, row));
    return toFlow(blockOf(tree, node, { children: [], rows }), shown.urlOf);
  }
  if (levels === 0) {
    return [...toFlow(blockOf(tree, node, EMPTY), shown.urlOf), ...levelled(tree, nodes)];
  }
  const children = nodes.flatMap((child) => flowOf(tree, child, levels - 1));
  return toFlow(blockOf(tree, node, { children, rows: [] }), shown.urlOf);
}

/** All that is below without its nesting, in order. */
function levelled(tree: Documented, top: readonly ContentNode[]): Flow {
  const flow: Flow = [];
  for (const node of top.flatMap((node) => [...branch(tree, node)])) {
    // Rows came with their table.
    if (node.type === "table_row") continue;
    tree.unknownIds.push(node.id);
    const alone = node.type === "table" ? tree : { ...tree, below: new Map() };
    flow.push(...flowOf(alone, node, LEVELS));
  }
  return flow;
}

type Inside = Pick<ShownBlock, "children" | "rows">;

const EMPTY: Inside = { children: [], rows: [] };

function blockOf(tree: Documented, node: ContentNode, { children, rows }: Inside): ShownBlock {
  // A type of a later release shows as what it is here: unsupported.
  const type = isBlockType(node.type) ? node.type : "unsupported";
  const value = node.kind === "block" ? valueOf(tree, node) : {};
  return { id: node.id, type, value, title: titleIn(tree, node, value), children, rows };
}

function valueOf({ docs, shown: { names, urlOf } }: Documented, node: ContentNode): BlockValue {
  const doc = docs.get(node.id) ?? "{}";
  return JSON.parse(node.hasMentions ? fillMentions(doc, { ...names, urlOf }) : doc);
}

function titleIn(tree: Documented, node: ContentNode, value: BlockValue): string {
  if (node.type === "link_to_page") {
    return tree.shown.names.titles.get(linkedId(node.type, value)) ?? "";
  }
  // The stored title of a page lacks the names of what it mentions.
  if (node.kind !== "page" || !node.hasMentions) return node.title;
  // Sound because the document of every page has its properties.
  const { properties } = valueOf(tree, node) as unknown as PageDoc;
  return plainText(titleOf(properties));
}

/** The page or database that a link leads to; `""` of every other block. */
function linkedId(type: string, value: unknown): string {
  if (type !== "link_to_page" || typeof value !== "object" || value === null) return "";
  const { page_id: page, database_id: database } = value as BlockValue;
  return String(page ?? database ?? "");
}

function byPosition(a: ContentNode, b: ContentNode): number {
  return a.position < b.position ? -1 : 1;
}
