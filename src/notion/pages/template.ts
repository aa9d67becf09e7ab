/**
 * Pages as templates: their blocks are copied, and what they look like.
 *
 * @module
 */
import {
  copyEachBlock,
  type CopyOptions,
  type SourceBlock,
} from "../../content/pages/copy_blocks.ts";
import type { PropertiesInput } from "../../content/properties/mod.ts";
import { findProperty, isTyped, kindOf } from "../../content/properties/mod.ts";
import type { Node, NodeView } from "../../content/schema/node.ts";
import type { PageCreateInput } from "../../content/pages/pages.ts";
import { findNode } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import { findDatabase } from "../../api/databases/endpoints.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import { validationError } from "../../shared/errors.ts";
import { findDefaultTemplate } from "../databases/default_template.ts";
import { namesTemplate, parentDatabaseOf, type TemplateInput } from "./input.ts";
import { readLook } from "./look.ts";

/** Blocks and UTF-16 code units of a template: one commit inserts them. */
const MOST_BLOCKS = 20_000;
const MOST_TEXT = 20_000_000;
/** Documents that are read at once. */
const BATCH = 50;

/** A page whose content and look can be given to another one. */
export interface Template {
  readonly page: NodeView;
  readonly blocks: readonly SourceBlock[];
}

/** A request that may name a template. */
interface TemplateRequest {
  readonly template: TemplateInput | undefined;
  /** The database of the page, which may have a default template. */
  readonly databaseId: string | undefined;
}

/**
 * Returns the template that a request names; undefined if it names none. Throws `object_not_found`,
 * or `validation_error` if it is trashed or too large, or if the database has no default template.
 */
export async function findTemplate(
  services: Services,
  workspace: string,
  { template, databaseId }: TemplateRequest,
): Promise<Template | undefined> {
  if (!namesTemplate(template)) return undefined;
  if (template.type === "template_id") {
    return readTemplate(services, workspace, template.template_id);
  }
  const page = databaseId === undefined
    ? undefined
    : await findDefaultTemplate(services, workspace, databaseId);
  if (page !== undefined) return readTemplate(services, workspace, page.id);
  throw invalid("There is no default template here: name one by its `template_id`.");
}

/** Reads a template. Throws `object_not_found`, or `validation_error` if it is trashed or too large. */
async function readTemplate(
  services: Services,
  workspace: string,
  id: string,
): Promise<Template> {
  const { store } = services;
  const pointer = "/template/template_id";
  const page = await findNode(services, workspace, { kind: "page", id, pointer });
  if (page.trashRoot !== null) throw invalid(`The template ${page.id} is archived.`);
  const rest = createRest();
  const nodes = (await store.content(workspace, page.id))?.nodes ?? [];
  await rest();
  // Pages and databases in a template stay its own.
  const own = nodes.filter(({ kind }) => kind === "block");
  if (own.length > MOST_BLOCKS) throw invalid(`A template has at most ${MOST_BLOCKS} blocks.`);
  const docs = await readDocs(services, workspace, own.map(({ id: block }) => block), rest);
  const blocks = own.flatMap((node) => {
    const doc = docs.get(node.id);
    return doc === undefined ? [] : [{ ...node, doc }];
  });
  return { page, blocks };
}

async function readDocs(
  { store }: Services,
  workspace: string,
  ids: readonly string[],
  rest: Rest,
): Promise<ReadonlyMap<string, string>> {
  const docs = new Map<string, string>();
  let length = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    for (const { id, doc } of await store.docs(workspace, ids.slice(at, at + BATCH))) {
      docs.set(id, doc);
      length += doc.length;
    }
    if (length > MOST_TEXT) {
      throw invalid(`A template has at most ${MOST_TEXT} characters in its blocks.`);
    }
    await rest();
  }
  return docs;
}

function invalid(detail: string): Error {
  return validationError([{ pointer: "/template", detail }]);
}

/** Returns the nodes of a template's content in another page. */
export async function contentOf(
  { page, blocks }: Template,
  options: Omit<CopyOptions, "from">,
): Promise<Node[]> {
  const rest = createRest();
  const nodes: Node[] = [];
  for (const node of copyEachBlock(blocks, { ...options, from: page.id })) {
    nodes.push(node);
    const resting = rest();
    if (resting !== undefined) await resting;
  }
  return nodes;
}

/** Returns the body of a new page with what its template has and the body leaves out. */
export async function withTemplate<B extends PageCreateInput>(
  services: Services,
  workspace: string,
  { template: { page }, body, now }: {
    readonly template: Template;
    readonly body: B;
    readonly now: number;
  },
): Promise<B> {
  const { icon, cover, properties } = await readLook(services, workspace, { page, now });
  const given = await givenProperties(services, workspace, { page, body, properties });
  return { icon, cover, ...body, properties: given };
}

interface Properties {
  readonly page: NodeView;
  readonly body: PageCreateInput;
  readonly properties: PropertiesInput;
}

/** Rows take over the values of a template in the same database, other pages its title alone. */
async function givenProperties(
  services: Services,
  workspace: string,
  { page, body, properties }: Properties,
): Promise<PropertiesInput> {
  const given = body.properties;
  const databaseId = parentDatabaseOf(body);
  const database = databaseId === undefined
    ? undefined
    : await findDatabase(services, workspace, databaseId, "/parent/database_id");
  if (database === undefined) {
    const isTitled = Object.keys(given).length > 0;
    const [title] = Object.values(properties).filter((value) => isTyped(value) && "title" in value);
    return isTitled || title === undefined ? given : { title };
  }
  if (database.node.id !== page.parentId) return given;
  const schema = database.doc.properties;
  const named = new Set(Object.keys(given).map((name) => findProperty(schema, name)?.id));
  const taken = Object.entries(properties).filter(([name]) => {
    const property = findProperty(schema, name);
    return property !== undefined && kindOf(property).input !== undefined &&
      !named.has(property.id);
  });
  return { ...Object.fromEntries(taken), ...given };
}
