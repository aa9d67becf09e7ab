/**
 * Why a page was found: an excerpt of the block that has its words.
 *
 * @module
 */
import * as v from "valibot";
import { idOutput } from "../../content/values/ids.ts";
import type { NodeDoc, NodeView } from "../../content/schema/node.ts";
import { nodeTexts } from "../../content/pages/node_texts.ts";
import { LIMITS } from "../../http/request.ts";
import { excerptOf } from "../../search/text/excerpt.ts";
import { occurrencesOf } from "../../search/text/occurrences.ts";
import type { Phrase } from "../../search/text/query.ts";
import { termsOf } from "../../search/text/terms.ts";
import { shownId } from "../../search/words/show.ts";
import type { Database } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";

/** No text is longer than the request that brought it. */
const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LIMITS.bodyBytes));

/** A stretch of an excerpt. */
export const highlight = v.object({
  start: v.pipe(offset, v.description("UTF-16 code units before it.")),
  end: v.pipe(offset, v.description("UTF-16 code units before what follows it.")),
});

/** Where a page's words were found. */
export const searchMatch = v.object({
  block_id: v.pipe(
    idOutput,
    v.description("The block of the text; the page itself where it is its title or a property."),
  ),
  text: v.pipe(v.string(), v.description("Plain text: the part of the block with the words.")),
  highlights: v.pipe(
    v.array(highlight),
    v.maxLength(200),
    v.description("What of `text` was searched for: in order, none inside another."),
  ),
});
export type SearchMatch = v.InferOutput<typeof searchMatch>;

export interface Matching {
  readonly nodes: readonly NodeView[];
  readonly phrases: readonly Phrase[];
  readonly databases: ReadonlyMap<string, Database>;
}

/** The match of each node, in their order, read in two queries. */
export async function matchesOf(
  { store }: Services,
  workspace: string,
  { nodes, phrases, databases }: Matching,
): Promise<SearchMatch[]> {
  const words = await store.words(workspace, nodes.map(({ id }) => id));
  const parts = Map.groupBy(words, ({ id }) => id);
  const shown = nodes.map(({ id }) => shownId(parts.get(id) ?? [], phrases));
  const docs = await store.docs(workspace, shown.filter((id) => id !== undefined));
  const byId = new Map(docs.map((doc) => [doc.id, doc]));
  return nodes.map((node, index) => {
    const id = shown[index] ?? node.id;
    const texts = shownTexts(node, byId.get(id), databases);
    const { text, highlights } = excerptOf(fittest(texts, phrases), phrases);
    return { block_id: id, text, highlights: [...highlights] };
  });
}

/** The texts of a page's block, or of the page itself. */
export function shownTexts(
  node: NodeView,
  doc: NodeDoc | undefined,
  databases: Matching["databases"],
): string[] {
  if (doc === undefined || doc.id === node.id) {
    return [node.title, ...nodeTexts(node, databases.get(node.parentId ?? "")?.doc.properties)];
  }
  return nodeTexts({ kind: "block", type: doc.type, parentKind: "block", doc: doc.doc });
}

/** The text in which most different phrases occur, the first of equals. */
function fittest(texts: readonly string[], phrases: readonly Phrase[]): string {
  const count = (text: string): number =>
    new Set(occurrencesOf(phrases, termsOf(text)).map(({ phrase }) => phrase)).size;
  return texts.map((text) => ({ text, count: count(text) }))
    .reduce((best, one) => one.count > best.count ? one : best, { text: texts[0] ?? "", count: 0 })
    .text;
}
