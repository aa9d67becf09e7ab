/**
 * A portion of a page as Markdown: plain data in, text out, so that any thread can do it.
 *
 * @module
 */
import { isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { printMarkdown } from "./print.ts";
import { parseValue } from "./stored_value.ts";
import { type Flow, gathered, type ShownBlock, toFlow } from "./to_flow.ts";
import { type UrlOf, urlsAt } from "../values/page_urls.ts";

/** What is printed of a portion: of each node, in document order, what shows of it. */
export interface ShownPortion {
  readonly ids: readonly string[];
  readonly types: readonly string[];
  /** The index of each one's parent; -1 at the top. */
  readonly parents: readonly number[];
  /** What it or its target is called; `""` of what is no page or database and leads to none. */
  readonly titles: readonly string[];
  /** JSON of what is stored under the types' keys, names filled in. */
  readonly docs: readonly string[];
  /** The number of a numbered item that stands first. */
  readonly start: number;
  /** Where the service is reached. */
  readonly publicUrl: string;
}

export interface PrintedPortion {
  /** Ends with a line end; empty where nothing is shown. */
  readonly text: string;
  /** Ids of blocks whose content or place the text does not show. */
  readonly unknownIds: readonly string[];
}

/** Blocks below blocks that are nested in the text; what is deeper follows at this level. */
const LEVELS = 60;

/** The Markdown of a portion. */
export function printPortion(portion: ShownPortion): PrintedPortion {
  const values = portion.docs.map(parseValue);
  const below = new Map<number, number[]>();
  for (const [index, parent] of portion.parents.entries()) {
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [index]);
    else siblings.push(index);
  }
  const unknownIds: string[] = [];
  const tree = { portion, values, below, urlOf: urlsAt(portion.publicUrl), unknownIds };
  const flow = (below.get(-1) ?? []).flatMap((index) => flowOf(tree, index, LEVELS));
  return { text: printMarkdown(gathered(flow, portion.start)), unknownIds };
}

interface Tree {
  readonly portion: ShownPortion;
  readonly values: readonly BlockValue[];
  readonly below: ReadonlyMap<number, readonly number[]>;
  readonly urlOf: UrlOf;
  readonly unknownIds: string[];
}

const NONE: readonly number[] = [];

/** The Markdown of a node and of all below it, nested so many levels at most. */
function flowOf(tree: Tree, index: number, levels: number): Flow {
  const { portion: { ids, types }, below, unknownIds, urlOf } = tree;
  if (types[index] === "unsupported") unknownIds.push(ids[index] ?? "");
  const nodes = below.get(index) ?? NONE;
  if (types[index] === "table") {
    const rows = nodes.map((row) => tree.values[row] ?? {});
    return toFlow(blockOf(tree, index, { children: [], rows }), urlOf);
  }
  if (levels === 0) {
    return [...toFlow(blockOf(tree, index, EMPTY), urlOf), ...levelled(tree, index)];
  }
  const children = nodes.flatMap((child) => flowOf(tree, child, levels - 1));
  return toFlow(blockOf(tree, index, { children, rows: [] }), urlOf);
}

/** All that is below a node without its nesting, in order. */
function levelled(tree: Tree, root: number): Flow {
  const { parents, types, ids } = tree.portion;
  const flow: Flow = [];
  // In document order a branch has no gap.
  for (let index = root + 1; (parents[index] ?? -1) >= root; index++) {
    // Rows came with their table.
    if (types[index] === "table_row") continue;
    tree.unknownIds.push(ids[index] ?? "");
    const alone = types[index] === "table" ? tree : { ...tree, below: new Map() };
    flow.push(...flowOf(alone, index, LEVELS));
  }
  return flow;
}

type Inside = Pick<ShownBlock, "children" | "rows">;

const EMPTY: Inside = { children: [], rows: [] };

function blockOf(
  { portion: { ids, types, titles }, values }: Tree,
  index: number,
  inside: Inside,
): ShownBlock {
  const type = types[index] ?? "";
  return {
    id: ids[index] ?? "",
    // A type of a later release shows as what it is here: unsupported.
    type: isBlockType(type) ? type : "unsupported",
    value: values[index] ?? {},
    title: titles[index] ?? "",
    ...inside,
  };
}
