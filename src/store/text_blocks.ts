/**
 * Text blocks: the texts of one property side by side, so that a search reads little but texts.
 *
 * A block has the texts of consecutive rows by creation. It may have texts of rows that are gone, and
 * lacks none: a write that changes a text takes the texts out of its block in the same transaction.
 *
 * @module
 */
import type { Test } from "../content/query/filter.ts";
import type { BlockSizes } from "./port.ts";

/** Sizes of blocks: fewer rows of a database are searched as quickly without. */
export const BLOCK_SIZES: BlockSizes = { rows: 256, least: 4_096 };

/** Bytes of a block, so that two of them fit a page of PostgreSQL. */
const BLOCK_BYTES = 3_800;
/** Bytes of the texts of one row; longer ones are not in the block. */
const ROW_BYTES = 1_000;

/** Ends each text. */
const END = "\u0001";
/** In place of texts that are too long, or contain `END`. */
const LONG = "\u0002";

/** Characters of a searched text that are looked for in blocks. */
const SEARCHED = 100;

export interface RowTexts {
  readonly id: string;
  /** Folded. */
  readonly texts: readonly string[];
}

export interface PackedTexts {
  readonly hasLong: boolean;
  readonly texts: string;
  readonly ids: string;
  /** How many rows it has, from the first. */
  readonly rows: number;
}

/** Packs the texts of the first rows, at least one, into a block. */
export function packTexts(rows: readonly RowTexts[]): PackedTexts {
  const texts: string[] = [];
  const ids: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const row of rows) {
    const own = ownTexts(row.texts);
    bytes += bytesOf(own);
    if (count > 0 && bytes > BLOCK_BYTES) break;
    texts.push(...own);
    ids.push(...own.map(() => row.id));
    count++;
  }
  return {
    hasLong: texts.includes(LONG),
    texts: texts.map((text) => text + END).join(""),
    ids: ids.join(" "),
    rows: count,
  };
}

function ownTexts(texts: readonly string[]): readonly string[] {
  const isLong = bytesOf(texts) > ROW_BYTES || texts.some((text) => text.includes(END));
  return isLong ? [LONG] : texts;
}

const encoder = new TextEncoder();

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + encoder.encode(text).length + 1, 0);
}

export type TextTest = Extract<Test, { readonly is: "text" }>;

/** Returns what the texts of a block contain if one of them passes the test. */
export function searchedText({ how, text }: TextTest): string {
  const characters = [...text];
  return how === "ends"
    ? characters.slice(-SEARCHED).join("") + END
    : characters.slice(0, SEARCHED).join("");
}

/** The rows of a block that may pass the test. */
export function idsWithin(
  { texts, ids }: Pick<PackedTexts, "texts" | "ids">,
  { how, text }: TextTest,
): string[] {
  const all = ids.split(" ");
  const within: string[] = [];
  for (const [index, one] of texts.split(END).entries()) {
    const passes = how === "ends" ? one.endsWith(text) : one.includes(text);
    const id = all[index];
    if (id !== undefined && (passes || one === LONG)) within.push(id);
  }
  return within;
}
