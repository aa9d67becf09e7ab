/**
 * Appends the blocks of a page: whole trees in one request where they fit, and level by level where
 * they do not.
 *
 * @module
 */
import type { BlockTree } from "../../export/block_tree.ts";
import { jsonBytes, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import { type ImportRun, refusalOf } from "./import_run.ts";
import { writtenBlock } from "./written_block.ts";

/** The API takes 100 blocks in each array, 5,000 in all, 1 MiB, and 64 levels of JSON. */
const MAX_ARRAY = 100;
const MAX_BLOCKS = 1_000;
const MAX_BYTES = 400_000;
const MAX_LEVELS = 12;

/** A copy of a synced block, which is written after all originals. */
export interface WaitingCopy {
  readonly parentId: string;
  /** ID here of the block before it; undefined if it is the first. */
  readonly after: string | undefined;
  /** Other copies that follow it at once. */
  readonly block: JsonObject;
}

export interface Content {
  readonly run: ImportRun;
  /** Names the page in the journal and in the report. */
  readonly pageId: string;
  readonly copies: WaitingCopy[];
  /** Counts the requests of the page, which are always the same. */
  nextBatch: number;
}

/** Blocks that are prepared for a request. */
interface Draft {
  readonly tree: BlockTree;
  readonly written: JsonObject;
  /** True if blocks are missing in it that have to be appended to it. */
  readonly isSplit: boolean;
  readonly blocks: number;
  readonly bytes: number;
}

/** Appends trees to a block or page, in order, around the pages and databases that are in it. */
export async function appendTrees(
  content: Content,
  parentId: string,
  trees: readonly BlockTree[],
  previous?: string,
): Promise<void> {
  let after = previous;
  let batch: Draft[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) after = await appendBatch(content, { parentId, after }, batch);
    batch = [];
  };
  for (const tree of trees) {
    const id = textAt(tree.block, "id");
    if (isObjectBlock(tree.block)) {
      await flush();
      after = content.run.idOf(id) ?? after;
    } else if (isCopy(tree.block)) {
      await flush();
      content.copies.push({ parentId, after, block: tree.block });
    } else {
      const draft = await draftOf(content, tree);
      if (draft === undefined) continue;
      if (!fits(batch, draft)) await flush();
      batch.push(draft);
    }
  }
  await flush();
}

function isObjectBlock({ type }: JsonObject): boolean {
  return type === "child_page" || type === "child_database";
}

export function isCopy(block: JsonObject): boolean {
  const from = objectAt(objectAt(block, "synced_block"), "synced_from");
  return block.type === "synced_block" && textAt(from, "block_id") !== "";
}

function fits(batch: readonly Draft[], draft: Draft): boolean {
  const all = [...batch, draft];
  return all.length <= MAX_ARRAY &&
    all.reduce((sum, { blocks }) => sum + blocks, 0) <= MAX_BLOCKS &&
    all.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES;
}

interface Place {
  readonly parentId: string;
  readonly after: string | undefined;
}

/** Appends blocks, and what did not fit into them; resolves to the ID of the last. */
async function appendBatch(
  content: Content,
  { parentId, after }: Place,
  batch: readonly Draft[],
): Promise<string | undefined> {
  const { run, pageId } = content;
  const position = after === undefined
    ? { type: "start" }
    : { type: "after_block", after_block: { id: after } };
  const body = { children: batch.map(({ written }) => written), position };
  const name = `blocks ${pageId} ${content.nextBatch++}`;
  let ids: string[];
  try {
    const joined = await run.once(name, async (key) => {
      const list = await run.api.patch(`/v2/blocks/${parentId}/children`, body, { key });
      return idsOf(list).join(" ");
    });
    ids = joined.split(" ");
  } catch (error) {
    const reason = refusalOf(error);
    if (batch.length > 1) return await appendHalves(content, { parentId, after }, batch);
    run.report.omit(pageId, reason);
    return after;
  }
  for (const [index, { tree, isSplit }] of batch.entries()) {
    const id = ids[index] ?? "";
    rememberOriginal(run, tree.block, id);
    if (isSplit) await completeBlock(content, id, tree);
  }
  return ids.at(-1);
}

/** One block that is refused must not keep out those beside it. */
async function appendHalves(
  content: Content,
  { parentId, after }: Place,
  batch: readonly Draft[],
): Promise<string | undefined> {
  const half = Math.ceil(batch.length / 2);
  const middle = await appendBatch(content, { parentId, after }, batch.slice(0, half));
  return await appendBatch(content, { parentId, after: middle }, batch.slice(half));
}

function idsOf(list: JsonObject): string[] {
  const { results } = list;
  return Array.isArray(results) ? results.map((block) => textAt(block, "id")) : [];
}

/** Copies of a synced block need its ID here. */
function rememberOriginal({ archive, journal }: ImportRun, block: JsonObject, id: string): void {
  const old = textAt(block, "id");
  if (archive.originals.has(old) && journal.get(old) === undefined) journal.put(old, id);
}

/** Appends the children of a block that did not come with it. */
async function completeBlock(content: Content, id: string, tree: BlockTree): Promise<void> {
  const { first, rest } = divide(content.run, tree);
  if (first.length === 0 && !needsFiller(tree)) return await appendTrees(content, id, rest);
  const present: string[] = [];
  for await (const block of content.run.api.list(`/v2/blocks/${id}/children`)) {
    present.push(textAt(block, "id"));
  }
  if (needsFiller(tree)) {
    await appendTrees(content, id, rest);
    const [filler = ""] = present.slice(-1);
    await content.run.once(`filler ${id}`, async () => {
      await content.run.api.delete(`/v2/blocks/${filler}`);
      return filler;
    });
    return;
  }
  for (const [index, child] of first.entries()) {
    const childId = present[index] ?? "";
    rememberOriginal(content.run, child.block, childId);
    if (!isWhole(content.run, child)) await completeBlock(content, childId, child);
  }
  await appendTrees(content, id, rest, present[first.length - 1]);
}

/** Prepares a block with its children, or with those that it cannot be created without. */
async function draftOf(content: Content, tree: BlockTree): Promise<Draft | undefined> {
  const { run, pageId } = content;
  const value = await writtenBlock(run, tree.block, pageId);
  if (value === undefined) return undefined;
  const isSplit = !isWhole(run, tree);
  const inside = isSplit ? divide(run, tree).first : tree.children;
  const drafts: Draft[] = [];
  for (const child of inside) {
    const draft = await draftOf(content, child);
    if (draft !== undefined) drafts.push(draft);
  }
  const children = isSplit && needsFiller(tree) ? [FILLER] : drafts.map(({ written }) => written);
  const type = textAt(tree.block, "type");
  const written = children.length === 0 ? { [type]: value } : { [type]: { ...value, children } };
  return {
    tree,
    written,
    isSplit,
    blocks: 1 + drafts.reduce((sum, { blocks }) => sum + blocks, 0),
    bytes: jsonBytes(written),
  };
}

/** A column is created with a block. */
const FILLER: JsonObject = { paragraph: { rich_text: [] } };

/** Divides the children of a block: those it is created with, and those appended later. */
function divide(
  run: ImportRun,
  { block, children }: BlockTree,
): { first: BlockTree[]; rest: BlockTree[] } {
  const count = block.type === "table"
    ? countFirstRows(run, children)
    : block.type === "column_list"
    ? children.length
    : block.type === "column" && !startsWithCopy(children)
    ? 1
    : 0;
  return { first: children.slice(0, count), rest: children.slice(count) };
}

/** A table is created with a row, and with as many more as fit. */
function countFirstRows(run: ImportRun, rows: readonly BlockTree[]): number {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += measure(run, row).bytes;
    return index === MAX_ARRAY || (index > 0 && bytes > MAX_BYTES);
  });
  return end < 0 ? rows.length : end;
}

function startsWithCopy([first]: readonly BlockTree[]): boolean {
  return first === undefined || isCopy(first.block) || isObjectBlock(first.block);
}

function needsFiller({ block, children }: BlockTree): boolean {
  return block.type === "column" && startsWithCopy(children);
}

/** Returns whether a block can be sent with all that is nested in it. */
function isWhole(run: ImportRun, tree: BlockTree): boolean {
  const size = measure(run, tree);
  return size.levels <= MAX_LEVELS && size.blocks <= MAX_BLOCKS && size.bytes <= MAX_BYTES &&
    size.isDivisible === false;
}

interface Size {
  readonly levels: number;
  readonly blocks: number;
  readonly bytes: number;
  /** True if a block inside is needed alone, or has too many children. */
  readonly isDivisible: boolean;
}

const sizes = new WeakMap<BlockTree, Size>();

function measure(run: ImportRun, tree: BlockTree): Size {
  const known = sizes.get(tree);
  if (known !== undefined) return known;
  const inside = tree.children.map((child) => measure(run, child));
  const size = {
    levels: 1 + Math.max(0, ...inside.map(({ levels }) => levels)),
    blocks: 1 + inside.reduce((sum, { blocks }) => sum + blocks, 0),
    bytes: jsonBytes(tree.block) + inside.reduce((sum, { bytes }) => sum + bytes, 0),
    isDivisible: tree.children.length > MAX_ARRAY || inside.some((one) => one.isDivisible) ||
      tree.children.some(({ block }) => isNeededAlone(run, block)) || needsFiller(tree),
  };
  sizes.set(tree, size);
  return size;
}

/** Originals of copies need their ID, and copies need that of the block before them. */
function isNeededAlone({ archive }: ImportRun, block: JsonObject): boolean {
  return isCopy(block) || isObjectBlock(block) || archive.originals.has(textAt(block, "id"));
}
