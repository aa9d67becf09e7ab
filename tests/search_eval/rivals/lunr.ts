/**
 * Lunr with its pipeline for English.
 *
 * @module
 */
// @ts-types="@types/lunr"
import lunr from "lunr";
import type { Document } from "../collection.ts";
import type { Way } from "../evaluation.ts";
import { wordsOf } from "./words.ts";

export function createLunr(documents: readonly Document[]): Way {
  const index = lunr((builder) => {
    builder.field("title");
    builder.field("body");
    documents.forEach(({ title, paragraphs }, id) =>
      builder.add({
        id,
        title: wordsOf(title).join(" "),
        body: wordsOf(paragraphs.join("\n")).join(" "),
      })
    );
  });
  return {
    name: "Lunr",
    search(query) {
      const found = index.query((one) => one.term(lunr.tokenizer(wordsOf(query).join(" ")), {}));
      return found.slice(0, 100).map(({ ref }) => documents[Number(ref)]?.id ?? "");
    },
  };
}
