/**
 * The blocks of a request in document order.
 *
 * @module
 */
import type { BlockInput } from "./block_input.ts";
import { readInput } from "./input.ts";
import { type BlockKind, blockKind } from "./kinds.ts";
import type { BlockType, BlockValue } from "./types.ts";

/** One block of a request with its place in it. */
export interface Branch {
  readonly type: BlockType;
  readonly kind: BlockKind;
  /** What was given under the type's key. */
  readonly value: BlockValue;
  readonly children: readonly BlockInput[];
  readonly parent: Branch | undefined;
  /** Its place among its siblings. */
  readonly index: number;
  readonly pointer: string;
}

/** All blocks of a tree, parents before their children; no depth is too deep. */
export function branches(inputs: readonly BlockInput[], pointer: string): Branch[] {
  const found: Branch[] = [];
  const open = siblings(inputs, { pointer, parent: undefined });
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    found.push(branch);
    if (branch.children.length > 0) open.push(...siblings(branch.children, below(branch)));
  }
  return found;
}

function below(branch: Branch): Pick<Branch, "pointer" | "parent"> {
  return { pointer: `${branch.pointer}/${branch.type}/children`, parent: branch };
}

/** Last first, as they go on a stack. */
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
  // What is refused as a whole met no schema: anything may stand there.
  if (children === undefined || notCreated !== undefined) return [];
  // Sound because every other type's schema lets only blocks stand under this key.
  return children as readonly BlockInput[];
}
