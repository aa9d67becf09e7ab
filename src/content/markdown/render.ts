/**
 * The content of a page as Markdown.
 *
 * @module
 */
import type { BlockValue } from "../blocks/types.ts";
import { collectMentions, fillMentions, type MentionNames } from "../values/mentions.ts";
import type { ContentNode, NodeDoc } from "../schema/node.ts";
import type { PageDoc } from "../pages/pages.ts";
import { titleOf } from "../properties/mod.ts";
import { plainText } from "../values/rich_text.ts";
import { type Portion, portionsOf } from "./portions.ts";
import type { PrintedPortion, ShownPortion } from "./print_portion.ts";
import { urlsAt } from "../values/page_urls.ts";

/** What the content shows beside its own nodes. */
export interface Shown {
  readonly names: Pick<MentionNames, "users" | "titles">;
  /** Where the service is reached. */
  readonly publicUrl: string;
}

/** The document of a node, by id. */
export type DocOf = (id: string) => string | undefined;

export interface RenderOptions extends Shown {
  /** Reads the documents of these nodes, each of the very version that the node has. */
  readonly docsOf: (nodes: readonly ContentNode[]) => Promise<DocOf>;
  readonly print: (portion: ShownPortion) => PrintedPortion | Promise<PrintedPortion>;
}

export interface RenderedPage {
  /**
   * The text in parts, which follow each other as they are. They are made as they are taken, each from
   * documents that are read for it alone, so that a large page takes little memory.
   */
  readonly parts: AsyncIterable<string>;
  /** Ids of blocks whose content or place the text does not show; complete once all parts are taken. */
  readonly unknownIds: readonly string[];
}

/** Portions that are under way at a time. */
const AHEAD = 3;

/** Ids of the users, pages and databases whose names these documents show. */
export function namesIn(docs: readonly NodeDoc[]): { users: string[]; nodes: string[] } {
  const values = docs.map(({ doc }): unknown => JSON.parse(doc));
  const found = collectMentions(values);
  const linked = docs.map(({ type }, index) => linkedId(type, values[index])).filter(Boolean);
  return { users: [...found.users], nodes: [...new Set([...found.nodes, ...linked])] };
}

/** Renders all that is below a page, parents before their children, whatever its size. */
export function renderContent(
  pageId: string,
  nodes: readonly ContentNode[],
  options: RenderOptions,
): RenderedPage {
  const unknownIds: string[] = [];
  return { parts: printed(portionsOf(pageId, nodes), options, unknownIds), unknownIds };
}

async function* printed(
  portions: Iterable<Portion>,
  { print, ...options }: RenderOptions,
  unknownIds: string[],
): AsyncGenerator<string> {
  const all = ahead(read(portions, options), async ({ before, shown }) => ({
    before,
    portion: await print(shown),
  }));
  for await (const { before, portion } of all) {
    unknownIds.push(...portion.unknownIds);
    yield before + portion.text;
  }
}

interface ReadPortion extends Pick<Portion, "before"> {
  readonly shown: ShownPortion;
}

async function* read(
  portions: Iterable<Portion>,
  { docsOf, ...shown }: Omit<RenderOptions, "print">,
): AsyncGenerator<ReadPortion> {
  for (const { nodes, before, start } of portions) {
    yield { before, shown: { ...withDocs(nodes, await docsOf(nodes), shown), start } };
  }
}

/** What comes of each, in order, the work on the next ones begun meanwhile. */
async function* ahead<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for await (const item of items) {
    const next = work(item);
    // Whoever takes the results meets the fault there; nobody may stop before.
    next.catch(() => {});
    begun.push(next);
    const [first] = begun;
    if (first === undefined || begun.length < AHEAD) continue;
    begun.shift();
    yield await first;
  }
  for (const rest of begun) yield await rest;
}

function withDocs(
  nodes: readonly ContentNode[],
  docOf: DocOf,
  shown: Shown,
): Omit<ShownPortion, "start"> {
  const places = new Map(nodes.map(({ id }, index) => [id, index]));
  const names = { ...shown.names, urlOf: urlsAt(shown.publicUrl) };
  const filled = nodes.map(({ id, hasMentions }) => {
    const doc = docOf(id) ?? "{}";
    return hasMentions ? fillMentions(doc, names) : doc;
  });
  return {
    ids: nodes.map(({ id }) => id),
    types: nodes.map(({ type }) => type),
    parents: nodes.map(({ parentId }) => places.get(parentId ?? "") ?? -1),
    titles: nodes.map((node, index) => titleIn(node, filled[index] ?? "{}", shown)),
    docs: filled.map((doc, index) => nodes[index]?.kind === "block" ? doc : "{}"),
    publicUrl: shown.publicUrl,
  };
}

function titleIn(node: ContentNode, doc: string, { names }: Shown): string {
  if (node.type === "link_to_page") {
    return names.titles.get(linkedId(node.type, JSON.parse(doc))) ?? "";
  }
  // The stored title of a page lacks the names of what it mentions.
  if (node.kind !== "page" || !node.hasMentions) return node.title;
  // Sound because the document of every page has its properties.
  const { properties } = JSON.parse(doc) as PageDoc;
  return plainText(titleOf(properties));
}

/** The page or database that a link leads to; `""` of every other block. */
function linkedId(type: string, value: unknown): string {
  if (type !== "link_to_page" || typeof value !== "object" || value === null) return "";
  const { page_id: page, database_id: database } = value as BlockValue;
  return String(page ?? database ?? "");
}
