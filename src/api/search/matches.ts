/**
 * Matches of a keyword search: an excerpt of the block with the words.
 *
 * @module
 */
import * as v from "valibot";
import { idOutput } from "../../content/values/ids.ts";
import type { NodeDoc, NodeView } from "../../content/schema/node.ts";
import { commentTexts } from "../../content/comments/comment_doc.ts";
import { nodeTexts } from "../../content/pages/node_texts.ts";
import { LIMITS } from "../../http/request.ts";
import { excerptOf } from "../../search/text/excerpt.ts";
import { occurrencesIn } from "../../search/text/occurrences.ts";
import type { Part } from "../../search/text/parts.ts";
import type { Phrase } from "../../search/text/query.ts";
import { spaced } from "../../search/text/spaced.ts";
import { countPhrases, type ShownText, shownText } from "../../search/words/show.ts";
import { component } from "../../shared/component.ts";
import type { WordIndex, WordMatch } from "../../store/port.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { Database } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";
import { partPortions } from "./part_portions.ts";

/** No text is longer than the request that it came in. */
const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LIMITS.bodyBytes));

const highlight = v.object({
  start: v.pipe(offset, v.description("Offset of its first UTF-16 code unit in `text`.")),
  end: v.pipe(offset, v.description("Offset of the first UTF-16 code unit after it.")),
});

component(highlight, "Highlight", "A range of `text` that matches the query.");

export const searchMatch = v.object({
  block_id: v.pipe(
    idOutput,
    v.description(
      "ID of the block with the words. For a title or a property, ID of the page or database itself.",
    ),
  ),
  text: v.pipe(v.string(), v.description("Plain text: an excerpt with the words.")),
  highlights: v.pipe(
    v.array(highlight),
    v.maxLength(200),
    v.description("The ranges of `text` that match the query, in order and without overlap."),
  ),
});
export type SearchMatch = v.InferOutput<typeof searchMatch>;

export interface MatchInput {
  readonly nodes: readonly NodeView[];
  /** The words of those nodes that the search has read completely. */
  readonly parts: readonly WordMatch[];
  readonly phrases: readonly Phrase[];
  readonly databases: ReadonlyMap<string, Database>;
}

/** Returns the match of each node, in the same order. Takes three queries at most. */
export async function matchesOf(
  { store }: Services,
  workspace: string,
  input: MatchInput,
): Promise<SearchMatch[]> {
  const { nodes, phrases, databases } = input;
  const rest = createRest();
  const beside = await textsBeside(store, workspace, input);
  const shown = nodes.map(({ id }) => beside.get(id));
  const others = shown.flatMap((text, index) =>
    text === undefined || text.id === nodes[index]?.id ? [] : [text.id]
  );
  const sources = await readTextSources(store, workspace, others);
  const matches: SearchMatch[] = [];
  for (const [index, node] of nodes.entries()) {
    await rest();
    const text = shown[index];
    const source = text && sources.get(text.id);
    const texts = text && textsOf(node, source, databases);
    const chosen = texts && (sameText(texts, text) ?? fittest(texts, phrases));
    await rest();
    matches.push(matchIn(source?.blockId ?? text?.id ?? node.id, chosen ?? node.title, phrases));
  }
  return matches;
}

/** Returns the text that is shown of each node beside its title; reads the parts that are missing. */
async function textsBeside(
  store: Pick<WordIndex, "words">,
  workspace: string,
  { nodes, parts, phrases }: MatchInput,
): Promise<ReadonlyMap<string, ShownText | undefined>> {
  const rest = createRest();
  const shown = new Map<string, ShownText | undefined>();
  const add = async (some: readonly WordMatch[]) => {
    for (const [id, own] of Map.groupBy(some, ({ id }) => id)) {
      shown.set(id, shownBeside(id, own, phrases));
      await rest();
    }
  };
  await add(parts);
  const missing = nodes.map(({ id }) => id).filter((id) => !shown.has(id));
  for await (const some of partPortions(store, workspace, missing)) await add(some);
  return shown;
}

/** Returns the text of a page that has more of the phrases than its title; undefined if none has. */
function shownBeside(
  pageId: string,
  parts: readonly Part[],
  phrases: readonly Phrase[],
): ShownText | undefined {
  const shown = shownText(parts, phrases);
  if (shown?.id !== pageId) return shown;
  const inTitle = Math.max(...parts.map(({ title }) => countPhrases(title, phrases)));
  return shown.count > inTitle ? shown : undefined;
}

/** Returns the text with these words; undefined if it has changed since they were indexed. */
function sameText(texts: readonly string[], { words }: ShownText): string | undefined {
  return texts.length === 1 ? texts[0] : texts.find((text) => spaced(text) === words);
}

function matchIn(blockId: string, text: string, phrases: readonly Phrase[]): SearchMatch {
  const { text: excerpt, highlights } = excerptOf(text, phrases);
  return { block_id: blockId, text: excerpt, highlights: [...highlights] };
}

/** A block, or the page itself, with the words that a search found in it or in a comment on it. */
export interface TextSource {
  readonly blockId: string;
  /** Absent if the words are those of a comment. */
  readonly doc?: NodeDoc;
  readonly comment?: readonly string[];
}

/** Reads blocks and comments by ID; those that are gone are left out. Takes one query or two. */
export async function readTextSources(
  store: Pick<Services["store"], "docs" | "commentsById">,
  workspace: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TextSource>> {
  const docs = ids.length === 0 ? [] : await store.docs(workspace, ids);
  const sources = new Map<string, TextSource>(
    docs.map((doc) => [doc.id, { blockId: doc.id, doc }]),
  );
  const others = ids.filter((id) => !sources.has(id));
  const comments = others.length === 0 ? [] : await store.commentsById(workspace, others);
  for (const { id, nodeId, doc } of comments) {
    sources.set(id, { blockId: nodeId, comment: commentTexts(doc) });
  }
  return sources;
}

/** Returns the texts of a block or comment of a page, or of the page itself. */
export function textsOf(
  node: NodeView,
  source: TextSource | undefined,
  databases: MatchInput["databases"],
): readonly string[] {
  return source?.comment ?? shownTexts(node, source?.doc, databases);
}

/** Returns the texts of a block of a page, or of the page itself. */
function shownTexts(
  node: NodeView,
  doc: NodeDoc | undefined,
  databases: MatchInput["databases"],
): string[] {
  if (doc === undefined || doc.id === node.id) {
    return [node.title, ...nodeTexts(node, databases.get(node.parentId ?? "")?.doc.properties)];
  }
  return nodeTexts({ kind: "block", type: doc.type, parentKind: "block", doc: doc.doc });
}

/** Returns the text with the most different phrases, or the first of several. */
function fittest(texts: readonly string[], phrases: readonly Phrase[]): string {
  const [only = "", ...others] = texts;
  if (others.length === 0) return only;
  const count = (text: string): number =>
    new Set(occurrencesIn(phrases, text).map(({ phrase }) => phrase)).size;
  return texts.map((text) => ({ text, count: count(text) }))
    .reduce((best, one) => one.count > best.count ? one : best, { text: texts[0] ?? "", count: 0 })
    .text;
}
