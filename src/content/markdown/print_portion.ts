/**
 * Prints a portion of a page as Markdown. Input and output are plain data, so that a Worker can do
 * it.
 *
 * @module
 */
import { isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { type EnhancedBlock, printEnhanced } from "./enhanced/print_enhanced.ts";
import { textPieces } from "../../shared/text_pieces.ts";
import { levelsBelow } from "./nesting.ts";
import { printMarkdown } from "./print_markdown.ts";
import { parseStoredBlock } from "./stored_block.ts";
import { type Flow, groupLists, type PrintableBlock, toFlow } from "./to_flow.ts";
import { type Addresses, type UrlOf, urlsAt } from "../values/page_urls.ts";

/** The data of nodes, in document order. */
export interface PortionNodes {
  readonly ids: readonly string[];
  readonly types: readonly string[];
  /** The index of each node's parent; -1 at the top level. */
  readonly parents: readonly number[];
  /** The title of a page or database, or of the one that a block links to; otherwise `""`. */
  readonly titles: readonly string[];
  /** The stored values as JSON, with names filled in. */
  readonly docs: readonly string[];
}

/** Data of a portion besides its nodes. */
export interface PortionContext extends Addresses {
  /** The number of the first item, if that is a numbered list item. */
  readonly start: number;
  /** The dialect to print; CommonMark if absent. */
  readonly variant?: MarkdownVariant | undefined;
}

export type PortionData = PortionNodes & PortionContext;

export interface PrintedPortion {
  /** The text in pieces of bounded length. Ends with a line end; empty if nothing is shown. */
  readonly texts: readonly string[];
  /** Ids of blocks whose content or nesting the text does not show. */
  readonly unknownIds: readonly string[];
}

/** Prints a portion. */
export function printPortion(portion: PortionData): PrintedPortion {
  const values = portion.docs.map(parseStoredBlock);
  const below = new Map<number, number[]>();
  for (const [index, parent] of portion.parents.entries()) {
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [index]);
    else siblings.push(index);
  }
  const unknownIds: string[] = [];
  if (portion.variant === "enhanced") return printEnhancedPortion(portion, { values, below });
  const tree = { portion, values, below, urlOf: urlsAt(portion), unknownIds };
  const nested = { ...portion, values };
  const flow = (below.get(-1) ?? NONE).flatMap((index) =>
    flowOf(tree, index, levelsBelow(index, nested))
  );
  return { texts: [...textPieces(printMarkdown(groupLists(flow, portion.start)))], unknownIds };
}

/** Dialects of Markdown. */
export type MarkdownVariant = "commonmark" | "enhanced";

interface ParsedPortion {
  readonly values: readonly BlockValue[];
  /** Indexes of children by index of their parent. */
  readonly below: ReadonlyMap<number, readonly number[]>;
}

function printEnhancedPortion(
  portion: PortionData,
  { values, below }: ParsedPortion,
): PrintedPortion {
  const { ids, types, titles, parents, publicUrl, start } = portion;
  const unknownIds: string[] = [];
  const blockAt = (index: number, children: readonly EnhancedBlock[]): EnhancedBlock => {
    const known = types[index] ?? "";
    // A type of a later release is unsupported here.
    const type = isBlockType(known) ? known : "unsupported";
    if (type === "unsupported") unknownIds.push(ids[index] ?? "");
    const title = titles[index] ?? "";
    return { id: ids[index] ?? "", type, value: values[index] ?? {}, title, number: 1, children };
  };
  const branchOf = (index: number, levels: number): EnhancedBlock[] => {
    const nodes = below.get(index) ?? NONE;
    if (levels > 0 || types[index] === "table") {
      return [blockAt(index, numbered(nodes.flatMap((child) => branchOf(child, levels - 1)), 1))];
    }
    const deep: EnhancedBlock[] = [blockAt(index, [])];
    // In document order, a node's descendants are contiguous.
    for (let at = index + 1; (parents[at] ?? -1) >= index; at++) {
      if (types[at] === "table_row") continue;
      unknownIds.push(ids[at] ?? "");
      const rows = types[at] === "table" ? below.get(at) ?? NONE : NONE;
      deep.push(blockAt(at, rows.map((row) => blockAt(row, []))));
    }
    return deep;
  };
  const nested = { ...portion, values };
  const top = (below.get(-1) ?? NONE).flatMap((index) =>
    branchOf(index, levelsBelow(index, nested))
  );
  const text = printEnhanced(numbered(top, start), {
    urlOf: urlsAt(portion),
    blockUrl: (id) => `${publicUrl}/v2/blocks/${id.replaceAll("-", "")}`,
  });
  return { texts: [...textPieces(text)], unknownIds };
}

/** The blocks with the numbers of numbered items; each list counts from 1, the first from `start`. */
function numbered(blocks: readonly EnhancedBlock[], start: number): EnhancedBlock[] {
  let next = start;
  return blocks.map((block, index) => {
    const isItem = block.type === "numbered_list_item";
    if (isItem && index > 0 && blocks[index - 1]?.type !== block.type) next = 1;
    return isItem ? { ...block, number: next++ } : block;
  });
}

interface Tree {
  readonly portion: PortionData;
  readonly values: readonly BlockValue[];
  readonly below: ReadonlyMap<number, readonly number[]>;
  readonly urlOf: UrlOf;
  readonly unknownIds: string[];
}

const NONE: readonly number[] = [];

/** Converts a node and its descendants, with at most `levels` levels of nesting. */
function flowOf(tree: Tree, index: number, levels: number): Flow {
  const { portion: { ids, types }, below, unknownIds, urlOf } = tree;
  if (types[index] === "unsupported") unknownIds.push(ids[index] ?? "");
  const nodes = below.get(index) ?? NONE;
  if (types[index] === "table") {
    const rows = nodes.map((row) => tree.values[row] ?? {});
    return toFlow(blockOf(tree, index, { children: [], rows }), urlOf);
  }
  if (levels === 0) {
    return [...toFlow(blockOf(tree, index, EMPTY), urlOf), ...flattened(tree, index)];
  }
  const children = nodes.flatMap((child) => flowOf(tree, child, levels - 1));
  return toFlow(blockOf(tree, index, { children, rows: [] }), urlOf);
}

/** All descendants of a node in document order, without nesting. */
function flattened(tree: Tree, root: number): Flow {
  const { parents, types, ids } = tree.portion;
  const flow: Flow = [];
  // In document order, a node's descendants are contiguous.
  for (let index = root + 1; (parents[index] ?? -1) >= root; index++) {
    // Rows are printed with their table.
    if (types[index] === "table_row") continue;
    tree.unknownIds.push(ids[index] ?? "");
    const alone = types[index] === "table" ? tree : { ...tree, below: new Map() };
    flow.push(...flowOf(alone, index, 1));
  }
  return flow;
}

type BlockContents = Pick<PrintableBlock, "children" | "rows">;

const EMPTY: BlockContents = { children: [], rows: [] };

function blockOf(
  { portion: { ids, types, titles }, values }: Tree,
  index: number,
  inside: BlockContents,
): PrintableBlock {
  const type = types[index] ?? "";
  return {
    id: ids[index] ?? "",
    // A type of a later release is unsupported here.
    type: isBlockType(type) ? type : "unsupported",
    value: values[index] ?? {},
    title: titles[index] ?? "",
    ...inside,
  };
}
