/**
 * Test collections: documents, questions, and which documents answer which question.
 *
 * @module
 */

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Topic {
  readonly query: string;
  /** How relevant documents are, by their ids; those that are not are left out. */
  readonly relevance: ReadonlyMap<string, number>;
}

export interface Collection {
  readonly documents: readonly Document[];
  readonly topics: readonly Topic[];
}

/** Reads a collection from a folder; see `docs/search.md` for its files. Throws where one is missing. */
export async function readCollection(folder: string): Promise<Collection> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const read = (what: string, pattern: RegExp): Promise<string> => {
    const name = names.find((one) => pattern.test(one));
    if (name === undefined) throw new Error(`No ${what} in "${folder}": ${pattern}`);
    return Deno.readTextFile(`${folder}/${name}`);
  };
  const [questions, judgements, documents] = await Promise.all([
    read("questions", /qry.*\.xml$/),
    read("judgements", /qrel.*\.txt$/),
    read("documents", /\.all.*\.xml$/),
  ]);
  return { documents: readDocuments(documents), topics: readTopics(questions, judgements) };
}

function readDocuments(xml: string): Document[] {
  return elements(xml, "doc").map((doc) => ({
    id: element(doc, "docno"),
    title: element(doc, "title"),
    text: element(doc, "text"),
  }));
}

/** Judgements name a question by its place, from 1 on, whatever number it gives itself. */
function readTopics(questions: string, judgements: string): Topic[] {
  const topics = elements(questions, "top").map((top) => ({
    query: element(top, "title"),
    relevance: new Map<string, number>(),
  }));
  for (const line of judgements.split("\n")) {
    const [place, , document, relevance] = line.trim().split(/\s+/);
    if (document === undefined || Number(relevance) <= 0) continue;
    topics[Number(place) - 1]?.relevance.set(document, Number(relevance));
  }
  return topics;
}

/** What stands in the elements of this name, none of which holds another of it. */
function elements(xml: string, name: string): string[] {
  return xml.split(`<${name}>`).slice(1).map((text) => text.split(`</${name}>`, 1)[0] ?? "");
}

/** The text of the first element of this name, its spaces made one each. */
function element(xml: string, name: string): string {
  const [content = ""] = elements(xml, name);
  return content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
    .replace(/\s+/g, " ").trim();
}
