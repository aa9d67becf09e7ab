/**
 * SQLite's FTS5 with its Porter stemmer and its BM25.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import type { Document } from "../collection.ts";
import type { Way } from "../evaluation.ts";
import { wordsOf } from "./words.ts";

export function createFts5(documents: readonly Document[]): Way {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE words USING fts5 (title, body, tokenize = 'porter unicode61')");
  const insert = db.prepare("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)");
  db.exec("BEGIN");
  documents.forEach(({ title, paragraphs }, index) =>
    insert.run(index, wordsOf(title).join(" "), wordsOf(paragraphs.join("\n")).join(" "))
  );
  db.exec("COMMIT");
  const find = db.prepare(
    "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 3.0, 1.0) LIMIT 100",
  );
  return {
    name: "FTS5",
    search(query) {
      const words = wordsOf(query).map((word) => `"${word.replaceAll('"', "")}"`);
      if (words.length === 0) return [];
      return find.all(words.join(" OR ")).map(({ rowid }) => documents[Number(rowid)]?.id ?? "");
    },
  };
}
