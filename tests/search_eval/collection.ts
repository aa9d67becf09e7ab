/**
 * Test collections: documents, queries, and the documents relevant to each query.
 *
 * @module
 */

export interface Document {
  readonly id: string;
  readonly title: string;
  /** Paragraphs, which blank lines separate in the file. */
  readonly paragraphs: readonly string[];
}

export interface Topic {
  readonly query: string;
  /** Relevance of documents by ID, without irrelevant ones. */
  readonly relevance: ReadonlyMap<string, number>;
}

export interface Collection {
  readonly documents: readonly Document[];
  readonly topics: readonly Topic[];
}

/** Reads a collection from a folder; see `docs/search.md` for its files. Throws if one is missing. */
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
    paragraphs: paragraphs(doc, "text"),
  }));
}

/** Judgements identify a query by its position, from 1, regardless of its own number. */
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

/** Returns the content of all elements with this name, which must not be nested. */
function elements(xml: string, name: string): string[] {
  return xml.split(`<${name}>`).slice(1).map((text) => text.split(`</${name}>`, 1)[0] ?? "");
}

/** Returns the text of the first element with this name, with normalized whitespace. */
function element(xml: string, name: string): string {
  return paragraphs(xml, name).join(" ");
}

/** Returns the paragraphs of the first element with this name. */
function paragraphs(xml: string, name: string): string[] {
  const [content = ""] = elements(xml, name);
  const text = content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return text.split(/\n\s*\n/).map((one) => one.replace(/\s+/g, " ").trim())
    .filter((one) => one !== "");
}
