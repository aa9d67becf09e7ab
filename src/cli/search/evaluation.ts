/**
 * Runs the queries of a collection over the API.
 *
 * @module
 */
import type { Collection, Document, Topic } from "./collection.ts";
import { mean, measure, type Measures } from "./measures.ts";

/** Calls `METHOD /path` with a body; returns the parsed response, and rejects if it is an error. */
export type Call = (route: string, body: object) => Promise<unknown>;

/** The ways of searching to compare, and their requests. */
const WAYS = {
  keyword: (query: string) => ["POST /v2/search", { query, words: "any" }],
  semantic: (query: string) => ["POST /v2/search/semantic", { query, mode: "semantic" }],
  hybrid: (query: string) => ["POST /v2/search/semantic", { query, mode: "hybrid" }],
} as const satisfies Readonly<Record<string, (query: string) => readonly [string, object]>>;
export type Way = keyof typeof WAYS;

/** Creates a page for each document; returns the documents' IDs by page ID. */
export async function loadPages(
  call: Call,
  documents: readonly Document[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const document of documents) {
    // Sound because this route returns a page.
    const { id } = await call("POST /v2/pages", toPage(document)) as { readonly id: string };
    ids.set(id, document.id);
  }
  return ids;
}

/** Measures each way of searching. */
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

/** Returns the IDs of the first hundred results. */
async function ask(call: Call, way: Way, { query }: Topic): Promise<string[]> {
  const [route, body] = WAYS[way](query);
  // Sound because both routes return lists.
  const list = await call(route, { ...body, page_size: 100 }) as {
    readonly results: readonly { readonly id: string }[];
  };
  return list.results.map(({ id }) => id);
}

function toPage({ title, text }: Document): object {
  const items = (content: string) =>
    // A rich text item has at most 2,000 characters.
    (content.match(/[^]{1,2000}/g) ?? [])
      .map((piece) => ({ text: { content: piece } }));
  return {
    parent: { workspace: true },
    properties: { title: { title: items(title) } },
    children: [{ paragraph: { rich_text: items(text) } }],
  };
}
