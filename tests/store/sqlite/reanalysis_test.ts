import { EARLIER_FOLDS } from "../../../src/search/text/fold.ts";
import { readPhrases } from "../../../src/search/text/query.ts";
import { termsOf } from "../../../src/search/text/terms.ts";
import { inflected } from "../../../src/search/words/forms.ts";
import type { Store } from "../../../src/store/port.ts";
import { MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { block, insert, page } from "../samples.ts";
import { runOn, withFile } from "./files.ts";

const W = "w";
/** A text, what finds it with the words of an earlier analysis, and what only with the current ones. */
interface Earlier {
  readonly analysis: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const FIRST: Earlier = {
  analysis: 1,
  text: "國際標準書號 東京都 node.js C++",
  before: ["國際標準", "東京都", "node.js", "C++"],
  after: ["nodejs", "国际标准", "京都", "cplusplus"],
};
const SECOND: Earlier = {
  analysis: 2,
  text: "हिन्दी v1.2.3 aujourd'hui",
  before: ["हिन्दी", "v1.2.3", "aujourd'hui"],
  after: ["हिंदी", "1.2.3", "aujourdhui"],
};
const PAGES = Array.from({ length: 25 }, (_, number) => `p${String(number).padStart(2, "0")}`);

function nodesOf(id: string, text: string) {
  const doc = JSON.stringify({ rich_text: [{ plain_text: text }], color: "default" });
  const own = { parentKind: "page", containerId: id, position: id, doc } as const;
  return [page(id, { position: id }), block(`${id}b`, id, own)];
}

/** Writes the words as an earlier analysis did; with the first one the index had no pairs of characters. */
function makeOld(path: string, { analysis, text }: Earlier): void {
  const words = ` ${termsOf(text, EARLIER_FOLDS[analysis - 1]).map(({ term }) => term).join(" ")} `;
  runOn(
    path,
    `UPDATE search_parts SET body = page_id || 'b' || char(10) || '${words}' || char(10)`,
  );
  runOn(path, MIGRATIONS.find(({ name }) => name === "009_search_titles")?.sql ?? "");
  runOn(path, `UPDATE search_workspaces SET analysis = ${analysis}`);
}

async function found(store: Store, query: string): Promise<string[]> {
  const phrases = inflected(readPhrases(query, await store.hasOutdatedWords(W)));
  const asked = { phrases, match: "all", scope: {}, limit: 100 } as const;
  const { matches } = await store.findWords(W, asked);
  return matches.map(({ id }) => id).sort();
}

async function checkRewriting(earlier: Earlier): Promise<void> {
  const { text, before, after } = earlier;
  await withFile(async (path) => {
    const first = openSqliteStore(path);
    for (const id of PAGES) {
      assertEquals(await first.commit(W, insert(...nodesOf(id, text))), "committed");
    }
    await first.close();
    makeOld(path, earlier);
    let slices = 0;
    for (let left = 1; left > 0; slices++) {
      // Each slice is in a process of its own, as if the one before had been killed.
      const store = openSqliteStore(path);
      for (const query of before) {
        assertEquals([query, await found(store, query)], [query, PAGES]);
      }
      if (slices === 0) assertEquals(await found(store, after[0] ?? ""), []);
      left = await store.reanalyseSlice();
      await store.close();
    }
    assert(slices > 3, "25 pages are more than one slice");
    const store = openSqliteStore(path);
    assertEquals(await store.hasOutdatedWords(W), false);
    for (const query of [...before, ...after]) {
      assertEquals([query, await found(store, query)], [query, PAGES]);
    }
    assertEquals(await found(store, "标国"), []);
    await store.close();
    runOn(path, "INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 0)");
  });
}

for (const earlier of [FIRST, SECOND]) {
  const { analysis } = earlier;
  Deno.test(`an index of analysis ${analysis} answers while it is rewritten, also after a stop`, () =>
    checkRewriting(earlier));
}

Deno.test("what is written while an index is rewritten has the current words, on either side", () =>
  withFile(async (path) => {
    const first = openSqliteStore(path);
    for (const id of PAGES) await first.commit(W, insert(...nodesOf(id, FIRST.text)));
    await first.close();
    makeOld(path, FIRST);
    const store = openSqliteStore(path);
    await store.reanalyseSlice();
    for (const id of ["a1", "z1"]) await store.commit(W, insert(...nodesOf(id, "臺灣 nodejs")));
    assertEquals(await found(store, "台湾"), ["a1", "z1"]);
    while (await store.reanalyseSlice() > 0);
    assertEquals(await found(store, "台湾"), ["a1", "z1"]);
    assertEquals(await found(store, "node.js"), ["a1", ...PAGES, "z1"]);
    await store.close();
  }));
