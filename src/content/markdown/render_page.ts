/**
 * Renders the content of a page as Markdown.
 *
 * @module
 */
import type { BlockValue } from "../blocks/types.ts";
import {
  collectMentions,
  fillMentions,
  mayMention,
  type Mentioned,
  type MentionNames,
} from "../values/mentions.ts";
import type { ContentNode, NodeDoc } from "../schema/node.ts";
import type { PageDoc } from "../pages/pages.ts";
import { titleOf } from "../properties/mod.ts";
import { plainText } from "../values/rich_text.ts";
import { storedId } from "./copied_blocks.ts";
import {
  branchesOf,
  gathered,
  joined,
  type Portion,
  PORTION_LENGTH,
  PORTION_NODES,
} from "./page_portions.ts";
import type { PortionData, PrintedPortion } from "./print_portion.ts";
import { type Addresses, urlsAt } from "../values/page_urls.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";

/** Data that the content shows besides its own nodes. */
export interface RenderContext extends Addresses, Pick<PortionData, "variant"> {
  readonly names: Pick<MentionNames, "users" | "titles">;
}

/** Returns the document of a node by id. */
export type DocOf = (id: string) => string | undefined;

export interface RenderOptions extends RenderContext {
  /** Loads the documents of these nodes, each in exactly the node's version. */
  readonly docsOf: (nodes: readonly ContentNode[]) => Promise<DocOf>;
  readonly print: (portion: PortionData) => PrintedPortion | Promise<PrintedPortion>;
}

export interface RenderedPage {
  /**
   * The text in parts to concatenate, of bounded length. They are rendered when they are consumed,
   * from documents that are loaded only for them, so that a large page takes little memory.
   */
  readonly parts: AsyncGenerator<string>;
  /** Ids of blocks that the text does not fully show; complete once all parts are consumed. */
  readonly unknownIds: string[];
}

/** One portion is printed while the next one waits for its turn. */
const CONCURRENCY = 2;

/** Adds the users, pages and databases whose names appear in a document. */
export function collectNamed({ type, doc }: NodeDoc, named: Mentioned): void {
  if (type !== "link_to_page" && !mayMention(doc)) return;
  const value: unknown = JSON.parse(doc);
  collectMentions(value, named);
  const linked = linkedId(type, value);
  if (linked !== "") named.nodes.add(linked);
}

/** Renders all descendants of a page, of any number. */
export function renderContent(
  pageId: string,
  nodes: readonly ContentNode[],
  options: RenderOptions,
): RenderedPage {
  const unknownIds: string[] = [];
  return { parts: printPortions(branchesOf(pageId, nodes), options, unknownIds), unknownIds };
}

async function* printPortions(
  branches: Iterable<Portion>,
  { print, ...options }: RenderOptions,
  unknownIds: string[],
): AsyncGenerator<string> {
  const rest = createRest();
  const all = mapAhead(loadPortions(branches, { ...options, rest }), async ({ before, shown }) => ({
    before,
    portion: await print(shown),
  }));
  for await (const { before, portion } of all) {
    for (const id of portion.unknownIds) unknownIds.push(id);
    yield before;
    for (const text of portion.texts) {
      yield text;
      await rest();
    }
  }
}

interface LoadedPortion extends Pick<Portion, "before"> {
  readonly shown: PortionData;
}

async function* loadPortions(
  branches: Iterable<Portion>,
  { docsOf, rest, ...shown }: Omit<RenderOptions, "print"> & { readonly rest: Rest },
): AsyncGenerator<LoadedPortion> {
  for (const loaded of gathered(branches, PORTION_NODES, ({ nodes }) => nodes.length)) {
    const { nodes } = joined(loaded);
    const docs = await fillDocs(nodes, { ...shown, docOf: await docsOf(nodes), rest });
    const lengthOf = ({ nodes }: Portion) =>
      nodes.reduce((sum, { id }) => sum + (docs.get(id)?.length ?? 0), 0);
    for (const portion of gathered(loaded, PORTION_LENGTH, lengthOf)) {
      const { nodes, before, start } = joined(portion);
      yield { before, shown: { ...await withDocs(nodes, docs, { ...shown, rest }), start } };
    }
  }
}

/** Maps items in order, and starts the work on the next ones early. */
async function* mapAhead<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  for await (const item of items) {
    const next = work(item);
    // The consumer gets the error at `yield await`. If it stops earlier, nothing else handles it.
    next.catch(() => {});
    pending.push(next);
    const [first] = pending;
    if (first === undefined || pending.length < CONCURRENCY) continue;
    pending.shift();
    yield await first;
  }
  for (const rest of pending) yield await rest;
}

/** Returns the documents of these nodes by ID, with the names that they show. */
async function fillDocs(
  nodes: readonly ContentNode[],
  { docOf, rest, ...shown }: RenderContext & { readonly docOf: DocOf; readonly rest: Rest },
): Promise<ReadonlyMap<string, string>> {
  const names = { ...shown.names, urlOf: urlsAt(shown) };
  const filled = new Map<string, string>();
  for (const { id, hasMentions } of nodes) {
    const doc = docOf(id) ?? "{}";
    filled.set(id, hasMentions ? fillMentions(doc, names) : doc);
    await rest();
  }
  return filled;
}

async function withDocs(
  nodes: readonly ContentNode[],
  filled: ReadonlyMap<string, string>,
  { rest, ...shown }: RenderContext & { readonly rest: Rest },
): Promise<Omit<PortionData, "start">> {
  const indexes = new Map<string, number>();
  const [ids, types, titles, docs]: [string[], string[], string[], string[]] = [[], [], [], []];
  const parents: number[] = [];
  for (const [index, node] of nodes.entries()) {
    const doc = filled.get(node.id) ?? "{}";
    indexes.set(node.id, index);
    ids.push(storedId(node.id));
    types.push(node.type);
    // Parents stand before their children.
    parents.push(indexes.get(node.parentId ?? "") ?? -1);
    titles.push(titleIn(node, doc, shown));
    docs.push(node.kind === "block" ? doc : "{}");
    await rest();
  }
  const { publicUrl, pageUrl, variant } = shown;
  return { ids, types, parents, titles, docs, publicUrl, pageUrl, variant };
}

function titleIn(node: ContentNode, doc: string, { names }: RenderContext): string {
  if (node.type === "link_to_page") {
    return names.titles.get(linkedId(node.type, JSON.parse(doc))) ?? "";
  }
  // The stored title of a page lacks the names in its mentions.
  if (node.kind !== "page" || !node.hasMentions) return node.title;
  // Sound because the document of every page has properties.
  const { properties } = JSON.parse(doc) as PageDoc;
  return plainText(titleOf(properties));
}

/** The id of the page or database that a link block leads to; `""` for any other block. */
function linkedId(type: string, value: unknown): string {
  if (type !== "link_to_page" || typeof value !== "object" || value === null) return "";
  const { page_id: page, database_id: database } = value as BlockValue;
  return String(page ?? database ?? "");
}
