import type { Node } from "../../src/content/schema/node.ts";
import { EARLIER_FOLDS } from "../../src/search/text/fold.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import { termsOf } from "../../src/search/text/terms.ts";
import { inflected } from "../../src/search/words/forms.ts";
import type { Store } from "../../src/store/port.ts";
import { openConnection } from "../../src/store/postgres/connection.ts";
import { codeOf } from "../../src/store/postgres/search/expressions.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { block, insert, page } from "../store/samples.ts";
import { makeSchema } from "../support/stores.ts";

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

function nodesOf(id: string, text: string): Node[] {
  const doc = JSON.stringify({ rich_text: [{ plain_text: text }], color: "default" });
  const own = { parentKind: "page", containerId: id, position: id, doc } as const;
  return [page(id, { position: id, title: "" }), block(`${id}b`, id, own)];
}

/** Opens a database whose words are as an earlier analysis wrote them, without pairs of characters. */
async function makeOld({ analysis, text }: Earlier): Promise<string> {
  const url = await makeSchema(
    Deno.env.get("TEST_DATABASE_URL") ?? "",
    `a${crypto.randomUUID().replaceAll("-", "")}`,
  );
  const store = await openPostgresStore({ url, size: 2 });
  for (const id of PAGES) {
    assertEquals(await store.commit(W, insert(...nodesOf(id, text))), "committed");
  }
  await store.close();
  const terms = termsOf(text, EARLIER_FOLDS[analysis - 1]).map(({ term }) => term);
  const code = codeOf(W);
  const connection = openConnection({ url, size: 2 });
  await connection.session.send(
    `UPDATE search_parts SET body = page_id || 'b' || chr(10) || $1 || chr(10),
      terms = array_to_tsvector(array(
        SELECT lexeme FROM unnest(terms) WHERE starts_with(lexeme, $2)
      ) || $3::text[])`,
    [` ${terms.join(" ")} `, `${code}§`, terms.map((term) => code + term)],
  );
  await connection.session.send("UPDATE search_workspaces SET analysis = $1", [analysis]);
  await connection.close();
  return url;
}

async function found(store: Store, query: string): Promise<string[]> {
  const phrases = inflected(readPhrases(query, await store.hasOutdatedWords(W)));
  const asked = { phrases, match: "all", scope: {}, limit: 100 } as const;
  const { matches } = await store.findWords(W, asked);
  return matches.map(({ id }) => id).sort();
}

async function checkRewriting(earlier: Earlier): Promise<void> {
  const { before, after } = earlier;
  const url = await makeOld(earlier);
  let slices = 0;
  for (let left = 1; left > 0; slices++) {
    // Each slice is in a process of its own, as if the one before had been killed.
    const store = await openPostgresStore({ url, size: 2 });
    for (const query of before) {
      assertEquals([query, await found(store, query)], [query, PAGES]);
    }
    if (slices === 0) assertEquals(await found(store, after[0] ?? ""), []);
    left = await store.reanalyseSlice();
    await store.close();
  }
  assert(slices > 3, "25 pages are more than one slice");
  const store = await openPostgresStore({ url, size: 2 });
  assertEquals(await store.hasOutdatedWords(W), false);
  for (const query of [...before, ...after]) {
    assertEquals([query, await found(store, query)], [query, PAGES]);
  }
  assertEquals(await found(store, "标国"), []);
  await store.close();
}

for (const earlier of [FIRST, SECOND]) {
  const { analysis } = earlier;
  Deno.test(`an index of analysis ${analysis} answers while it is rewritten, also after a stop`, () =>
    checkRewriting(earlier));
}

Deno.test("what is written while an index is rewritten has the current words, on either side", async () => {
  const url = await makeOld(FIRST);
  const store = await openPostgresStore({ url, size: 2 });
  await store.reanalyseSlice();
  for (const id of ["a1", "z1"]) await store.commit(W, insert(...nodesOf(id, "臺灣 nodejs")));
  assertEquals(await found(store, "台湾"), ["a1", "z1"]);
  while (await store.reanalyseSlice() > 0);
  assertEquals(await found(store, "台湾"), ["a1", "z1"]);
  assertEquals(await found(store, "node.js"), ["a1", ...PAGES, "z1"]);
  await store.close();
});
