/**
 * The table of block types, looked up by name.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { BLOCK_TYPES, type BlockSpec, type BlockType, type Slot, TYPE_NAMES } from "./types.ts";

type NamedFields = readonly (readonly [string, Field])[];

/** A row of the table with its members laid out for loops: thousands of blocks come at once. */
export interface BlockKind extends BlockSpec {
  readonly type: BlockType;
  /** The members of `fields`. */
  readonly own: NamedFields;
  /** Those and the members of the choice. */
  readonly writable: NamedFields;
}

/** Every block type, in the order of the table. */
export const blockKinds: readonly BlockKind[] = TYPE_NAMES.map((type) => {
  const spec: BlockSpec = BLOCK_TYPES[type];
  const own = Object.entries(spec.fields);
  return { ...spec, type, own, writable: [...Object.entries(spec.choice?.write ?? {}), ...own] };
});

// A Map, because clients choose the keys that are looked up.
const kinds: ReadonlyMap<string, BlockKind> = new Map(
  blockKinds.map((kind) => [kind.type, kind]),
);

/** Whether this names a block type. */
export function isBlockType(name: string): name is BlockType {
  return kinds.has(name);
}

/** What is known of the type of a block. */
export function blockKind(type: string): BlockKind {
  const kind = kinds.get(type);
  if (kind === undefined) throw new Error(`No block type ${type}`);
  return kind;
}

/** The kind of children that a block of this type is itself. */
export function slotFor(type: string): Slot {
  if (type === "table_row") return "rows";
  return type === "column" ? "columns" : "any";
}
