/**
 * The blocks of a request in document order.
 *
 * @module
 */
import { pointerTo } from "../../shared/validation_issue.ts";
import type { BlockInput } from "./block_input.ts";
import { readInput } from "./input.ts";
import { type BlockKind, blockKind } from "./kinds.ts";
import type { BlockType, BlockValue } from "./types.ts";

/** A block of a request, with its parent and its JSON pointer. */
export interface Branch {
  readonly type: BlockType;
  readonly kind: BlockKind;
  /** The value under the type's key. */
  readonly value: BlockValue;
  readonly children: readonly BlockInput[];
  readonly parent: Branch | undefined;
  /** Index among its siblings. */
  readonly index: number;
  readonly pointer: string;
}

/** All blocks of a tree of any depth, parents before their children. */
export function branches(inputs: readonly BlockInput[], pointer: string): Branch[] {
  const found: Branch[] = [];
  const open = siblings(inputs, { pointer, parent: undefined });
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    found.push(branch);
    if (branch.children.length === 0) continue;
    for (const child of siblings(branch.children, below(branch))) open.push(child);
  }
  return found;
}

/** The JSON pointers to all copies of synced blocks, at any depth. */
export function copiesIn(inputs: readonly BlockInput[], pointer: string): string[] {
  return branches(inputs, pointer)
    .filter(({ type, value }) => type === "synced_block" && value.synced_from)
    .map(({ type, pointer }) => pointerTo(pointer, type));
}

function below(branch: Branch): Pick<Branch, "pointer" | "parent"> {
  return { pointer: `${branch.pointer}/${branch.type}/children`, parent: branch };
}

/** In reverse order, because they are pushed on a stack. */
function siblings(
  inputs: readonly BlockInput[],
  { pointer, parent }: Pick<Branch, "pointer" | "parent">,
): Branch[] {
  return inputs.map((input, index) => {
    const { type, value } = readInput(input);
    const kind = blockKind(type);
    const children = childrenIn(kind, value);
    return { type, kind, value, children, parent, index, pointer: `${pointer}/${index}` };
  }).reverse();
}

function childrenIn({ notCreated }: BlockKind, { children }: BlockValue): readonly BlockInput[] {
  // No schema has checked a type that cannot be created, so its children can be anything.
  if (children === undefined || notCreated !== undefined) return [];
  // Sound because the schemas of all other types accept only blocks under this key.
  return children as readonly BlockInput[];
}
