import { readPhrases } from "../../../src/search/text/query.ts";
import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore, openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { block, insert, page } from "../samples.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

/** More workspaces than a code of one digit names. */
const WORKSPACES = 40;

function paragraph(id: string, pageId: string, content: string) {
  const doc = JSON.stringify({ rich_text: [{ plain_text: content }], color: "default" });
  return block(id, pageId, { parentKind: "page", containerId: pageId, position: id, doc });
}

/** Every term of the index with its places. */
function termsIn(path: string): unknown[] {
  runOn(path, "CREATE VIRTUAL TABLE terms USING fts5vocab(search_words, instance)");
  const terms = rowsOf(path, "SELECT term, doc, col, offset FROM terms ORDER BY 1, 2, 3, 4");
  runOn(path, "DROP TABLE terms");
  return terms;
}

Deno.test("the index of words is the same after it was made anew from the words that are kept", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    for (let number = 0; number < WORKSPACES; number++) {
      const words = [paragraph("a1", "a", "Gulls, “été” 東京都 🚀"), paragraph("a2", "a", "Terns")];
      const nodes = [page("a", { title: "Łódź pier" }), ...words, page("b", { title: "" })];
      assertEquals(await store.commit(`w${number}`, insert(...nodes)), "committed");
    }
    await store.close();
    const terms = termsIn(path);
    assert(terms.length > WORKSPACES * 10);
    runOn(path, MIGRATIONS.find(({ name }) => name === "009_search_titles")?.sql ?? "");
    assertEquals(termsIn(path), terms);
  }));

/** Ten pages that all have one word and each a thousand others. */
async function writeLong(store: Store, name: string): Promise<void> {
  for (let number = 0; number < 10; number++) {
    const id = `${name}${number}`;
    const others = Array.from({ length: 1_000 }, (_, at) => `${id}x${at}`).join(" ");
    const nodes = [page(id, { position: id }), paragraph(`${id}a`, id, `gulls ${others}`)];
    assertEquals(await store.commit("w", insert(...nodes)), "committed");
  }
}

function longestLeaf(path: string): number {
  return Number(rowsOf(path, "SELECT max(length(block)) AS n FROM search_words_data")[0]?.n);
}

Deno.test("leaves of the index are longer from migration 010 on, and older ones are read beside them", () =>
  withFile(async (path) => {
    const connection = openConnection(path);
    migrate(connection);
    // As it was before.
    connection.db.exec("INSERT INTO search_words (search_words, rank) VALUES ('pgsz', 4050)");
    const before = createSqliteStore(connection);
    await writeLong(before, "old");
    connection.db.exec(MIGRATIONS.find(({ name }) => name === "010_search_leaves")?.sql ?? "");
    await before.close();
    assert(longestLeaf(path) < 4_100);
    const store = openSqliteStore(path);
    await writeLong(store, "new");
    const find = async (query: string) => {
      const phrases = readPhrases(query);
      const { matches } = await store.findWords("w", {
        phrases,
        match: "all",
        scope: {},
        limit: 99,
      });
      return matches.map(({ id }) => id).sort();
    };
    const numbers = Array.from({ length: 10 }, (_, number) => number);
    assertEquals(
      await find("gulls"),
      ["new", "old"].flatMap((name) => numbers.map((n) => name + n)),
    );
    assertEquals(await find("old7x999"), ["old7"]);
    assertEquals(await find("new7x999"), ["new7"]);
    await store.close();
    assert(longestLeaf(path) > 8_000);
    runOn(path, "INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 0)");
  }));
