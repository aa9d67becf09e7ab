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
import { type Portion, portionsOf } from "./page_portions.ts";
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
  readonly print: (portion: UnloadedPortion) => Promise<PrintedPortion>;
}

/** A portion whose documents are not loaded yet: those of all that wait would fill the memory. */
export interface UnloadedPortion extends Pick<Portion, "length"> {
  load(): Promise<PortionData>;
}

export interface RenderedPage {
  /**
   * The text in parts to concatenate, of bounded length. They are rendered when they are consumed,
   * from documents that are loaded only for them, so that a large page takes little memory.
   */
  readonly parts: AsyncGenerator<string>;
  /** Ids of blocks that the text does not fully show; complete once all parts are consumed. */
  readonly unknownIds: string[];
  /** Ids of further blocks, which are too much to be printed; complete at the same time. */
  readonly omittedIds: string[];
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
  const ids: PrintedIds = { unknownIds: [], omittedIds: [] };
  return { parts: printPortions(portionsOf(pageId, nodes), options, ids), ...ids };
}

type PrintedIds = Omit<RenderedPage, "parts">;

async function* printPortions(
  portions: Iterable<Portion>,
  { print, ...options }: RenderOptions,
  { unknownIds, omittedIds }: PrintedIds,
): AsyncGenerator<string> {
  const rest = createRest();
  const all = mapAhead(portions, async (portion) => {
    const load = () => loadPortion(portion, { ...options, rest });
    return { portion, printed: await print({ length: portion.length, load }) };
  });
  for await (const { portion: { before, omitted }, printed } of all) {
    for (const id of printed.unknownIds) unknownIds.push(id);
    for (const { id } of omitted) omittedIds.push(storedId(id));
    yield before;
    for (const text of printed.texts) {
      yield text;
      await rest();
    }
  }
}

/** Maps items in order, and starts the work on the next ones early. */
async function* mapAhead<T, R>(
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  for (const item of items) {
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

/** Loads the documents of a portion, and fills in the names that they show. */
async function loadPortion(
  { nodes, start }: Portion,
  { docsOf, rest, ...shown }: Omit<RenderOptions, "print"> & { readonly rest: Rest },
): Promise<PortionData> {
  const docOf = await docsOf(nodes);
  const names = { ...shown.names, urlOf: urlsAt(shown) };
  const indexes = new Map<string, number>();
  const [ids, types, titles, docs]: [string[], string[], string[], string[]] = [[], [], [], []];
  const parents: number[] = [];
  for (const [index, node] of nodes.entries()) {
    const stored = docOf(node.id) ?? "{}";
    const doc = node.hasMentions ? fillMentions(stored, names) : stored;
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
  return { ids, types, parents, titles, docs, start, publicUrl, pageUrl, variant };
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
