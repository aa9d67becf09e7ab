/**
 * Divides content at the places of child pages, which exist before the content around them.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import type { JsonObject } from "../../transfer/json.ts";
import { openBlock } from "../links/blocks.ts";
import { loneTarget, settleBlocks, type Written } from "./settle.ts";

/** Blocks that go to one place of their page. */
export interface Segment {
  /** Undefined for the end. */
  readonly position: JsonObject | undefined;
  readonly blocks: readonly BlockInput[];
}

/** The parent of each page. */
export type Parents = ReadonlyMap<string, string | undefined>;

/** The child page that a paragraph of nothing but a link stands for. */
export function childOf(parents: Parents, key: string, block: BlockInput): string | undefined {
  const { type, body } = openBlock(block);
  const target = type === "paragraph" ? loneTarget(body)?.target : undefined;
  return target?.kind === "node" && parents.get(target.key) === key ? target.key : undefined;
}

/** The segments of the content of a page, ready to be written. */
export function segmentsOf(
  key: string,
  blocks: readonly BlockInput[],
  { parents, written, hasChildren }: {
    readonly parents: Parents;
    readonly written: Written;
    readonly hasChildren: boolean;
  },
): Segment[] {
  const start = hasChildren ? { type: "start" } : undefined;
  const segments: { position: JsonObject | undefined; blocks: BlockInput[] }[] = [
    { position: start, blocks: [] },
  ];
  const placed = new Set<string>();
  for (const block of blocks) {
    const child = childOf(parents, key, block);
    const id = child === undefined || placed.has(child) ? undefined : written.node(child)?.id;
    if (child === undefined || id === undefined) {
      segments.at(-1)?.blocks.push(...settleBlocks([block], written));
    } else {
      placed.add(child);
      segments.push({ position: { type: "after_block", after_block: { id } }, blocks: [] });
    }
  }
  return segments;
}
