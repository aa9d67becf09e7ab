/**
 * Pages: their properties, icon and cover; their content is blocks.
 *
 * @module
 */
import * as v from "valibot";
import { blockFaults, type BlockInput, draftBlocks } from "../content/blocks.ts";
import { idInput, normalizeId } from "../content/ids.ts";
import type { NodeView } from "../content/node.ts";
import { filterProperties, page as pageSchema, pageJson } from "../content/page_json.ts";
import {
  editPage,
  firstBlocks,
  newPage,
  pageCreateFaults,
  type PageCreateInput,
  pageCreateInput,
  pageUpdateFaults,
  type PageUpdateInput,
  pageUpdateInput,
} from "../content/pages.ts";
import { type PageParent, toParent } from "../content/parents.ts";
import { positionsIn } from "../content/position.ts";
import { wantsTrash } from "../content/trash.ts";
import { validationError } from "../errors.ts";
import type { Call } from "../http/endpoint.ts";
import { editOf, planEdit, type Step, touch, trash, update } from "./edits.ts";
import { findNode, nodeEtag, readDocs } from "./nodes.ts";
import type { TaggedReply } from "./rendered.ts";
import { define, type Services } from "./services.ts";
import { type Decided, write } from "./write.ts";

const pageId = v.pipe(idInput, v.description("Id of the page."));
const pageParams = v.strictObject({ page_id: pageId });
const filter = v.strictObject({
  filter_properties: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(2_000))),
      v.maxLength(100),
      v.description("Ids or names of the properties to answer; all where absent."),
    ),
  ),
});

export const pageEndpoints = [
  define({
    method: "GET",
    path: "/v2/pages/:page_id",
    operationId: "getPage",
    tag: "Pages",
    summary: "Read a page",
    description: "Reads a page's properties, icon and cover. Its content is read as blocks.",
    params: pageParams,
    query: filter,
    response: pageSchema,
    handle: async ({ params, query, caller, requireMatch }, services) => {
      const reply = await readPage(services, caller.workspace, {
        id: normalizeId(params.page_id),
        names: query.filter_properties,
      });
      requireMatch(reply.etag);
      return reply;
    },
  }),
  define({
    method: "POST",
    path: "/v2/pages",
    operationId: "createPage",
    tag: "Pages",
    summary: "Create a page",
    description: "Creates a page in a page or at the top of the workspace, with its first blocks.",
    body: pageCreateInput,
    response: pageSchema,
    handle: async (call, services) => {
      const blocks = await firstBlocksOf(services, call.body);
      return write(call, services, () => decideCreate(call, services, blocks));
    },
  }),
  define({
    method: "PATCH",
    path: "/v2/pages/:page_id",
    operationId: "updatePage",
    tag: "Pages",
    summary: "Update a page",
    description:
      "Updates properties, icon and cover; takes the page to the trash or brings it back.",
    params: pageParams,
    body: pageUpdateInput,
    response: pageSchema,
    handle: (call, services) => write(call, services, () => decideUpdate(call, services)),
  }),
  define({
    method: "DELETE",
    path: "/v2/pages/:page_id",
    operationId: "deletePage",
    tag: "Pages",
    summary: "Delete a page",
    description:
      "Takes the page to the trash with all that is in it; the same again changes nothing.",
    params: pageParams,
    response: pageSchema,
    handle: (call, services) => write(call, services, () => decideDelete(call, services)),
  }),
];

async function readPage(
  services: Services,
  workspace: string,
  { id, names }: { readonly id: string; readonly names: readonly string[] | undefined },
): Promise<TaggedReply> {
  const { store, renderedPages } = services;
  const kept = names === undefined ? await renderedPages.find(store, workspace, id) : undefined;
  if (kept !== undefined) return kept;
  const node = await findNode(services, workspace, { kind: "page", id });
  const reply = await pageReply(services, workspace, node, names);
  return names === undefined ? renderedPages.keep(workspace, node, reply) : reply;
}

async function pageReply(
  services: Services,
  workspace: string,
  node: NodeView,
  names?: readonly string[],
): Promise<TaggedReply> {
  const [doc = node.doc] = await readDocs(services, workspace, [node]);
  return {
    body: pageJson(node, {
      publicUrl: services.publicUrl,
      doc: names === undefined ? doc : filterProperties(doc, names),
    }),
    etag: nodeEtag(services, node, doc),
  };
}

type Caller = Pick<Call<unknown, unknown, unknown>, "caller" | "now">;

async function decideCreate(
  call: Caller & { readonly body: PageCreateInput },
  services: Services,
  blocks: readonly BlockInput[],
): Promise<Decided> {
  const { body, caller: { workspace } } = call;
  const parent = await livingParent(services, workspace, toParent(body.parent));
  const gap = await services.store.gap(workspace, parent.id, "end");
  const [position = ""] = positionsIn(gap ?? { after: null, before: null }, 1);
  const edit = editOf(call);
  const page = newPage({ input: body, id: services.newId(), parent, position, edit });
  const content = draftBlocks(blocks, {
    parent: { kind: "page", id: page.id, containerId: page.id },
    gap: { after: null, before: null },
    edit,
    newId: services.newId,
  });
  return {
    changes: [
      ...[page, ...content].map((node) => ({ op: "insert", node }) as const),
      ...touch(page, edit),
    ],
    reply: await pageReply(services, workspace, { ...page, hasChildren: content.length > 0 }),
  };
}

/** The blocks of an input without faults, however they are given. */
async function firstBlocksOf(
  { readMarkdown }: Services,
  body: PageCreateInput,
): Promise<readonly BlockInput[]> {
  const faults = pageCreateFaults(body);
  if (faults.length > 0) throw validationError(faults);
  if (body.markdown === undefined) return firstBlocks(body);
  const { frontMatter, blocks } = await readMarkdown(body.markdown);
  const all = [...frontMatter?.blocks ?? [], ...blocks];
  const tooMany = blockFaults(all, "/markdown");
  if (tooMany.length > 0) throw validationError(tooMany);
  return all;
}

/** The parent of a new page: there, of the right kind, and not in the trash. */
async function livingParent(
  services: Services,
  workspace: string,
  parent: PageParent,
): Promise<PageParent> {
  if (parent.id === null || parent.kind === "workspace") return parent;
  const node = await findNode(services, workspace, { kind: parent.kind, id: parent.id });
  if (node.trashRoot === null) return parent;
  throw validationError([{
    pointer: "/parent",
    detail: `Can't add to a ${parent.kind} that is archived: ${parent.id}.`,
  }]);
}

type PageCall = Caller & {
  readonly params: { readonly page_id: string };
  readonly requireMatch: (etag: string) => void;
};

async function currentPage(call: PageCall, services: Services): Promise<NodeView> {
  const { workspace } = call.caller;
  const node = await findNode(services, workspace, { kind: "page", id: call.params.page_id });
  const [doc = node.doc] = await readDocs(services, workspace, [node]);
  call.requireMatch(nodeEtag(services, node, doc));
  return node;
}

async function decideUpdate(
  call: PageCall & { readonly body: PageUpdateInput },
  services: Services,
): Promise<Decided> {
  const { body, caller: { workspace } } = call;
  const faults = pageUpdateFaults(body);
  if (faults.length > 0) throw validationError(faults);
  const node = await currentPage(call, services);
  const edit = editOf(call);
  const { properties, icon, cover } = body;
  const isContent = properties !== undefined || icon !== undefined || cover !== undefined;
  const step = await planEdit(services, {
    workspace,
    node,
    edit,
    inTrash: wantsTrash(body),
    change: isContent ? (page) => update(page, editPage(page, body), edit) : undefined,
  });
  return decided(services, workspace, step);
}

async function decideDelete(call: PageCall, services: Services): Promise<Decided> {
  const node = await currentPage(call, services);
  return decided(services, call.caller.workspace, trash(node, editOf(call)));
}

async function decided(services: Services, workspace: string, step: Step): Promise<Decided> {
  return { changes: step.changes, reply: await pageReply(services, workspace, step.node) };
}
