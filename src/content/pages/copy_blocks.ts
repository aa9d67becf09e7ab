/**
 * Copies the blocks of a page into another one.
 *
 * @module
 */
import { type Edit, firstState, type Node } from "../schema/node.ts";
import type { ContentNode, NodeDoc } from "../schema/node.ts";

/** A block with its document. */
export interface SourceBlock
  extends
    Pick<ContentNode, "id" | "type" | "parentId" | "position" | "hasMentions">,
    Pick<NodeDoc, "doc"> {}

export interface CopyOptions {
  /** The page that the blocks are copied from, and the one that they are copied into. */
  readonly from: string;
  readonly to: string;
  /** Positions of the first level in its new page; by default those in the old one. */
  readonly positions?: readonly string[];
  readonly edit: Edit;
  newId(): string;
}

/** Returns the blocks directly in a page, in order. */
export function firstLevel(blocks: readonly SourceBlock[], pageId: string): SourceBlock[] {
  return blocks.filter(({ parentId }) => parentId === pageId).sort(byPosition);
}

/**
 * The nodes of copies, parents before their children, one by one so that the caller can yield to the
 * event loop in between. Blocks below others than blocks are left out.
 */
export function* copyEachBlock(
  blocks: readonly SourceBlock[],
  options: CopyOptions,
): Generator<Node> {
  const { from, to, positions } = options;
  const children = Map.groupBy(blocks, ({ parentId }) => parentId);
  const ids = createIds(blocks, options);
  const open = firstLevel(blocks, from);
  for (const [index, block] of open.entries()) {
    yield copyOf(block, { ...options, ids, parent: ["page", to], position: positions?.[index] });
  }
  for (const { id } of open) {
    const own = (children.get(id) ?? []).toSorted(byPosition);
    const parent = ["block", ids(id) ?? ""] as const;
    for (const block of own) {
      open.push(block);
      yield copyOf(block, { ...options, ids, parent });
    }
  }
}

/** Returns the new ID of a block; undefined if it is not copied. */
type NewIds = (id: string) => string | undefined;

/** Makes each ID when it is first asked for, so that the caller can pause between any two. */
function createIds(
  blocks: readonly SourceBlock[],
  { newId }: Pick<CopyOptions, "newId">,
): NewIds {
  const ids = new Map<string, string | undefined>(blocks.map(({ id }) => [id, undefined]));
  return (id) => {
    if (!ids.has(id)) return undefined;
    const made = ids.get(id) ?? newId();
    ids.set(id, made);
    return made;
  };
}

interface Copying extends Pick<CopyOptions, "to" | "edit"> {
  readonly ids: NewIds;
  readonly parent: readonly ["page" | "block", string];
  readonly position?: string | undefined;
}

function copyOf(
  { id, type, position, hasMentions, doc }: SourceBlock,
  { ids, parent: [parentKind, parentId], to, edit, ...place }: Copying,
): Node {
  return {
    id: ids(id) ?? "",
    kind: "block",
    type,
    parentKind,
    parentId,
    containerId: to,
    position: place.position ?? position,
    title: "",
    doc: type === "synced_block" ? withNewOriginal(doc, ids) : doc,
    hasMentions,
    ...firstState(edit),
  };
}

interface SyncedDoc {
  readonly synced_from?: { readonly block_id: string } | null;
}

/** A copy of a synced block shows the copied original, if that is copied as well. */
function withNewOriginal(doc: string, ids: NewIds): string {
  // Sound because the type of the block decides its document.
  const value = JSON.parse(doc) as SyncedDoc;
  const original = ids(value.synced_from?.block_id ?? "");
  if (original === undefined) return doc;
  return JSON.stringify({ ...value, synced_from: { ...value.synced_from, block_id: original } });
}

function byPosition(a: SourceBlock, b: SourceBlock): number {
  return a.position < b.position ? -1 : 1;
}
