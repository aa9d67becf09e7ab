import type { Change } from "../../../src/content/schema/node.ts";
import { readPhrases } from "../../../src/search/text/query.ts";
import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { createWriting } from "../../../src/store/sqlite/writing.ts";
import { PageFull, PARTS } from "../../../src/store/search_parts.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";
import { block, insert, page, trash } from "../samples.ts";
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
      const words = [paragraph("a1", "a", "Gulls, “été” Москва 🚀"), paragraph("a2", "a", "Terns")];
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
    await openSqliteStore(path).close();
    // As it was before.
    runOn(path, "INSERT INTO search_words (search_words, rank) VALUES ('pgsz', 4050)");
    const before = openSqliteStore(path);
    await writeLong(before, "old");
    await before.close();
    assert(longestLeaf(path) < 4_100);
    runOn(path, MIGRATIONS.find(({ name }) => name === "010_search_leaves")?.sql ?? "");
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

Deno.test("a page whose numbers are used up refuses text, and no other page is touched", () =>
  withFile(async (path) => {
    const text = "gulls ".repeat(800);
    const first = openSqliteStore(path);
    assertEquals(await first.commit("w", insert(page("a", { position: "a" }))), "committed");
    await first.close();
    // As if it had all its parts but one.
    runOn(path, `UPDATE search_parts SET no = no + ${PARTS - 1} WHERE page_id = 'a'`);
    const store = openSqliteStore(path);
    assertEquals(await store.commit("other", insert(page("b", { position: "b" }))), "committed");
    const words = () => store.words("other", ["b"]);
    const before = await words();
    assertEquals(await store.commit("w", insert(paragraph("a1", "a", text))), "committed");
    await assertRejects(() => store.commit("w", insert(paragraph("a2", "a", text))), PageFull);
    assertEquals(await store.node("w", "a2"), undefined);
    assertEquals(await words(), before);
    assertEquals(await store.commit("other", insert(paragraph("b1", "b", text))), "committed");
    await store.close();
  }));

/** The index lists the beginnings of terms from this length on: five of the code, and one. */
const SHORTEST_BEGINNING = 6;

Deno.test("pairs of characters that are no words are in no list of beginnings", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.commit("w", insert(page("a"), paragraph("a1", "a", "北京大学")));
    await store.close();
    runOn(path, "CREATE VIRTUAL TABLE terms USING fts5vocab(search_words, row)");
    const terms = rowsOf(path, "SELECT term FROM terms").map(({ term }) => String(term));
    const pairs = terms.filter((term) => term.endsWith("京大"));
    assertEquals(pairs.map((term) => [...term].length < SHORTEST_BEGINNING), [true]);
  }));

/** Counts the entries that are set in maps while this runs. */
function entriesSet(work: () => void): number {
  const { set } = Map.prototype;
  let count = 0;
  Map.prototype.set = function (key, value) {
    count++;
    return set.call(this, key, value);
  };
  try {
    work();
  } finally {
    Map.prototype.set = set;
  }
  return count;
}

Deno.test("a commit that trashes all blocks of a page notes each of them a few times", () =>
  withFile((path) => {
    const connection = openConnection(path);
    migrate(connection);
    const write = createWriting(connection);
    const commit = (changes: Change[]) => write({ method: "commit", args: ["w", changes] });
    const ids = Array.from({ length: 100 }, (_, at) => `a${at}`);
    commit(insert(page("a"), ...ids.map((id) => paragraph(id, "a", "Gulls"))));
    const count = entriesSet(() => {
      assertEquals(commit(ids.map((id) => trash(id))), "committed");
    });
    assert(count < 10 * ids.length, `${count} entries`);
    connection.close();
  }));
