/**
 * Looks up block types by name.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { BLOCK_TYPES, type BlockSpec, type BlockType } from "./types.ts";

type NamedFields = readonly (readonly [string, Field])[];

/** A block type with its fields as lists, because one request can have thousands of blocks. */
export interface BlockKind extends BlockSpec {
  readonly type: BlockType;
  /** The members of `fields`. */
  readonly own: NamedFields;
  /** The members of `fields` and of the choice. */
  readonly writable: NamedFields;
}

/** Every block type, in the order of the table. */
export const blockKinds: readonly BlockKind[] = Object.entries(BLOCK_TYPES).map(([name, entry]) => {
  // Sound because the types are the only keys of the table.
  const type = name as BlockType;
  const spec: BlockSpec = entry;
  const own = Object.entries(spec.fields);
  return { ...spec, type, own, writable: [...Object.entries(spec.choice?.write ?? {}), ...own] };
});

// A Map, because clients choose the keys that are looked up.
const kinds: ReadonlyMap<string, BlockKind> = new Map(
  blockKinds.map((kind) => [kind.type, kind]),
);

/** Returns whether there is a block type of this name. */
export function isBlockType(name: string): name is BlockType {
  return kinds.has(name);
}

/** Returns the block type of this name. Throws if there is none. */
export function blockKind(type: string): BlockKind {
  const kind = kinds.get(type);
  if (kind === undefined) throw new Error(`No block type ${type}`);
  return kind;
}

/** Returns whether blocks of this type never have children. */
export function isLeaf(type: string): boolean {
  return kinds.get(type)?.children === "none";
}

/** The only type of parent that some types can have, by type. */
export const onlyParents: ReadonlyMap<string, BlockType> = new Map(
  blockKinds.flatMap(({ type, children }) =>
    typeof children === "object" ? [[children.only, type] as const] : []
  ),
);
