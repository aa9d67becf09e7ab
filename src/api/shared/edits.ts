/**
 * Edits of pages, databases and blocks: their steps, and the plan of one request.
 *
 * @module
 */
import { mayStopTakingChildren, takesChildren } from "../../content/blocks/mod.ts";
import type { Change, Edit, Node, NodeContent, NodeView } from "../../content/schema/node.ts";
import type { Call } from "../../http/endpoint.ts";
import { validationError } from "../../shared/errors.ts";
import type { Services } from "./services.ts";

/** Changes, and the node after them. */
export interface Step {
  readonly changes: readonly Change[];
  readonly node: NodeView;
}

/** Who edits, and when. */
export function editOf(
  { caller, now }: Pick<Call<unknown, unknown, unknown>, "caller" | "now">,
): Edit {
  return { time: now, by: caller.userId };
}

/** Marks the page that contains a node as edited. Rows do not mark their database as edited. */
export function touch(
  { containerId, parentKind }: Pick<Node, "containerId" | "parentKind">,
  edit: Edit,
): Change[] {
  return containerId === null || parentKind === "database"
    ? []
    : [{ op: "touch", id: containerId, edit }];
}

/** Replaces the content of a node that is not in the trash. */
export function update(
  node: NodeView,
  content: NodeContent,
  edit: Edit,
): Step {
  return {
    changes: [
      { op: "update", id: node.id, version: node.version, ...content, edit },
      ...touch(node, edit),
    ],
    node: {
      ...edited(node, edit),
      title: content.title,
      doc: content.doc,
      hasMentions: content.hasMentions,
    },
  };
}

/** Moves a node to the trash. A node that is in the trash stays as it is. */
export function trash(node: NodeView, edit: Edit): Step {
  if (node.trashRoot !== null) return { changes: [], node };
  return {
    changes: [{ op: "trash", id: node.id, version: node.version, edit }, ...touch(node, edit)],
    node: { ...edited(node, edit), trashRoot: node.id },
  };
}

export interface PlannedEdit {
  readonly workspace: string;
  readonly node: NodeView;
  readonly edit: Edit;
  /** True if the node is to be in the trash. Undefined if the request does not say. */
  readonly inTrash: boolean | undefined;
  /** The step that changes the content. Undefined if the request does not change it. */
  readonly change: ((node: NodeView) => Step | Promise<Step>) | undefined;
  /** Returns the changes of what is in a page. Undefined if the request does not change it. */
  readonly content?: ChangeContent | undefined;
}

export type ChangeContent = () => Promise<readonly Change[]>;

/**
 * Restores, updates and deletes a node, in this order, as the request asks for. Throws
 * `validation_error` if it updates a node that stays in the trash.
 */
export async function planEdit(services: Services, plan: PlannedEdit): Promise<Step> {
  const { node, edit, inTrash, change, content } = plan;
  let step: Step = { changes: [], node };
  if (node.trashRoot !== null) {
    if (inTrash === true && change === undefined && content === undefined) return step;
    if (inTrash !== false) throw archived();
    step = await restore(services, plan);
  }
  if (change !== undefined) step = join(step, await change(step.node));
  if (content !== undefined) {
    step = join(step, {
      changes: [...await content(), { op: "touch", id: node.id, edit }],
      node: edited(step.node, edit),
    });
  }
  return inTrash === true ? join(step, trash(step.node, edit)) : step;
}

/** Throws `validation_error` if a node is in the trash, because nothing can be added to it. */
export function requireAlive(node: NodeView): void {
  if (node.trashRoot !== null) throw archived();
}

async function restore(
  { store }: Services,
  { workspace, node, edit }: PlannedEdit,
): Promise<Step> {
  const parent = node.parentId === null ? undefined : await store.node(workspace, node.parentId);
  if (node.trashRoot !== node.id || (parent !== undefined && parent.trashRoot !== null)) {
    throw archivedError(
      "Can't restore a block whose parent is archived. Unarchive the parent first.",
    );
  }
  if (parent?.kind === "block") requireTakesChildren(parent);
  return {
    changes: [
      ...(parent?.kind === "block" ? expectsChildren(parent) : []),
      { op: "restore", id: node.id, version: node.version, edit },
      ...touch(node, edit),
    ],
    node: { ...edited(node, edit), trashRoot: null },
  };
}

/** It may have been updated while its children were in the trash. */
function requireTakesChildren({ type, doc }: NodeView): void {
  const reason = takesChildren(type, doc);
  if (reason === undefined) return;
  const detail = `Can't restore this block under its parent: ${reason}.`;
  throw validationError([{ pointer: "", detail }]);
}

/** Until the commit, other processes may update a parent so that it takes no children. */
export function expectsChildren({ type, id, version }: NodeView): Change[] {
  return mayStopTakingChildren(type) ? [{ op: "expect", id, version }] : [];
}

function archived(): Error {
  return archivedError(
    "Can't edit block that is archived. You must unarchive the block before editing.",
  );
}

function archivedError(detail: string): Error {
  return validationError([{ pointer: "", detail }]);
}

function join(first: Step, second: Step): Step {
  return { changes: [...first.changes, ...second.changes], node: second.node };
}

function edited(node: NodeView, edit: Edit): NodeView {
  return { ...node, version: node.version + 1, editedTime: edit.time, editedBy: edit.by };
}
