/**
 * What pages, databases and blocks have in common: finding one, its entity tag, its names.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { collectMentions, fillMentions, type MentionNames } from "../../content/values/mentions.ts";
import type { FileAddress } from "../../content/values/hosted_files.ts";
import { normalizeId } from "../../content/values/ids.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { PageParent } from "../../content/schema/parents.ts";
import { urlsAt } from "../../content/values/page_urls.ts";
import { AppError, notFound, validationError } from "../../shared/errors.ts";
import type { Services } from "./services.ts";
import { withFiles } from "./uploads.ts";

/** What mentioned users, pages and databases are called. */
export type Names = Pick<MentionNames, "users" | "titles">;

interface Wanted {
  readonly kind: "page" | "database" | "block";
  readonly id: string;
  /** Where the body has the id; absent where the path has it. */
  readonly pointer?: string | undefined;
}

/**
 * The node of this id; throws `object_not_found`, or a fault that names the kind where a page was
 * asked for as a database or the reverse. Every node is a block.
 */
export async function findNode(
  { store }: Services,
  workspace: string,
  { kind, id, pointer }: Wanted,
): Promise<NodeView> {
  const node = await store.node(workspace, normalizeId(id));
  if (node === undefined) throw notFound(kind, normalizeId(id));
  if (kind === "block" || node.kind === kind) return node;
  if (node.kind === "block") throw notFound(kind, node.id);
  const detail =
    `Provided ID ${node.id} is a ${node.kind}, not a ${kind}. Use the ${node.kind} API instead.`;
  throw pointer === undefined
    ? new AppError("validation_error", detail)
    : validationError([{ pointer, detail }]);
}

/** Throws where the parent of a new page or database is missing, of another kind or in the trash. */
export async function requireParent(
  services: Services,
  workspace: string,
  { kind, id }: PageParent,
): Promise<void> {
  if (id === null || kind === "workspace") return;
  const pointer = `/parent/${kind}_id`;
  requireLiving(await findNode(services, workspace, { kind, id, pointer }));
}

/** Throws where what is to be added to is in the trash. */
export function requireLiving({ kind, id, trashRoot }: NodeView): void {
  if (trashRoot === null) return;
  throw validationError([{
    pointer: "/parent",
    detail: `Can't add to a ${kind} that is archived: ${id}.`,
  }]);
}

/** Path of a page or database of this service, as its `url`. */
export function urlOf({ publicUrl }: Services, kind: "page" | "database", id: string): string {
  return urlsAt(publicUrl)(kind, id);
}

/**
 * The nodes' documents with the names of whom and what they mention and the addresses of their files,
 * read in three queries at most.
 */
export async function readDocs(
  services: Services,
  workspace: string,
  nodes: readonly NodeView[],
): Promise<readonly string[]> {
  const mentioning = nodes.filter((node) => node.hasMentions);
  if (mentioning.length === 0) return nodes.map((node) => node.doc);
  const ids = collectMentions(mentioning.map((node): unknown => JSON.parse(node.doc)));
  const names = {
    ...await readNames(services, workspace, ids),
    urlOf: (kind: "page" | "database", id: string) => urlOf(services, kind, id),
  };
  const docs = nodes.map((node) => node.hasMentions ? fillMentions(node.doc, names) : node.doc);
  return withFiles(services, workspace, docs);
}

/** What users, pages and databases are called; those that the workspace has not are left out. */
export async function readNames(
  { store }: Services,
  workspace: string,
  { users, nodes }: { readonly users: Iterable<string>; readonly nodes: Iterable<string> },
): Promise<Names> {
  const [found, titles] = await Promise.all([
    store.users(workspace, [...users]),
    store.titles(workspace, [...nodes]),
  ]);
  return { users: new Map(found.map((user) => [user.id, user.name])), titles };
}

/**
 * Strong entity tag of a page's content in one of its forms. The page is touched whenever something
 * in it changes, so its version, the names of what is mentioned there and the addresses of its files
 * are all that it shows.
 */
export function contentEtag(
  { publicUrl }: Services,
  { version, names, files, form }: {
    readonly version: number;
    readonly names: Names;
    readonly files: ReadonlyMap<string, FileAddress>;
    readonly form: string;
  },
): string {
  const { users, titles } = names;
  const shown = [users, titles, files].map((map) => [...map].sort());
  const named = shown.flat().length === 0 ? "" : `-${digest(JSON.stringify(shown), 22)}`;
  return `"${originTag(publicUrl)}-${CONTENT_REPRESENTATION}${form}${version}${named}"`;
}

// As below, of what is made of a page's content.
const CONTENT_REPRESENTATION = "1";

// Part of every tag: a change of what is made of the same node must change the tag.
const REPRESENTATION = "1";

/**
 * Strong entity tag of a node as it is shown: `doc` is its document with the names filled in. A page
 * or database is touched whenever its children change; a block is not, so its tag says if it has any.
 */
export function nodeEtag({ publicUrl }: Services, node: NodeView, doc: string): string {
  const names = node.hasMentions ? `-${digest(doc)}` : "";
  const children = node.kind === "block" && node.hasChildren ? "c" : "";
  return `"${originTag(publicUrl)}-${node.version}${children}${names}"`;
}

/** Strong entity tag of an answer that more than one node decides: of its bytes. */
export function bodyEtag(body: string): string {
  return `"${digest(body, 22)}"`;
}

const originTags = new Map<string, string>();

function originTag(publicUrl: string): string {
  const known = originTags.get(publicUrl);
  if (known !== undefined) return known;
  const tag = digest(`${REPRESENTATION} ${publicUrl}`);
  originTags.set(publicUrl, tag);
  return tag;
}

function digest(text: string, length = 8): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, length);
}
