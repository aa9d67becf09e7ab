/**
 * Orama's search by words, with its stemmer of the collection's language.
 *
 * @module
 */
import { create, insertMultiple, search } from "@orama/orama";
import { languageOf, stem } from "../../../src/search/meaning/languages.ts";
import type { Document } from "../collection.ts";
import type { Way } from "../evaluation.ts";
import { wordsOf } from "./words.ts";

/** Documents that tell the language. */
const SAMPLE = 20;

export async function createOrama(documents: readonly Document[]): Promise<Way> {
  const sample = documents.slice(0, SAMPLE).flatMap(({ paragraphs }) => wordsOf(paragraphs.join()));
  const language = languageOf(sample);
  const tokenizer = {
    language: "english",
    normalizationCache: new Map(),
    tokenize: (text: string) => wordsOf(text).map((word) => stem(word, language)),
  };
  const index = create({
    schema: { number: "number", title: "string", body: "string" },
    components: { tokenizer },
  });
  await insertMultiple(
    index,
    documents.map(({ title, paragraphs }, number) => ({
      number,
      title,
      body: paragraphs.join("\n"),
    })),
  );
  return {
    name: "Orama",
    async search(query) {
      const { hits } = await search(index, { term: query, limit: 100, boost: { title: 2 } });
      return hits.map(({ document }) => documents[document.number]?.id ?? "");
    },
  };
}
