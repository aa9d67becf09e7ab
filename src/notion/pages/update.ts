/**
 * Updates pages, also with a template, a lock, or by erasing their content.
 *
 * @module
 */
import { firstLevel } from "../../content/pages/copy_blocks.ts";
import type { Change, NodeView } from "../../content/schema/node.ts";
import { positionsIn } from "../../content/values/position.ts";
import { currentPageReply, decidePageUpdate } from "../../api/pages/endpoints.ts";
import { editOf, requireAlive } from "../../api/shared/edits.ts";
import { findNode } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import { writePrepared } from "../../api/shared/write.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import { filterReply } from "./filter_reply.ts";
import { type FilterQuery, type NotionPageUpdateInput } from "./input.ts";
import { contentOf, findTemplate, type Template } from "./template.ts";

type UpdateCall = Call<{ readonly page_id: string }, FilterQuery, NotionPageUpdateInput>;

/** Updates a page. */
export function updatePage(call: UpdateCall, services: Services): Promise<Reply> {
  const { template, erase_content: erases = false, ...body } = call.body;
  const { filter_properties: names } = call.query;
  const isLarge = call.isLarge || template !== undefined || erases;
  return writePrepared({ ...call, body, isLarge }, services, async (judged) => {
    const { params: { page_id: id }, caller: { workspace } } = judged;
    const databaseId = template && await databaseOf(services, workspace, id);
    const found = await findTemplate(services, workspace, { template, databaseId });
    const isContent = found !== undefined || erases;
    return async (checked, own) => {
      const content = isContent
        ? () => contentChanges(checked, own, { template: found, erases })
        : undefined;
      return filterReply(await decidePageUpdate(checked, own, content), names);
    };
  }, {
    current: (call, services, id) => currentPageReply(call, services, id, names),
  });
}

/** Returns the ID of the database that a page is a row of; undefined if it is none. */
async function databaseOf(
  services: Services,
  workspace: string,
  id: string,
): Promise<string | undefined> {
  const { parentKind, parentId } = await findNode(services, workspace, { kind: "page", id });
  return parentKind === "database" ? parentId ?? undefined : undefined;
}

interface ContentChange {
  readonly template: Template | undefined;
  readonly erases: boolean;
}

/** Returns the changes that erase the content of a page and append the blocks of a template. */
async function contentChanges(
  call: Pick<UpdateCall, "caller" | "now" | "params">,
  services: Services,
  { template, erases }: ContentChange,
): Promise<Change[]> {
  const { params: { page_id: id }, caller: { workspace } } = call;
  const page = await findNode(services, workspace, { kind: "page", id });
  // If the same request restores the page, its content comes back with it, and changes in the next.
  requireAlive(page);
  const edit = editOf(call);
  const erased = erases ? await contentNodes(services, workspace, page) : [];
  return [
    ...erased.map(({ id, version }) => ({ op: "trash", id, version, edit } as const)),
    ...await copies(services, workspace, { page, template, edit }),
  ];
}

interface Copying {
  readonly page: NodeView;
  readonly template: Template | undefined;
  readonly edit: ReturnType<typeof editOf>;
}

/** Returns the changes that append the blocks of a template. */
async function copies(
  { store, newId }: Services,
  workspace: string,
  { page, template, edit }: Copying,
): Promise<Change[]> {
  if (template === undefined) return [];
  const gap = await store.gap(workspace, page.id, "end");
  const count = firstLevel(template.blocks, template.page.id).length;
  const positions = positionsIn(gap ?? { after: null, before: null }, count);
  const nodes = await contentOf(template, { to: page.id, positions, edit, newId });
  return nodes.map((node) => ({ op: "insert", node }));
}

/** Blocks that are read at once. */
const BATCH = 200;

/** A node as a change expects it. Documents of a whole page would fill the memory. */
type NodeVersion = Pick<NodeView, "id" | "version">;

/** Returns everything directly in a page. */
async function contentNodes(
  { store }: Services,
  workspace: string,
  page: NodeView,
): Promise<NodeVersion[]> {
  const rest = createRest();
  const nodes: NodeVersion[] = [];
  let after: string | undefined;
  do {
    const found = await store.children(workspace, page.id, {
      ...(after !== undefined && { after }),
      limit: BATCH,
    });
    nodes.push(...found.map(({ id, version }) => ({ id, version })));
    after = found.at(-1)?.position;
    await rest();
  } while (after !== undefined);
  return nodes;
}
