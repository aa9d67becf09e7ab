/**
 * Moves pages: to another page, into a database as a row, or to the top level of the workspace.
 *
 * @module
 */
import { newPage, type PageCreateInput } from "../../content/pages/pages.ts";
import { type PageParent, toParent } from "../../content/schema/parents.ts";
import type { Change, MoveChange, NodeContent, NodeView } from "../../content/schema/node.ts";
import { positionsIn } from "../../content/values/position.ts";
import { findDatabase } from "../../api/databases/endpoints.ts";
import { makeRows, readRowPlace, rowReply } from "../../api/databases/rows.ts";
import { pageReply } from "../../api/pages/reply.ts";
import { editOf, requireAlive, touch } from "../../api/shared/edits.ts";
import { findNode, requireParent } from "../../api/shared/nodes.ts";
import type { TaggedReply } from "../../api/shared/page_reply_cache.ts";
import type { Services } from "../../api/shared/services.ts";
import { write, type WriteDecision } from "../../api/shared/write.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import { validationError } from "../../shared/errors.ts";
import type { MoveInput } from "./input.ts";
import { readLook } from "./look.ts";
import { propertiesFor, titleAlone } from "./moved_values.ts";

type MoveCall = Call<{ readonly page_id: string }, unknown, MoveInput>;

/** Moves a page with everything in it to the end of its new parent. */
export function movePage(call: MoveCall, services: Services): Promise<Reply> {
  return write(call, services, decideMove, { current: currentReply });
}

/** A page, the database that it is a row of, and how it is answered. */
interface CurrentPage {
  readonly node: NodeView;
  readonly reply: TaggedReply;
}

async function decideMove(call: MoveCall, services: Services): Promise<WriteDecision> {
  const { node } = await currentPage(call, services);
  requireAlive(node);
  const parent = toParent(call.body.parent);
  await requireOutside(call, services, { node, parent });
  if (parent.kind === "database" && parent.id !== node.parentId) {
    return moveIntoDatabase(call, services, { node, databaseId: parent.id ?? "" });
  }
  return moveToPage(call, services, { node, parent });
}

async function currentReply(
  { caller: { workspace }, now }: MoveCall,
  services: Services,
  id: string,
): Promise<Reply> {
  const node = await findNode(services, workspace, { kind: "page", id });
  return replyOf(services, workspace, { node, now });
}

async function currentPage(call: MoveCall, services: Services): Promise<CurrentPage> {
  const { params, caller: { workspace }, now } = call;
  const node = await findNode(services, workspace, { kind: "page", id: params.page_id });
  const reply = await replyOf(services, workspace, { node, now });
  call.requireMatch(reply.etag);
  return { node, reply };
}

async function replyOf(
  services: Services,
  workspace: string,
  { node, now }: { readonly node: NodeView; readonly now: number },
): Promise<TaggedReply> {
  if (node.parentKind !== "database" || node.parentId === null) {
    return pageReply(services, workspace, node);
  }
  const database = await findDatabase(services, workspace, node.parentId);
  return rowReply(services, workspace, { database, node, now });
}

interface Target {
  readonly node: NodeView;
  readonly parent: PageParent;
}

/** Throws if the new parent is missing, in the trash, or in the page itself. */
async function requireOutside(
  { caller: { workspace } }: MoveCall,
  services: Services,
  { node, parent }: Target,
): Promise<void> {
  await requireParent(services, workspace, parent);
  const rest = createRest();
  let id = parent.id;
  while (id !== null && id !== node.id) {
    id = (await services.store.node(workspace, id))?.parentId ?? null;
    await rest();
  }
  if (id === null) return;
  const detail = `Can't move page ${node.id} into itself or into a page that is in it.`;
  throw validationError([{ pointer: `/parent/${parent.kind}_id`, detail }]);
}

async function moveToPage(
  call: MoveCall,
  services: Services,
  { node, parent }: Target,
): Promise<WriteDecision> {
  const { caller: { workspace }, now } = call;
  const gap = await services.store.gap(workspace, parent.id, "end");
  const [position = ""] = positionsIn(gap ?? { after: null, before: null }, 1);
  const to = { parentKind: parent.kind, parentId: parent.id, containerId: parent.id, position };
  // Only a row that leaves its database changes what it is.
  const isLeaving = node.parentKind === "database" && parent.kind !== "database";
  const content = isLeaving ? await asPage(call, services, { node, parent }) : undefined;
  const moved = movedNode(call, node, { to, content });
  return {
    changes: moveChanges(call, node, { to, content }),
    reply: await replyOf(services, workspace, { node: moved, now }),
    shows: node.id,
  };
}

/** Returns what a row is as a page: of its values, the title stays. */
async function asPage(
  call: MoveCall,
  services: Services,
  { node, parent }: Target,
): Promise<NodeContent> {
  const { caller: { workspace }, now } = call;
  const look = await readLook(services, workspace, { page: node, now });
  const input = { ...look, properties: titleAlone(look.properties), parent: call.body.parent };
  const edit = editOf(call);
  // Sound because the schema of `parent` and the form of replies are those of a new page.
  const page = newPage({
    input: input as PageCreateInput,
    id: node.id,
    parent,
    position: "",
    edit,
  });
  const { title, doc, hasMentions } = page;
  return { title, doc, hasMentions };
}

interface DatabaseTarget {
  readonly node: NodeView;
  readonly databaseId: string;
}

/** Makes a row of the page: its values go to the properties of the same name and type. */
async function moveIntoDatabase(
  call: MoveCall,
  services: Services,
  { node, databaseId }: DatabaseTarget,
): Promise<WriteDecision> {
  const { caller: { workspace }, now } = call;
  const place = await readRowPlace(services, workspace, { id: databaseId });
  const look = await readLook(services, workspace, { page: node, now });
  const properties = propertiesFor(place.database.doc.properties, look.properties);
  const body = { ...look, properties, parent: { database_id: databaseId } };
  const { id, createdTime, createdBy } = node;
  const draft = { body, pointer: "", page: { id, createdTime, createdBy } };
  const row = await makeRows(call, services, { place, drafts: [draft] });
  const { withMove, ...move } = asMove(row.changes, node);
  const changes = withMove(moveChanges(call, node, move));
  const moved = movedNode(call, node, move);
  const { database } = row;
  const reply = await rowReply(services, workspace, { node: moved, database, changes, now });
  return { changes, reply, shows: node.id };
}

interface Move {
  readonly to: MoveChange["to"];
  readonly content: NodeContent | undefined;
}

/** Takes the new row out of the changes that would insert it. */
function asMove(
  all: readonly Change[],
  { id }: NodeView,
): Move & { readonly withMove: (moves: readonly Change[]) => Change[] } {
  const insert = all.find((change) => change.op === "insert");
  if (insert === undefined) throw new Error(`Row ${id} is not inserted`);
  const { node: { parentKind, parentId, containerId, position, ...node }, cells = [] } = insert;
  const { title, doc, hasMentions } = node;
  return {
    to: { parentKind, parentId, containerId, position },
    content: { title, doc, hasMentions, cells },
    withMove: (moves) => all.flatMap((change) => change === insert ? moves : [change]),
  };
}

function moveChanges(call: MoveCall, node: NodeView, { to, content }: Move): Change[] {
  const edit = editOf(call);
  const { id, version } = node;
  return [
    { op: "move", id, version, to, edit, ...(content !== undefined && { content }) },
    ...touch(node, edit),
    ...touch(to, edit),
  ];
}

function movedNode(call: MoveCall, node: NodeView, { to, content }: Move): NodeView {
  const { time, by } = editOf(call);
  const { cells: _, ...replaced } = content ?? {};
  return {
    ...node,
    ...to,
    ...replaced,
    version: node.version + 1,
    editedTime: time,
    editedBy: by,
  };
}
