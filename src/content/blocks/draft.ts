/**
 * Creates the nodes of new blocks.
 *
 * @module
 */
import { type Edit, firstState, type Node, type ParentKind } from "../schema/node.ts";
import { type Gap, positionsIn } from "../values/position.ts";
import type { BlockInput } from "./block_input.ts";
import { newValue, planBlock } from "./body.ts";
import { type Branch, branches } from "./tree.ts";

/** The parent of new blocks. */
export interface BlockParent {
  readonly kind: ParentKind;
  readonly id: string;
  /** The page or database that contains the blocks; the parent itself if it is one. */
  readonly containerId: string | null;
}

export interface DraftOptions {
  readonly parent: BlockParent;
  /** Position of the top-level blocks among the parent's children. */
  readonly gap: Gap;
  readonly edit: Edit;
  /** Called for each block in document order. */
  newId(): string;
}

/** A parent, with the positions of its new children. */
interface Home {
  readonly kind: ParentKind;
  readonly id: string;
  readonly positions: readonly string[];
}

const WHOLE: Gap = { after: null, before: null };

/** The nodes of valid blocks and all their descendants, parents before their children. */
export function draftBlocks(inputs: readonly BlockInput[], options: DraftOptions): Node[] {
  return [...draftEachBlock(inputs, options)];
}

/** Creates the same nodes one by one, so that the caller can yield to the event loop in between. */
export function* draftEachBlock(
  inputs: readonly BlockInput[],
  options: DraftOptions,
): Generator<Node> {
  const { parent, gap } = options;
  const top = { kind: parent.kind, id: parent.id, positions: positionsIn(gap, inputs.length) };
  const homes = new Map<Branch | undefined, Home>([[undefined, top]]);
  for (const branch of branches(inputs, "")) {
    const node = draft(branch, { home: homes.get(branch.parent), options });
    const positions = positionsIn(WHOLE, branch.children.length);
    if (positions.length > 0) homes.set(branch, { kind: "block", id: node.id, positions });
    yield node;
  }
}

interface Draft {
  readonly home: Home | undefined;
  readonly options: DraftOptions;
}

function draft({ type, kind, value, index }: Branch, { home, options }: Draft): Node {
  const position = home?.positions[index];
  if (home === undefined || position === undefined) {
    throw new Error("A block comes before its parent");
  }
  const { parent, edit, newId } = options;
  return {
    id: newId(),
    kind: "block",
    type,
    parentKind: home.kind,
    parentId: home.id,
    containerId: parent.containerId,
    position,
    title: "",
    ...planBlock(kind, newValue(kind, value)),
    ...firstState(edit),
  };
}
