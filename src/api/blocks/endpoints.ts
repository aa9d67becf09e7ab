/**
 * Blocks: the content of pages. Pages and databases are blocks too.
 *
 * @module
 */
import * as v from "valibot";
import {
  type AppendInput,
  appendInput,
  appendIssues,
  appendPlace,
  block as blockSchema,
  blockJson,
  type BlockUpdateInput,
  blockUpdateInput,
  copiesIn,
  draftEachBlock,
  editBlock,
  isSynced,
  needsNoChildren,
  nestedCopyIssue,
  originalOf,
} from "../../content/blocks/mod.ts";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import type { Change, Node, NodeView } from "../../content/schema/node.ts";
import { fitting } from "../../content/values/page_end.ts";
import { wantsTrash } from "../../content/values/trash.ts";
import { notFound, validationError, type ValidationIssue } from "../../shared/errors.ts";
import { insideSynced, shownOriginals, withCopies } from "../shared/synced_blocks.ts";
import { invalidCursor } from "../../http/cursor.ts";
import type { Call, Reply, Tag } from "../../http/endpoint.ts";
import { component } from "../../shared/component.ts";
import { itemsText } from "../../shared/json_text.ts";
import type { Text } from "../../shared/long_text.ts";
import {
  editOf,
  expectsChildren,
  planEdit,
  requireAlive,
  touch,
  trash,
  update,
} from "../shared/edits.ts";
import * as example from "../shared/examples.ts";
import { listJson, listSchema, pageSizeOf, pagination } from "../shared/lists.ts";
import { findNode, nodeEtag, readDocs } from "../shared/nodes.ts";
import { createRest, yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";
import type { TextReply } from "../shared/reply_cache.ts";
import { define, type Services } from "../shared/services.ts";
import type { BlockVersion } from "../../store/port.ts";
import { write, type WriteDecision } from "../shared/write.ts";

const BLOCKS: Tag = {
  name: "Blocks",
  description:
    "Read and write the content of pages. Pages and databases are blocks, too: their block has the same ID.",
};

const blockParams = v.strictObject({
  block_id: v.pipe(idInput, v.description("ID of a block, page or database.")),
});
const blockList = component(
  listSchema("block", blockSchema),
  "BlockList",
  "One page of a list of blocks.",
);

export const blockEndpoints = [
  define({
    method: "GET",
    path: "/v2/blocks/:block_id",
    operationId: "getBlock",
    tag: BLOCKS,
    summary: "Read a block",
    description:
      "Reads one block without its children. If `has_children` is true, list them with a call of their own.",
    params: blockParams,
    response: blockSchema,
    example: { response: example.heading },
    handle: async (call, services) => {
      const { workspace } = call.caller;
      const id = normalizeId(call.params.block_id);
      const key = `block ${workspace}\n${id}`;
      const cached = await findCurrent(services, workspace, { id, key });
      if (cached !== undefined) return cached;
      const { node, doc, etag } = await currentBlock(call, services);
      const reply = { body: blockJson(node, doc), etag };
      // Mentioned objects, and the original of a copy, change without a new version of the block.
      return node.hasMentions ? reply : services.replies.store(key, stateOf(node), reply);
    },
  }),
  define({
    method: "GET",
    path: "/v2/blocks/:block_id/children",
    operationId: "listBlockChildren",
    tag: BLOCKS,
    summary: "List a block's children",
    description:
      "Lists the direct children of a block or page in order, up to 100 per page of the list.",
    params: blockParams,
    query: v.strictObject(pagination),
    response: blockList,
    example: { response: example.list("block", [example.heading, example.toDo(false)]) },
    handle: async ({ params, query, caller: { workspace }, requestId }, services) => {
      const id = normalizeId(params.block_id);
      const limit = pageSizeOf(query);
      const key = `children ${workspace}\n${id} ${limit}`;
      const isFirst = query.start_cursor === undefined;
      const cached = isFirst ? await findCurrent(services, workspace, { id, key }) : undefined;
      if (cached !== undefined) return childrenReply({ results: cached.body, requestId });
      const { parent, shown, nextCursor } = await readChildren(services, workspace, {
        id,
        limit,
        cursor: query.start_cursor,
      });
      const results = itemsText(await blockJsons(services, workspace, shown));
      const isAll = isFirst && nextCursor === null && isVersionOfAll(parent, shown);
      if (isAll && typeof results === "string") {
        services.replies.store(key, stateOf(parent), { body: results });
      }
      return childrenReply({ results, nextCursor, requestId });
    },
  }),
  define({
    method: "PATCH",
    path: "/v2/blocks/:block_id/children",
    operationId: "appendBlockChildren",
    tag: BLOCKS,
    summary: "Append children to a block",
    description:
      "Appends blocks to a block or page, together with the blocks nested in them, and returns the new direct children. One call takes up to 100 blocks on each level and 5,000 in all.",
    params: blockParams,
    body: appendInput,
    response: blockList,
    example: {
      request: {
        children: [
          { heading_2: { rich_text: example.writtenText("By the river") } },
          { to_do: { rich_text: example.writtenText("Count the nests") } },
        ],
      },
      response: example.list("block", [example.heading, example.toDo(false)]),
    },
    handle: (call, services) => write(call, services, decideAppend),
  }),
  define({
    method: "PATCH",
    path: "/v2/blocks/:block_id",
    operationId: "updateBlock",
    tag: BLOCKS,
    summary: "Update a block",
    description:
      "Updates the content of a block, moves it to the trash or restores it. Each field that you send is replaced as a whole; its type and its children stay the same.",
    params: blockParams,
    body: blockUpdateInput,
    response: blockSchema,
    example: { request: { to_do: { checked: true } }, response: example.toDo(true) },
    handle: (call, services) => write(call, services, decideUpdate, { current: currentReply }),
  }),
  define({
    method: "DELETE",
    path: "/v2/blocks/:block_id",
    operationId: "deleteBlock",
    tag: BLOCKS,
    summary: "Delete a block",
    description:
      "Moves the block to the trash with everything in it. Deleting it again changes nothing. To restore it, update it with `in_trash: false`.",
    params: blockParams,
    response: blockSchema,
    example: { response: { ...example.toDo(true), ...example.trashed } },
    handle: (call, services) => write(call, services, decideDelete),
  }),
];

interface CachedBlock {
  readonly id: string;
  readonly key: string;
}

/** Returns what is cached under the key if the block is still as it was then. */
async function findCurrent(
  { replies, readBlockVersions }: Services,
  workspace: string,
  { id, key }: CachedBlock,
): Promise<TextReply | undefined> {
  const version = replies.has(key) ? (await readBlockVersions(workspace, [id])).get(id) : undefined;
  return replies.find(key, version === undefined ? "" : stateOf(version));
}

function stateOf({ version, hasChildren }: BlockVersion): string {
  return `${version} ${hasChildren}`;
}

/**
 * Returns whether all that is listed changes with the version of the parent. That of a page changes with
 * every block in it, but not with the content of pages and databases in it.
 */
function isVersionOfAll(parent: NodeView, children: readonly NodeView[]): boolean {
  return parent.kind === "page" &&
    children.every((child) => child.kind === "block" && !child.hasMentions);
}

interface ChildrenRead {
  readonly id: string;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** A page of the list of a block's children. */
interface ChildrenPage {
  readonly parent: NodeView;
  readonly shown: readonly NodeView[];
  readonly nextCursor: string | null;
}

async function readChildren(
  services: Services,
  workspace: string,
  { id, limit, cursor }: ChildrenRead,
): Promise<ChildrenPage> {
  const parent = await findNode(services, workspace, { kind: "block", id });
  const { store, cursors } = services;
  const list = `children of ${workspace} ${parent.id}`;
  // Names the child, because positions get longer with every insert after the same block.
  const after = cursor === undefined
    ? undefined
    : await lastShown(services, workspace, cursors.open(cursor, list));
  // Rows are read by a query. As blocks, databases have no children.
  const shownParent = await childrenHolder(services, workspace, parent);
  const nodes = shownParent === undefined ? [] : await store.children(workspace, shownParent, {
    ...(after !== undefined && { after: after.position }),
    limit: limit + 1,
  });
  const shown = fitting(nodes.slice(0, limit), ({ doc }) => doc.length);
  const last = shown.at(-1);
  const nextCursor = nodes.length > shown.length && last ? cursors.seal(last.id, list) : null;
  return { parent, shown, nextCursor };
}

/** Returns the reply with a list of blocks; `results` are their JSON texts, joined. */
function childrenReply({ results, nextCursor = null, requestId }: {
  readonly results: Text;
  readonly nextCursor?: string | null;
  readonly requestId: string;
}): Reply {
  return { body: listJson({ type: "block", results: [results], nextCursor, requestId }) };
}

/** Returns the ID of the node whose children a block shows; undefined if it shows none. */
async function childrenHolder(
  services: Services,
  workspace: string,
  node: NodeView,
): Promise<string | undefined> {
  if (node.kind === "database") return undefined;
  if (originalOf(node) === undefined) return node.id;
  return (await shownOriginals(services, workspace, [node])).get(node.id)?.id;
}

type BlockCall<Body = unknown> = Pick<
  Call<{ readonly block_id: string }, unknown, Body>,
  "params" | "body" | "isLarge" | "caller" | "now" | "requestId" | "requireMatch"
>;

interface CurrentBlock {
  readonly node: NodeView;
  /** Its document with the names filled in. */
  readonly doc: string;
  readonly etag: string;
}

/** Returns the block that a call names, after checking its preconditions. */
async function currentBlock(call: BlockCall, services: Services): Promise<CurrentBlock> {
  const { workspace } = call.caller;
  const found = await findNode(services, workspace, { kind: "block", id: call.params.block_id });
  const [node = found] = await withCopies(services, workspace, [found]);
  const [doc = node.doc] = await readDocs(services, workspace, [node]);
  const etag = nodeEtag(services, node, doc);
  call.requireMatch(etag);
  return { node, doc, etag };
}

/** Returns the last child of the previous page. It keeps its position in the trash. */
async function lastShown(
  { store }: Services,
  workspace: string,
  id: string,
): Promise<NodeView> {
  const node = await store.node(workspace, id);
  // Nodes only vanish when an older backup is restored.
  if (node === undefined) throw invalidCursor();
  return node;
}

async function blockReply(
  services: Services,
  { caller }: Pick<BlockCall, "caller">,
  node: NodeView,
): Promise<Reply & { readonly body: string; readonly etag: string }> {
  const [doc = node.doc] = await readDocs(services, caller.workspace, [node]);
  return { body: blockJson(node, doc), etag: nodeEtag(services, node, doc) };
}

async function blockJsons(
  services: Services,
  workspace: string,
  nodes: readonly NodeView[],
): Promise<string[]> {
  const docs = await readDocs(services, workspace, nodes);
  const shown = await withCopies(services, workspace, nodes);
  return shown.map((node, i) => blockJson(node, docs[i] ?? node.doc));
}

async function decideAppend(
  call: BlockCall<AppendInput>,
  services: Services,
): Promise<WriteDecision> {
  const { body, caller: { workspace }, requestId } = call;
  const place = appendPlace(body);
  const [{ node: parent }, gap] = await Promise.all([
    currentBlock(call, services),
    services.store.gap(workspace, normalizeId(call.params.block_id), place),
  ]);
  const unfit = appendIssues(parent, body);
  if (call.isLarge) await yieldToEventLoop();
  const issues = [...unfit, ...await copyIssues(services, call, parent)];
  if (issues.length > 0) throw validationError(issues);
  if (call.isLarge) await yieldToEventLoop();
  requireAlive(parent);
  if (gap === undefined) {
    throw notFound("block", typeof place === "object" ? place.after : parent.id);
  }
  const edit = editOf(call);
  const containerId = parent.kind === "block" ? parent.containerId : parent.id;
  const rest = createRest();
  const nodes: Node[] = [];
  const options = {
    parent: { kind: parent.kind, id: parent.id, containerId },
    gap,
    edit,
    newId: services.newId,
  };
  for (const node of draftEachBlock(body.children, options)) {
    nodes.push(node);
    const resting = rest();
    if (resting !== undefined) await resting;
  }
  const results = await blockJsons(services, workspace, firstLevel(nodes, parent.id));
  return {
    changes: [
      ...expectsChildren(parent),
      ...nodes.map((node) => ({ op: "insert", node }) as const),
      ...touch({ containerId, parentKind: parent.kind }, edit),
    ],
    reply: { body: listJson({ type: "block", results, nextCursor: null, requestId }) },
  };
}

/** Returns the issues of copies that are appended inside a synced block. */
async function copyIssues(
  services: Services,
  { body, caller: { workspace } }: BlockCall<AppendInput>,
  parent: NodeView,
): Promise<ValidationIssue[]> {
  const copies = copiesIn(body.children, "/children");
  if (copies.length === 0) return [];
  const isInside = isSynced(parent) ||
    (await insideSynced(services, workspace, [parent])).has(parent.id);
  return isInside ? copies.map(nestedCopyIssue) : [];
}

/** Returns the direct children among new nodes, as they will be read. */
function firstLevel(nodes: readonly Omit<NodeView, "hasChildren">[], parentId: string): NodeView[] {
  const parents = new Set(nodes.map((node) => node.parentId));
  return nodes
    .filter((node) => node.parentId === parentId)
    .map((node) => ({ ...node, hasChildren: parents.has(node.id) }));
}

async function decideUpdate(
  call: BlockCall<BlockUpdateInput>,
  services: Services,
): Promise<WriteDecision> {
  const { body, caller: { workspace } } = call;
  const { node } = await currentBlock(call, services);
  const edit = editOf(call);
  const content = { title: node.title, ...editBlock(node, body) };
  // Until the commit, other processes may append children.
  const expected: Change[] = needsNoChildren(node, body)
    ? [{ op: "expectChildless", id: node.id }]
    : [];
  const step = await planEdit(services, {
    workspace,
    node,
    edit,
    inTrash: wantsTrash(body),
    change: node.type in body ? (block) => update(block, content, edit) : undefined,
  });
  const reply = await blockReply(services, call, step.node);
  return { changes: [...expected, ...step.changes], reply, shows: node.id };
}

/** Returns the reply with a block as it is now. */
async function currentReply(
  call: Pick<BlockCall, "caller">,
  services: Services,
  id: string,
): Promise<Reply> {
  const { workspace } = call.caller;
  const found = await findNode(services, workspace, { kind: "block", id });
  const [node = found] = await withCopies(services, workspace, [found]);
  return blockReply(services, call, node);
}

async function decideDelete(call: BlockCall, services: Services): Promise<WriteDecision> {
  const { node } = await currentBlock(call, services);
  const step = trash(node, editOf(call));
  return { changes: step.changes, reply: await blockReply(services, call, step.node) };
}
