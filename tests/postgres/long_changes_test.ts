import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { assertEquals } from "../assert.ts";
import { insert, page, restore, trash } from "../store/samples.ts";
import { openSchema } from "../support/stores.ts";

// Opened before the test, because what a test opens it must close.
const { connection, wipe } = await openSchema({ isPatient: true });
const store = createPostgresStore(connection);

/** Some 500 blocks that hang from each of 41: more than one statement takes to the trash. */
const TREE = `
  INSERT INTO nodes
  SELECT 'w', 'block ' || i, 'block', 'paragraph', CASE WHEN i <= 41 THEN 'page' ELSE 'block' END,
    CASE WHEN i <= 41 THEN 'p' ELSE 'block ' || (i % 41 + 1) END, 'p', i::text, '', '{}', false, 1,
    0, 'ann', 0, 'ann', ''
  FROM generate_series(1, 20500) i
`;

async function states(): Promise<unknown[]> {
  const sql = "SELECT version, trash_root, count(*)::int FROM nodes GROUP BY 1, 2 ORDER BY 3";
  return [...await connection.session.send(sql, [])];
}

/** Which transactions wrote the words of each page. */
async function wordWriters(): Promise<unknown[]> {
  const sql = "SELECT page_id, xmin::text FROM search_parts ORDER BY no";
  return [...await connection.session.send(sql, [])];
}

Deno.test("a tree goes to the trash and comes back without a write of its words", async () => {
  await store.commit("w", insert(page("p"), page("q", { parentKind: "page", parentId: "p" })));
  const before = await wordWriters();
  assertEquals(before.length, 2);
  for (const [change, found] of [[trash("p"), 0], [restore("p"), 2]] as const) {
    assertEquals(await store.commit("w", [change]), "committed");
    const phrases = [{ terms: ["title"], isPrefix: false }];
    const query = { phrases, match: "all", scope: {}, limit: 9 } as const;
    assertEquals((await store.findWords("w", query)).matches.length, found);
    assertEquals(await wordWriters(), before);
  }
  await wipe();
});

Deno.test("a tree that takes several statements goes to the trash and comes back as one", async () => {
  await store.commit("w", insert(page("p"), page("q")));
  await connection.session.send(TREE, []);
  // As the server does by itself after a while.
  await connection.session.send("ANALYZE nodes", []);
  assertEquals(await store.commit("w", [trash("p"), trash("q", 9)]), "conflict");
  assertEquals(await states(), [[1, "", 20_502]]);
  assertEquals(await store.commit("w", [trash("p")]), "committed");
  assertEquals(await states(), [[1, "", 1], [2, "p", 20_501]]);
  assertEquals(
    await store.commit("w", [restore("p")]),
    "committed",
  );
  assertEquals(await states(), [[1, "", 1], [3, "", 20_501]]);
  await wipe();
});
