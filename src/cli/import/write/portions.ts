/**
 * Divides blocks into requests: the API takes 100 blocks of each level and about 1 MiB at a time.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { LIMITS } from "../../../content/values/limits.ts";
import { makeBlock, openBlock } from "../links/blocks.ts";

/** A block that is sent as `first`, and has `rest` appended to it afterwards. */
export interface DividedBlock {
  readonly first: BlockInput;
  readonly rest: readonly BlockInput[];
}

/** Levels of one request; JSON may have 64 levels, which is about 20 of blocks. */
const LEVELS = 12;
/** UTF-16 code units of the JSON of one request: at most 900 kB, also if each takes three bytes. */
const REQUEST_LENGTH = 300_000;
const REQUEST_BLOCKS = 1_000;

interface Measure {
  readonly blocks: number;
  readonly length: number;
  readonly levels: number;
  /** Children of the block that has most. */
  readonly widest: number;
}

function measure(block: BlockInput): Measure {
  const { children = [] } = openBlock(block).body;
  const inside = children.map(measure);
  return {
    blocks: 1 + inside.reduce((sum, { blocks }) => sum + blocks, 0),
    length: JSON.stringify(block).length,
    levels: 1 + Math.max(0, ...inside.map(({ levels }) => levels)),
    widest: Math.max(children.length, ...inside.map(({ widest }) => widest)),
  };
}

function fits({ blocks, length, levels, widest }: Measure): boolean {
  return blocks <= REQUEST_BLOCKS && length <= REQUEST_LENGTH && levels <= LEVELS &&
    widest <= LIMITS.array;
}

/** Divides a block that is too large for one request. */
export function divideBlock(block: BlockInput): DividedBlock {
  if (fits(measure(block))) return { first: block, rest: [] };
  const { type, body } = openBlock(block);
  const { children = [], ...own } = body;
  if (type === "table") {
    const first = makeBlock(type, { ...body, children: children.slice(0, 1) });
    return { first, rest: children.slice(1) };
  }
  // Columns must not be empty, so the blocks of columns that are too large stand below each other.
  if (type === "column_list") {
    const columns = children.flatMap((column) => openBlock(column).body.children ?? []);
    return {
      first: makeBlock("toggle", { rich_text: [{ text: { content: "Columns" } }] }),
      rest: columns,
    };
  }
  return { first: makeBlock(type, own), rest: children };
}

/** Groups blocks into requests. */
export function portionsOf(blocks: readonly BlockInput[]): DividedBlock[][] {
  const portions: DividedBlock[][] = [];
  let size = { blocks: 0, length: 0 };
  for (const block of blocks) {
    const divided = divideBlock(block);
    const { blocks: count, length } = measure(divided.first);
    const last = portions.at(-1);
    const isFull = last === undefined || last.length >= LIMITS.array ||
      size.blocks + count > REQUEST_BLOCKS || size.length + length > REQUEST_LENGTH;
    if (isFull) portions.push([divided]);
    else last.push(divided);
    size = isFull
      ? { blocks: count, length }
      : { blocks: size.blocks + count, length: size.length + length };
  }
  return portions;
}

/** Returns whether all blocks fit into the request that creates their page. */
export function fitInOne(blocks: readonly BlockInput[]): boolean {
  const portions = portionsOf(blocks);
  return portions.length <= 1 && (portions[0] ?? []).every(({ rest }) => rest.length === 0);
}
