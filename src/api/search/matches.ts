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
import { PORTION, portionsOf } from "../../search/text/excerpt_range.ts";
import { occurrencesIn } from "../../search/text/occurrences.ts";
import type { Phrase } from "../../search/text/query.ts";
import { spaced } from "../../search/text/spaced.ts";
import { countPhrases, type ShownText, shownText } from "../../search/words/show.ts";
import { component } from "../../shared/component.ts";
import { portionsByLength } from "../../shared/portions.ts";
import type { WordIndex, WordMatch } from "../../store/port.ts";
import { createRest, type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
import type { Database } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";
import { partPortions } from "./part_portions.ts";

/** UTF-16 code units of the texts of documents that are read at once. */
const READ_TOGETHER = 1_000_000;

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
  const beside = await textsBeside(store, workspace, input, rest);
  const shown = nodes.map(({ id }) => beside.get(id));
  const others = shown.flatMap((text, index) =>
    text === undefined || text.id === nodes[index]?.id ? [] : [text]
  );
  const sources = await readTextSources(store, workspace, others.map(({ id }) => id), async () => {
    const docs: NodeDoc[] = [];
    // A document is about as long as its words.
    for (const some of portionsByLength(others, ({ words }) => words.length, READ_TOGETHER)) {
      docs.push(...await store.docs(workspace, some.map(({ id }) => id)));
      await rest();
    }
    return docs;
  });
  const matches: SearchMatch[] = [];
  for (const [index, node] of nodes.entries()) {
    await rest();
    const text = shown[index];
    const source = text && sources.get(text.id);
    const texts = text && textsOf(node, source, databases);
    const chosen = texts &&
      (await sameText(texts, text, rest) ?? await fittest(texts, phrases, rest));
    await rest();
    const excerpt = await excerptOf(chosen ?? node.title, phrases, rest);
    matches.push({
      block_id: source?.blockId ?? text?.id ?? node.id,
      text: excerpt.text,
      highlights: [...excerpt.highlights],
    });
  }
  return matches;
}

/** The title of a page, and the best of its texts so far. */
interface PageText {
  /** Spaced. */
  readonly title: string;
  readonly shown: ShownText | undefined;
}

/** Returns the text that is shown of each node beside its title; reads the parts that are missing. */
async function textsBeside(
  store: Pick<WordIndex, "words">,
  workspace: string,
  { nodes, parts, phrases }: MatchInput,
  rest: Rest,
): Promise<ReadonlyMap<string, ShownText | undefined>> {
  const found = new Map<string, PageText>();
  const isDone = (id: string) => found.get(id)?.shown?.count === phrases.length;
  const add = async (some: readonly WordMatch[]) => {
    for (const part of some) {
      if (isDone(part.id)) continue;
      // The first part of a page has its whole title.
      const { title, shown } = found.get(part.id) ?? { title: part.title, shown: undefined };
      const own = await withRests(shownText([part], phrases), rest);
      found.set(part.id, { title, shown: fuller(shown, own) });
      await rest();
    }
  };
  await add(parts);
  const missing = nodes.map(({ id }) => id).filter((id) => !found.has(id));
  for await (const some of partPortions(store, workspace, missing, isDone)) await add(some);
  const shown = new Map<string, ShownText | undefined>();
  for (const [id, text] of found) {
    shown.set(id, await withRests(shownBeside(id, text, phrases), rest));
  }
  return shown;
}

/** Returns the text with more of the phrases, or the first. */
function fuller(first: ShownText | undefined, other: ShownText | undefined): ShownText | undefined {
  return (other?.count ?? 0) > (first?.count ?? 0) ? other : first;
}

/** Returns the text of a page that has more of the phrases than its title; undefined if none has. */
function* shownBeside(
  pageId: string,
  { title, shown }: PageText,
  phrases: readonly Phrase[],
): Generator<void, ShownText | undefined, void> {
  if (shown?.id !== pageId) return shown;
  return shown.count > (yield* countPhrases(title, phrases)) ? shown : undefined;
}

/** Returns the text with these words; undefined if it is long, or has changed since it was indexed. */
async function sameText(
  texts: readonly string[],
  { words }: ShownText,
  rest: Rest,
): Promise<string | undefined> {
  if (texts.length === 1) return texts[0];
  for (const text of texts) {
    if (text.length <= PORTION && spaced(text) === words) return text;
    await rest();
  }
  return undefined;
}

/** A block, or the page itself, with the words that a search found in it or in a comment on it. */
export interface TextSource {
  readonly blockId: string;
  /** Absent if the words are those of a comment. */
  readonly doc?: NodeDoc;
  readonly comment?: readonly string[];
}

/** Finds the blocks and comments with these IDs; those that are gone or in the trash are left out. */
export async function readTextSources(
  store: Pick<Services["store"], "commentsById">,
  workspace: string,
  ids: readonly string[],
  readDocs: () => Promise<readonly NodeDoc[]>,
): Promise<ReadonlyMap<string, TextSource>> {
  const docs = await readDocs();
  const sources = new Map<string, TextSource>(
    docs.map((doc) => [doc.id, { blockId: doc.id, doc }]),
  );
  const others = ids.filter((id) => !sources.has(id));
  const comments = others.length === 0 ? [] : await store.commentsById(workspace, others);
  for (const { id, nodeId, doc, inTrash } of comments) {
    if (!inTrash) sources.set(id, { blockId: nodeId, comment: commentTexts(doc) });
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
async function fittest(
  texts: readonly string[],
  phrases: readonly Phrase[],
  rest: Rest,
): Promise<string> {
  const [only = "", ...others] = texts;
  if (others.length === 0) return only;
  let best = { text: only, count: 0 };
  for (const text of texts) {
    const count = await countIn(text, phrases, rest);
    if (count > best.count) best = { text, count };
    if (count === phrases.length) break;
  }
  return best.text;
}

/** Returns how many of the phrases a text has. */
async function countIn(text: string, phrases: readonly Phrase[], rest: Rest): Promise<number> {
  const seen = new Set<Phrase>();
  for (const { start, end } of portionsOf(text)) {
    const steps = occurrencesIn(phrases, text.slice(start, end));
    for (const { phrase } of await withRests(steps, rest)) seen.add(phrase);
    if (seen.size === phrases.length) break;
    await rest();
  }
  return seen.size;
}
