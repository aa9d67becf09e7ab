/**
 * Pages: their properties, icon and cover. Their content is blocks.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { page as pageSchema } from "../../content/pages/page_json.ts";
import {
  editPage,
  pageCreateInput,
  type PageEdit,
  pageUpdateInput,
  pageUpdateIssues,
} from "../../content/pages/pages.ts";
import { wantsTrash } from "../../content/values/trash.ts";
import { validationError } from "../../shared/errors.ts";
import type { Call, Tag } from "../../http/endpoint.ts";
import type { Database } from "../shared/database_cache.ts";
import { isSelfContained } from "../../content/properties/mod.ts";
import { findDatabase } from "../databases/endpoints.ts";
import { type ChangeContent, editOf, planEdit, trash, update } from "../shared/edits.ts";
import * as example from "../shared/examples.ts";
import { findNode } from "../shared/nodes.ts";
import { createPages, decideCreate } from "./create.ts";
import { readContent } from "./first_content.ts";
import { pageReply } from "./reply.ts";
import type { TaggedReply } from "../shared/page_reply_cache.ts";
import { changeRow, rowReply } from "../databases/rows.ts";
import { propertyFilter } from "../shared/lists.ts";
import { define, type Services } from "../shared/services.ts";
import { withStableSchemas } from "../shared/stable_schemas.ts";
import { write, type WriteDecision, writePrepared } from "../shared/write.ts";

export const PAGES: Tag = {
  name: "Pages",
  description:
    "Create, read, update and delete pages, and read their properties and their content as Markdown. Rows of databases are pages.",
};

const pageId = v.pipe(idInput, v.description("ID of the page."));
const pageParams = v.strictObject({ page_id: pageId });
const filter = v.strictObject(propertyFilter);

/** Parameters of a new page that a body of Markdown cannot carry. */
const markdownQuery = v.strictObject({
  page_id: v.exactOptional(
    v.pipe(idInput, v.description("With `text/markdown`: ID of the parent page.")),
  ),
  database_id: v.exactOptional(
    v.pipe(idInput, v.description("With `text/markdown`: ID of the database to add a row to.")),
  ),
  variant: v.exactOptional(v.pipe(
    v.picklist(["commonmark", "enhanced"]),
    v.description("With `text/markdown`: the dialect of the text. By default it is recognized."),
  )),
  title: v.exactOptional(v.pipe(
    v.string(),
    v.maxLength(LIMITS.textContent),
    v.description("With `text/markdown`: title of the page or row."),
  )),
});

/** Returns the page that Markdown stands for. Without a parent, it is at the top level. */
function fromMarkdown(markdown: string, query: v.InferOutput<typeof markdownQuery>): unknown {
  const { title, variant, ...parent } = query;
  return {
    parent: Object.keys(parent).length === 0 ? { workspace: true } : parent,
    properties: title === undefined ? {} : { title: { title: [{ text: { content: title } }] } },
    markdown,
    ...(variant !== undefined && { markdown_variant: variant }),
  };
}

export const pageEndpoints = [
  define({
    method: "GET",
    path: "/v2/pages/:page_id",
    operationId: "getPage",
    tag: PAGES,
    summary: "Read a page",
    description:
      "Reads the properties, icon and cover of a page or row. To read its content, list its block children or read it as Markdown.",
    params: pageParams,
    query: filter,
    response: pageSchema,
    example: { response: example.page },
    handle: ({ params, query, caller, now }, services) =>
      services.longReads(caller, (pause) =>
        readPage(services, caller.workspace, {
          id: normalizeId(params.page_id),
          names: query.filter_properties,
          pause,
          now,
        })),
  }),
  define({
    method: "POST",
    path: "/v2/pages",
    operationId: "createPage",
    tag: PAGES,
    summary: "Create a page",
    description:
      'Creates a page in a page, in a database as a row, or at the top level of the workspace. Its first content is given as blocks in `children`, up to 5,000 in all, or as `markdown`. A body of `text/markdown` is the content alone: the query names the parent and the title, and front matter holds the values of a row. A body of `application/jsonl` has such a JSON object on each of up to 100 lines, with the same parent: it creates all of these pages or none, with one `Idempotency-Key`, and answers a line with the ID of each, `{"object":"page","id":"…"}`. Faults name the line: `/0/properties/Name` is in the first.',
    query: markdownQuery,
    body: pageCreateInput,
    fromMarkdown,
    response: pageSchema,
    example: {
      request: {
        parent: { workspace: true },
        properties: { title: example.writtenText("Field notes") },
        icon: { emoji: "🌿" },
      },
      response: example.page,
    },
    handle: (call, services) =>
      writePrepared(call, services, async (judged) => {
        const content = await readContent(services, judged);
        return (checked, own) => decideCreate(checked, own, content);
      }, { current: currentPageReply }),
    handleLines: createPages,
  }),
  define({
    method: "PATCH",
    path: "/v2/pages/:page_id",
    operationId: "updatePage",
    tag: PAGES,
    summary: "Update a page",
    description:
      "Updates the properties, icon and cover of a page, moves it to the trash or restores it. Only the fields that you send change.",
    params: pageParams,
    body: pageUpdateInput,
    response: pageSchema,
    example: { request: { icon: null }, response: { ...example.page, icon: null } },
    handle: (call, services) =>
      write(call, services, decidePageUpdate, { current: currentPageReply }),
  }),
  define({
    method: "DELETE",
    path: "/v2/pages/:page_id",
    operationId: "deletePage",
    tag: PAGES,
    summary: "Delete a page",
    description:
      "Moves the page to the trash with everything in it. Deleting it again changes nothing. To restore it, update it with `in_trash: false`.",
    params: pageParams,
    response: pageSchema,
    example: { response: { ...example.page, ...example.trashed } },
    handle: (call, services) => write(call, services, decideDelete),
  }),
];

interface PageRead {
  readonly id: string;
  readonly names: readonly string[] | undefined;
  readonly pause?: () => Promise<void>;
  readonly now: number;
}

async function readPage(
  services: Services,
  workspace: string,
  read: PageRead,
): Promise<TaggedReply> {
  const cached = read.names === undefined
    ? await services.pageReplies.find(workspace, read.id)
    : undefined;
  return cached ?? await withStableSchemas(
    services,
    workspace,
    (reading) => renderPage(reading.services, workspace, read),
    { rowsFirst: true },
  );
}

async function renderPage(
  services: Services,
  workspace: string,
  { id, names, pause, now }: PageRead,
): Promise<TaggedReply> {
  const { pageReplies } = services;
  const node = await findNode(services, workspace, { kind: "page", id });
  const database = await databaseOf(services, workspace, node);
  if (database !== undefined) {
    const reply = await rowReply(services, workspace, { database, node, names, pause, now });
    return names === undefined && isSelfContained(database.doc.properties)
      ? pageReplies.store(workspace, node, reply, { database: database.node })
      : reply;
  }
  const reply = await pageReply(services, workspace, node, names);
  return names === undefined ? pageReplies.store(workspace, node, reply) : reply;
}

/** Returns the reply with a page as it is now, with the named properties or all. */
export function currentPageReply(
  { caller: { workspace }, now }: Caller,
  services: Services,
  id: string,
  names?: readonly string[],
): Promise<TaggedReply> {
  return readPage(services, workspace, { id, names, now });
}

/** Returns the database that a page is a row of, or undefined if it is not a row. */
async function databaseOf(
  services: Services,
  workspace: string,
  { parentKind, parentId }: NodeView,
): Promise<Database | undefined> {
  if (parentKind !== "database" || parentId === null) return undefined;
  return await findDatabase(services, workspace, parentId);
}

type Caller = Pick<Call<unknown, unknown, unknown>, "caller" | "now">;

type PageCall = Caller & {
  readonly params: { readonly page_id: string };
  readonly requireMatch: (etag: string) => void;
};

/** A page, with its database if it is a row. */
interface CurrentPage {
  readonly node: NodeView;
  readonly database: Database | undefined;
}

/** Returns the page that a call names, after checking its preconditions. */
async function currentPage(call: PageCall, services: Services): Promise<CurrentPage> {
  const { caller: { workspace }, now } = call;
  const node = await findNode(services, workspace, { kind: "page", id: call.params.page_id });
  const database = await databaseOf(services, workspace, node);
  const reply = database === undefined
    ? await pageReply(services, workspace, node)
    : await rowReply(services, workspace, { database, node, now });
  call.requireMatch(reply.etag);
  return { node, database };
}

type UpdateCall = PageCall & { readonly body: PageEdit };

/** Decides on an edit of a page or row, and of what is in it. */
export async function decidePageUpdate(
  call: UpdateCall,
  services: Services,
  content?: ChangeContent,
): Promise<WriteDecision> {
  const { node, database } = await currentPage(call, services);
  return database === undefined
    ? updatePage(call, services, { node, content })
    : updateRow(call, services, { node, database, content });
}

interface UpdatedPage {
  readonly node: NodeView;
  readonly content: ChangeContent | undefined;
}

async function updatePage(
  call: UpdateCall,
  services: Services,
  { node, content }: UpdatedPage,
): Promise<WriteDecision> {
  const { body, caller: { workspace } } = call;
  const issues = pageUpdateIssues(body);
  if (issues.length > 0) throw validationError(issues);
  const edit = editOf(call);
  const step = await planEdit(services, {
    workspace,
    node,
    edit,
    inTrash: wantsTrash(body),
    change: isContent(body) ? (page) => update(page, editPage(page, body), edit) : undefined,
    content,
  });
  const reply = await pageReply(services, workspace, step.node);
  return { changes: step.changes, reply, shows: node.id };
}

async function updateRow(
  call: UpdateCall,
  services: Services,
  { content, ...current }: UpdatedPage & { readonly database: Database },
): Promise<WriteDecision> {
  const { body, caller: { workspace }, now } = call;
  const { database, change } = await changeRow(call, services, current);
  const { changes, node } = await planEdit(services, {
    workspace,
    node: current.node,
    edit: editOf(call),
    inTrash: wantsTrash(body),
    change: isContent(body) ? change : undefined,
    content,
  });
  const reply = await rowReply(services, workspace, { database, node, changes, now });
  return { changes, reply, shows: node.id };
}

function isContent({ properties, icon, cover, is_locked: lock }: PageEdit): boolean {
  return [properties, icon, cover, lock].some((member) => member !== undefined);
}

async function decideDelete(call: PageCall, services: Services): Promise<WriteDecision> {
  const { caller: { workspace }, now } = call;
  const current = await currentPage(call, services);
  const { changes, node } = trash(current.node, editOf(call));
  const { database } = current;
  const reply = database === undefined
    ? await pageReply(services, workspace, node)
    : await rowReply(services, workspace, { database, node, changes, now });
  return { changes, reply };
}
