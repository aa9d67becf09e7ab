/**
 * Makes the nodes of new blocks.
 *
 * @module
 */
import { type Edit, firstState, type Node, type ParentKind } from "../schema/node.ts";
import { type Gap, positionsIn } from "../values/position.ts";
import type { BlockInput } from "./block_input.ts";
import { newValue, planBlock } from "./body.ts";
import { type Branch, branches } from "./tree.ts";

/** What new blocks hang from. */
export interface BlockParent {
  readonly kind: ParentKind;
  readonly id: string;
  /** The page or database whose content the blocks will be: the parent itself where it is one. */
  readonly containerId: string | null;
}

export interface DraftOptions {
  readonly parent: BlockParent;
  /** Where the top blocks go among the parent's children. */
  readonly gap: Gap;
  readonly edit: Edit;
  /** Gives each block its id, in document order. */
  newId(): string;
}

/** A parent whose children are being made, with their positions. */
interface Home {
  readonly kind: ParentKind;
  readonly id: string;
  readonly positions: readonly string[];
}

const WHOLE: Gap = { after: null, before: null };

/** The nodes of blocks without faults and of all below them, parents before their children. */
export function draftBlocks(inputs: readonly BlockInput[], options: DraftOptions): Node[] {
  return [...draftEachBlock(inputs, options)];
}

/** Drafts the same nodes one by one, so that the caller can yield to the event loop between them. */
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
  if (home === undefined || position === undefined) throw new Error("A child before its parent");
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
