/**
 * MiniSearch, titles counting twice.
 *
 * @module
 */
import MiniSearch from "minisearch";
import type { Document } from "../collection.ts";
import type { Way } from "../evaluation.ts";
import { wordsOf } from "./words.ts";

export function createMiniSearch(documents: readonly Document[]): Way {
  const index = new MiniSearch({ fields: ["title", "body"], tokenize: wordsOf });
  index.addAll(
    documents.map(({ title, paragraphs }, id) => ({ id, title, body: paragraphs.join("\n") })),
  );
  return {
    name: "MiniSearch",
    search: (query) =>
      index.search(query, { boost: { title: 2 } }).slice(0, 100)
        .map(({ id }) => documents[Number(id)]?.id ?? ""),
  };
}
