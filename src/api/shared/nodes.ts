/**
 * Nodes, which are pages, databases and blocks: lookup, entity tags, and names for mentions.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import {
  collectMentions,
  fillMentions,
  type Mentioned,
  mentionedTitle,
  type MentionNames,
  normalizeDates,
} from "../../content/values/mentions.ts";
import { fillUsers, referredUsers, userTexts } from "../../content/values/user_details.ts";
import type { DownloadUrl } from "../../content/values/hosted_files.ts";
import { normalizeId } from "../../content/values/ids.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { requirePageDepth } from "../../content/schema/page_depth.ts";
import type { PageParent } from "../../content/schema/parents.ts";
import type { User } from "../../content/values/users.ts";
import { urlsAt } from "../../content/values/page_urls.ts";
import { AppError, notFound, validationError } from "../../shared/errors.ts";
import { collect, mapTexts, type Text } from "../../shared/long_text.ts";
import { listsOf } from "../../shared/portions.ts";
import { sortInSlices } from "../../shared/sort_in_slices.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import type { Services } from "./services.ts";
import { withFiles } from "./uploads.ts";

/** Names of mentioned users, pages and databases, by ID. */
export type Names = Pick<MentionNames, "users" | "titles">;

interface NodeRequest {
  readonly kind: "page" | "database" | "block";
  readonly id: string;
  /** JSON pointer to the ID in the body. Absent if it is in the path. */
  readonly pointer?: string | undefined;
}

/**
 * Returns the node with this ID. Throws `object_not_found`, or `validation_error` if it is a page where
 * a database is expected or the reverse. Every node is also a block.
 */
export async function findNode(
  { store }: Services,
  workspace: string,
  { kind, id, pointer }: NodeRequest,
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

/**
 * Throws if the parent of a new page or database is missing, of another kind, in the trash or too deep in
 * others. The object that names it is at `at` in the body.
 */
export async function requireParent(
  services: Services,
  workspace: string,
  { kind, id, at = "" }: PageParent & { readonly at?: string },
): Promise<void> {
  if (id === null || kind === "workspace") return;
  const pointer = `${at}/parent/${kind}_id`;
  const parent = await findNode(services, workspace, { kind, id, pointer });
  requireLiving(parent, at);
  // Rows may be one level deeper.
  if (kind === "database") return;
  // Most are at the top of the workspace.
  const depth = parent.parentId === null ? 1 : await services.store.depth(workspace, parent.id);
  requirePageDepth(depth + 1, at);
}

/** Throws if the parent is in the trash. The object that names it is at `at` in the body. */
export function requireLiving({ kind, id, trashRoot }: NodeView, at = ""): void {
  if (trashRoot === null) return;
  throw validationError([{
    pointer: `${at}/parent`,
    detail: `Can't add to a ${kind} that is archived: ${id}.`,
  }]);
}

/** A node or comment whose document is read; comments have no title. */
type Mentioning =
  & Pick<NodeView, "id" | "doc" | "hasMentions">
  & Partial<Pick<NodeView, "title">>;

/**
 * Returns the documents of nodes with mentioned objects and the download URLs of files filled in.
 * Takes three queries, and one for each further thousand of mentioned objects.
 */
export async function readDocs(
  services: Services,
  workspace: string,
  nodes: readonly Mentioning[],
): Promise<readonly string[]> {
  const mentioning = nodes.filter((node) => node.hasMentions);
  if (mentioning.length === 0) return nodes.map(({ doc }) => normalizeDates(doc));
  const rest = createRest();
  const ids = { users: new Set<string>(), nodes: new Set<string>() };
  for (const { doc } of mentioning) {
    collectMentions(JSON.parse(doc), ids);
    await rest();
  }
  const { users, titles } = await readMentioned(services, workspace, ids, rest);
  const names = {
    users: namesOf(users),
    titles: withOwnTitles(titles, mentioning),
    urlOf: urlsAt(services),
  };
  const texts = services.showsUsers ? userTexts(users) : new Map<string, string>();
  const docs: string[] = [];
  for (const node of nodes) {
    const doc = normalizeDates(node.doc);
    docs.push(node.hasMentions ? fillUsers(fillMentions(doc, names), texts) : doc);
    await rest();
  }
  return withFiles(services, workspace, docs, rest);
}

/** Returns the titles that nodes show of themselves: a write that is not committed may change them. */
function withOwnTitles(titles: Names["titles"], nodes: readonly Mentioning[]): Names["titles"] {
  const own = nodes.flatMap(({ id, title }) =>
    title !== undefined && titles.has(id) ? [[id, mentionedTitle(title)] as const] : []
  );
  return new Map([...titles, ...own]);
}

/** Returns JSON texts in which references to users have all members. Takes one query at most. */
export async function withUsers<T extends Text>(
  { store, showsUsers }: Pick<Services, "store" | "showsUsers">,
  workspace: string,
  jsons: readonly T[],
  rest = createRest(),
): Promise<readonly T[]> {
  if (!showsUsers) return jsons;
  const ids = await collect(jsons, referredUsers, rest);
  if (ids.size === 0) return jsons;
  const texts = userTexts(await store.users(workspace, [...ids]));
  return mapTexts(jsons, (json) => fillUsers(json, texts), rest);
}

/** Returns the names of users, pages and databases. Unknown ones are left out. */
export async function readNames(
  services: Services,
  workspace: string,
  ids: Mentioned,
  rest = createRest(),
): Promise<Names> {
  const { users, titles } = await readMentioned(services, workspace, ids, rest);
  return { users: namesOf(users), titles };
}

/** IDs that one statement looks up. */
const PORTION = 1_000;

async function readMentioned(
  { store }: Services,
  workspace: string,
  { users, nodes }: Mentioned,
  rest: Rest,
): Promise<{ readonly users: readonly User[]; readonly titles: Names["titles"] }> {
  const found: User[] = [];
  const readUsers = async () => {
    for (const ids of listsOf([...users], PORTION)) {
      for (const user of await store.users(workspace, ids)) found.push(user);
      await rest();
    }
  };
  const titles = new Map<string, string>();
  const readTitles = async () => {
    for (const ids of listsOf([...nodes], PORTION)) {
      for (const [id, title] of await store.titles(workspace, ids)) titles.set(id, title);
      await rest();
    }
  };
  await Promise.all([readUsers(), readTitles()]);
  return { users: found, titles };
}

function namesOf(users: readonly User[]): Names["users"] {
  return new Map(users.map(({ id, name }) => [id, name]));
}

/**
 * Strong entity tag of a page's content in one form. It covers the version of the page, which changes
 * with everything in the page, the names of mentioned objects, the download URLs of files, and the
 * pages that copies of synced blocks show.
 */
export async function contentEtag(
  services: Services,
  { version, names, files, form, sources }: {
    readonly version: number;
    readonly names: Names;
    readonly files: ReadonlyMap<string, DownloadUrl>;
    readonly form: string;
    /** Versions of the other pages whose blocks it shows. */
    readonly sources: ReadonlyMap<string, number>;
  },
  rest: Rest,
): Promise<string> {
  const { users, titles } = names;
  const shown = [users, titles, files, sources];
  const hash = createTagHash(services);
  for (const map of shown) {
    for (const entry of await sortInSlices([...map], byKey, rest)) {
      hash.update(JSON.stringify(entry));
      await rest();
    }
    hash.update("\n");
  }
  const isNamed = shown.some(({ size }) => size > 0);
  const named = isNamed ? `-${hash.digest("base64url").slice(0, 22)}` : "";
  return `"${originTag(services)}-${CONTENT_REPRESENTATION}${form}${version}${named}"`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

// Part of every tag of content. Increment it if the same content is printed differently.
const CONTENT_REPRESENTATION = "2";

// Part of every tag of a node. Increment it if the same node is printed differently.
const REPRESENTATION = "2";

/**
 * Strong entity tag of a node. `doc` is its document with the names filled in. The version of a page or
 * database changes with its children; that of a block does not, so its tag says if it has any.
 */
export function nodeEtag(services: Services, node: NodeView, doc: string): string {
  const names = node.hasMentions ? `-${namesTag(services, doc)}` : "";
  const children = node.kind === "block" && node.hasChildren ? "c" : "";
  return `"${originTag(services)}-${node.version}${children}${names}"`;
}

/** Strong entity tag of a body that depends on more than one node: a hash of its bytes. */
export function bodyEtag(services: Pick<Services, "tagKey">, body: string): string {
  return tagOf(createTagHash(services).update(body));
}

/** Returns the same tag of a body that may be long, with rests in between. */
export async function textEtag(services: Pick<Services, "tagKey">, body: Text): Promise<string> {
  if (typeof body === "string") return bodyEtag(services, body);
  const rest = createRest();
  const hash = createTagHash(services);
  for (const piece of body.pieces) {
    hash.update(piece);
    await rest();
  }
  return tagOf(hash);
}

function namesTag(services: Services, doc: string): string {
  return createTagHash(services).update(doc).digest("base64url").slice(0, 8);
}

function tagOf(hash: Hash): string {
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

/**
 * Tags are made of everything that an object shows, and callers who may not see all of it get them,
 * too. Without the key, they could test guesses of what is hidden. An HMAC would take four times as
 * long, and tags prove nothing.
 */
function createTagHash({ tagKey }: Pick<Services, "tagKey">): Hash {
  return createHash("sha256").update(tagKey);
}

const originTags = new Map<string, string>();

function originTag({ publicUrl, pageUrl = "" }: Services): string {
  const origin = `${REPRESENTATION} ${publicUrl} ${pageUrl}`;
  const cached = originTags.get(origin);
  if (cached !== undefined) return cached;
  const tag = createHash("sha256").update(origin).digest("base64url").slice(0, 8);
  originTags.set(origin, tag);
  return tag;
}
