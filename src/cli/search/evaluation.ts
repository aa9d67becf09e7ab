/**
 * Asking the API the questions of a collection.
 *
 * @module
 */
import type { Collection, Document, Topic } from "./collection.ts";
import { mean, measure, type Measures } from "./measures.ts";

/** Calls `METHOD /path` with a body; answers the parsed answer, rejects where it is a refusal. */
export type Call = (route: string, body: object) => Promise<unknown>;

/** The ways to search that are compared, and what each asks. */
const WAYS = {
  keyword: (query: string) => ["POST /v2/search", { query, words: "any" }],
  semantic: (query: string) => ["POST /v2/search/semantic", { query, mode: "semantic" }],
  hybrid: (query: string) => ["POST /v2/search/semantic", { query, mode: "hybrid" }],
} as const satisfies Readonly<Record<string, (query: string) => readonly [string, object]>>;
export type Way = keyof typeof WAYS;

/** Longest text of one item of rich text. */

/** Makes a page of each document; the documents' ids by those of their pages. */
export async function loadPages(
  call: Call,
  documents: readonly Document[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const document of documents) {
    // Sound because this route answers a page.
    const { id } = await call("POST /v2/pages", toPage(document)) as { readonly id: string };
    ids.set(id, document.id);
  }
  return ids;
}

/** What each way of searching is worth. */
export async function evaluate(
  call: Call,
  { topics }: Pick<Collection, "topics">,
  documentIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<Way, Measures>> {
  const measured = new Map<Way, Measures>();
  // Sound because these are the keys of a literal.
  for (const way of Object.keys(WAYS) as Way[]) {
    const each: Measures[] = [];
    for (const topic of topics) {
      const ranking = await ask(call, way, topic);
      const one = measure(ranking.map((id) => documentIds.get(id) ?? ""), topic.relevance);
      if (one !== undefined) each.push(one);
    }
    measured.set(way, mean(each));
  }
  return measured;
}

/** Ids of the first hundred pages that are found. */
async function ask(call: Call, way: Way, { query }: Topic): Promise<string[]> {
  const [route, body] = WAYS[way](query);
  // Sound because both routes answer lists.
  const list = await call(route, { ...body, page_size: 100 }) as {
    readonly results: readonly { readonly id: string }[];
  };
  return list.results.map(({ id }) => id);
}

function toPage({ title, text }: Document): object {
  const items = (content: string) =>
    // A rich text item holds 2,000 characters.
    (content.match(/[^]{1,2000}/g) ?? [])
      .map((piece) => ({ text: { content: piece } }));
  return {
    parent: { workspace: true },
    properties: { title: { title: items(title) } },
    children: [{ paragraph: { rich_text: items(text) } }],
  };
}
