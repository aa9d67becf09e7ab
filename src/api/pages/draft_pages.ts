/**
 * Drafts new pages of one parent: in a page, in the workspace, or as rows of a database.
 *
 * @module
 */
import { frontMatterValues } from "../../content/markdown/front_matter_values.ts";
import { newPage, type PageCreateInput, pageCreateIssues } from "../../content/pages/pages.ts";
import { type PropertiesInput, valueIssues } from "../../content/properties/mod.ts";
import type { Change, Node, NodeView } from "../../content/schema/node.ts";
import type { PageParent } from "../../content/schema/parents.ts";
import { positionsIn } from "../../content/values/position.ts";
import type { Call } from "../../http/endpoint.ts";
import { notFound, validationError, type ValidationIssue } from "../../shared/errors.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { SiblingPosition } from "../../store/port.ts";
import { makeRows, readRowPlace, rowCreateIssues } from "../databases/rows.ts";
import type { Database } from "../shared/database_cache.ts";
import { editOf, touch } from "../shared/edits.ts";
import { requireParent } from "../shared/nodes.ts";
import type { Services } from "../shared/services.ts";
import type { FirstContent } from "./first_content.ts";

type Caller = Pick<Call<unknown, unknown, unknown>, "caller" | "now">;

/** The input that a new page is made from. */
export interface PageDraft {
  readonly body: PageCreateInput;
  readonly content: FirstContent;
  /** JSON pointer to `body` in the body of the request. */
  readonly pointer: string;
}

export interface Drafting {
  readonly parent: PageParent;
  /** One or more. */
  readonly drafts: readonly PageDraft[];
  readonly sibling: SiblingPosition;
}

/** New pages of one parent, in order. */
export interface DraftedPages {
  readonly changes: readonly Change[];
  /** The database that they are rows of. */
  readonly database: Database | undefined;
  readonly nodes: readonly NodeView[];
}

/** Drafts new pages of one parent. Throws `validation_error` with the issues of all of them. */
export function draftPages(
  call: Caller,
  services: Services,
  drafting: Drafting,
): Promise<DraftedPages> {
  const { parent } = drafting;
  return parent.kind === "database" && parent.id !== null
    ? draftRows(call, services, { ...drafting, databaseId: parent.id })
    : draftSubpages(call, services, drafting);
}

async function draftSubpages(
  call: Caller,
  services: Services,
  { parent, drafts, sibling }: Drafting,
): Promise<DraftedPages> {
  const { workspace } = call.caller;
  const [, gap] = await Promise.all([
    requireParent(services, workspace, { ...parent, at: drafts[0]?.pointer ?? "" }),
    services.store.gap(workspace, parent.id, sibling),
  ]);
  await requireValid(drafts, ({ body, pointer }) => pageCreateIssues(body, pointer));
  if (gap === undefined && typeof sibling === "object") throw notFound("block", sibling.after);
  const positions = positionsIn(gap ?? { after: null, before: null }, drafts.length);
  const edit = editOf(call);
  const nodes = drafts.map(({ body: input }, index) => {
    const position = positions[index] ?? "";
    return newPage({ input, id: services.newId(), parent, position, edit });
  });
  const blocks = await draftContents(call, services, {
    nodes,
    contents: drafts.map(({ content }) => ({ content, withMatter: true })),
  });
  return {
    database: undefined,
    changes: [
      ...insertsOf(nodes),
      ...insertsOf(blocks.flat()),
      ...nodes.slice(0, 1).flatMap((node) => touch(node, edit)),
    ],
    nodes: nodes.map((node, index) => withChildren(node, blocks[index])),
  };
}

async function draftRows(
  call: Caller,
  services: Services,
  { drafts: given, databaseId }: Drafting & { readonly databaseId: string },
): Promise<DraftedPages> {
  const place = await readRowPlace(services, call.caller.workspace, {
    id: databaseId,
    pointer: given[0]?.pointer ?? "",
  });
  const drafts = given.map((one) => ({ ...one, matter: frontMatterOf(place.database, one) }));
  await requireValid(drafts, ({ body, pointer, matter }) => [
    ...rowCreateIssues(place.database, body, pointer),
    ...pageCreateIssues(body, pointer),
    ...matter.issues,
  ]);
  const { database, changes, nodes } = await makeRows(call, services, {
    place,
    drafts: drafts.map(({ body, pointer, matter }) => {
      const properties = { ...body.properties, ...matter.input };
      return { body: { ...body, properties }, pointer };
    }),
  });
  const blocks = await draftContents(call, services, {
    nodes,
    contents: drafts.map(({ content, matter }) => ({ content, withMatter: matter.isLeft })),
  });
  return {
    database,
    changes: [...changes, ...insertsOf(blocks.flat())],
    nodes: nodes.map((node, index) => withChildren(node, blocks[index])),
  };
}

/** Throws `validation_error` with the issues of all drafts. */
async function requireValid<D extends PageDraft>(
  drafts: readonly D[],
  issuesOf: (draft: D) => readonly ValidationIssue[],
): Promise<void> {
  const rest = createRest();
  const issues: ValidationIssue[] = [];
  for (const draft of drafts) {
    issues.push(...issuesOf(draft));
    await rest();
  }
  if (issues.length > 0) throw validationError(issues);
}

interface PagesWithContent {
  readonly nodes: readonly Node[];
  /** The content of each node. */
  readonly contents: readonly { readonly content: FirstContent; readonly withMatter: boolean }[];
}

/** Drafts the first blocks of each page. */
async function draftContents(
  call: Caller,
  { newId }: Services,
  { nodes, contents }: PagesWithContent,
): Promise<readonly (readonly Node[])[]> {
  const edit = editOf(call);
  const rest = createRest();
  const all: Node[][] = [];
  for (const [index, { content, withMatter }] of contents.entries()) {
    const pageId = nodes[index]?.id ?? "";
    all.push(await content.nodes({ pageId, edit, newId }, { withMatter }));
    await rest();
  }
  return all;
}

function withChildren(node: Node, blocks: readonly Node[] = []): NodeView {
  return { ...node, hasChildren: blocks.length > 0 };
}

/** Reads the values of a row from front matter. Keys without a property stay in a block. */
function frontMatterOf(
  { doc }: Database,
  { content: { frontMatter }, body: { properties }, pointer }: PageDraft,
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
    .map(({ detail }) => ({ pointer: `${pointer}/markdown`, detail }));
  return { input, isLeft: !isWhole, issues };
}

function insertsOf(nodes: readonly Node[]): readonly Change[] {
  return nodes.map((node) => ({ op: "insert", node }));
}
