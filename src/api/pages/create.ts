/**
 * Creates pages: in a page, in the workspace, or as rows of a database.
 *
 * @module
 */
import { type BlockInput, draftBlocks, originalOf } from "../../content/blocks/mod.ts";
import {
  type MarkdownDraft,
  type PageTarget,
  placeNodes,
} from "../../content/markdown/place_nodes.ts";
import { frontMatterValues } from "../../content/markdown/front_matter_values.ts";
import type { Change, Node } from "../../content/schema/node.ts";
import {
  firstBlocks,
  newPage,
  type PageCreateInput,
  pageCreateIssues,
} from "../../content/pages/pages.ts";
import { type PageParent, toParent } from "../../content/schema/parents.ts";
import { positionsIn } from "../../content/values/position.ts";
import { type PropertiesInput, valueIssues } from "../../content/properties/mod.ts";
import { notFound, validationError, type ValidationIssue } from "../../shared/errors.ts";
import type { SiblingPosition } from "../../store/port.ts";
import type { Call } from "../../http/endpoint.ts";
import type { Database } from "../shared/database_cache.ts";
import { editOf, touch } from "../shared/edits.ts";
import { requireParent } from "../shared/nodes.ts";
import { requireOriginals } from "../shared/references.ts";
import { pageReply } from "./reply.ts";
import {
  makeRow,
  readRowPlace,
  rowCreateIssues,
  type RowPosition,
  rowReply,
} from "../databases/rows.ts";
import type { Services } from "../shared/services.ts";
import type { WriteDecision } from "../shared/write.ts";

type CreateCall = Pick<Call<unknown, unknown, PageCreateInput>, "caller" | "now" | "body">;

/** The first blocks of a new page, from blocks or Markdown. */
export interface FirstContent {
  readonly frontMatter: MarkdownDraft["frontMatter"];
  /** Returns the nodes of a new page, with or without its front matter as a block. */
  readonly nodes: (
    place: PageTarget,
    matter: { readonly withMatter: boolean },
  ) => Node[] | Promise<Node[]>;
}

/** Reads the first content of a new page. Throws `validation_error` if it is too large. */
export async function readContent(
  services: Services,
  { body, caller }: Pick<CreateCall, "body" | "caller">,
): Promise<FirstContent> {
  const { readMarkdown } = services;
  const { markdown } = body;
  const isBeside = (body.children ?? body.content) !== undefined;
  if (markdown === undefined || isBeside) {
    return { frontMatter: undefined, nodes: (place) => draftAt(place, firstBlocks(body)) };
  }
  const drafted = await readMarkdown(markdown, caller, body.markdown_variant);
  const originals = new Set(drafted.nodes.flatMap((node) => originalOf(node) ?? []));
  await requireOriginals(
    services,
    caller.workspace,
    [...originals].map((id) => ({ id, pointer: "/markdown" })),
  );
  return {
    frontMatter: drafted.frontMatter,
    nodes: (place, matter) => placeNodes(drafted, place, matter),
  };
}

export interface CreateOptions {
  /** Position of the page among the blocks of its parent page; default: the end. */
  readonly place?: SiblingPosition;
}

/** Decides on a new page from valid input. */
export async function decideCreate(
  call: CreateCall,
  services: Services,
  content: FirstContent,
  { place: sibling = "end" }: CreateOptions = {},
): Promise<WriteDecision> {
  const { body, caller: { workspace } } = call;
  const parent = toParent(body.parent);
  if (parent.kind !== "database" || parent.id === null) {
    return createPage(call, services, { parent, content, sibling });
  }
  const place = await readRowPlace(services, workspace, parent.id);
  return createRow(call, services, { place, content });
}

async function createPage(
  call: CreateCall,
  services: Services,
  { parent, content, sibling }: {
    readonly parent: PageParent;
    readonly content: FirstContent;
    readonly sibling: SiblingPosition;
  },
): Promise<WriteDecision> {
  const { body, caller: { workspace } } = call;
  const [, gap] = await Promise.all([
    requireParent(services, workspace, parent),
    services.store.gap(workspace, parent.id, sibling),
  ]);
  const issues = pageCreateIssues(body);
  if (issues.length > 0) throw validationError(issues);
  if (gap === undefined && typeof sibling === "object") throw notFound("block", sibling.after);
  const [position = ""] = positionsIn(gap ?? { after: null, before: null }, 1);
  const edit = editOf(call);
  const page = newPage({ input: body, id: services.newId(), parent, position, edit });
  const place = { pageId: page.id, edit, newId: services.newId };
  const inserts = insertsOf(await content.nodes(place, { withMatter: true }));
  return {
    changes: [{ op: "insert", node: page }, ...inserts, ...touch(page, edit)],
    reply: await pageReply(services, workspace, { ...page, hasChildren: inserts.length > 0 }),
  };
}

async function createRow(
  call: CreateCall,
  services: Services,
  { place, content }: { readonly place: RowPosition; readonly content: FirstContent },
): Promise<WriteDecision> {
  const { body, caller: { workspace }, now } = call;
  const matter = frontMatterOf(place.database, content, body);
  const issues = [
    ...rowCreateIssues(place.database, body),
    ...pageCreateIssues(body),
    ...matter.issues,
  ];
  if (issues.length > 0) throw validationError(issues);
  const properties = { ...body.properties, ...matter.input };
  const created = await makeRow({ ...call, body: { ...body, properties } }, services, place);
  const { node, database, links, changes } = created;
  const at = { pageId: node.id, edit: editOf(call), newId: services.newId };
  const blocks = insertsOf(await content.nodes(at, { withMatter: matter.isLeft }));
  const row = { ...node, hasChildren: blocks.length > 0 };
  return {
    changes: [...changes, ...blocks],
    reply: await rowReply(services, workspace, { database, node: row, links, now }),
  };
}

/** Reads the values of a row from front matter. Keys without a property stay in a block. */
function frontMatterOf(
  { doc }: Database,
  { frontMatter }: FirstContent,
  { properties }: PageCreateInput,
): {
  readonly input: PropertiesInput;
  /** True if the front matter also stays a block. */
  readonly isLeft: boolean;
  readonly issues: readonly ValidationIssue[];
} {
  if (frontMatter === undefined) return { input: {}, isLeft: false, issues: [] };
  const schema = doc.properties;
  const { input, isWhole } = frontMatterValues(schema, frontMatter, properties);
  const issues = valueIssues(schema, input, { pointer: "" })
    .map(({ detail }) => ({ pointer: "/markdown", detail }));
  return { input, isLeft: !isWhole, issues };
}

function draftAt({ pageId, edit, newId }: PageTarget, blocks: readonly BlockInput[]): Node[] {
  return draftBlocks(blocks, {
    parent: { kind: "page", id: pageId, containerId: pageId },
    gap: { after: null, before: null },
    edit,
    newId,
  });
}

function insertsOf(nodes: readonly Node[]): Change[] {
  return nodes.map((node) => ({ op: "insert", node }));
}
