/**
 * Moves that would make the tree a circle (case 57).
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type NotionApp, withNotion } from "../notion/driver.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { openStore } from "../support/stores.ts";
import { NEW_PAGE, outcome } from "./support.ts";

/** Rounds of crossing moves; the requests of each interleave as they happen to. */
const ROUNDS = 20;
const WORKSPACE = "default";

/** Creates a page, and in it one in the other; returns their ids from the top. */
async function createChain({ notion }: NotionApp, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let depth = 0; depth < length; depth++) {
    const [parent] = ids.slice(-1);
    const page = { ...NEW_PAGE, ...(parent !== undefined && { parent: { page_id: parent } }) };
    ids.push((await notion("POST /pages", page)).id);
  }
  return ids;
}

function move(app: Pick<TestApp, "call">, page: string, parent: object): Promise<string> {
  return app.call(`POST /v1/pages/${page}/move`, {
    headers: { "notion-version": "2022-06-28" },
    body: { parent },
  }).then(outcome);
}

/** Returns the ids from a page up to the top level; throws if the way is a circle. */
async function wayUp({ store }: Pick<TestApp, "store">, page: string): Promise<string[]> {
  const way: string[] = [];
  for (let id: string | null = page; id !== null;) {
    if (way.includes(id)) throw new Error(`Page ${id} is in itself`);
    way.push(id);
    const node = await store.node(WORKSPACE, id);
    if (node === undefined) throw new Error(`Page ${id} is missing`);
    id = node.parentId;
  }
  return way;
}

interface Crossing {
  readonly app: NotionApp;
  /** The app that gets the second move. */
  readonly other: Pick<TestApp, "call">;
  /** Number of pages of each chain. */
  readonly depth: number;
}

/** Moves each of two chains into the lowest page of the other at once. */
async function crossOnce({ app, other, depth }: Crossing): Promise<void> {
  const [first, second] = [await createChain(app, depth), await createChain(app, depth)];
  const [[a = ""], [b = ""]] = [first, second];
  const [inA = "", inB = ""] = [first.at(-1), second.at(-1)];
  const outcomes = await Promise.all([
    move(app, a, { page_id: inB }),
    move(other, b, { page_id: inA }),
  ]);
  assertEquals(outcomes.toSorted(), ["200", "400 validation_error"]);
  const [outer, inner] = outcomes[0] === "200" ? [second, first] : [first, second];
  assertEquals(await wayUp(app, inner.at(-1) ?? ""), [...outer, ...inner].toReversed());
}

for (const depth of [1, 3]) {
  Deno.test(`Case 57: of two crossing moves at once, ${depth} deep, one succeeds and no circle is made`, () =>
    withNotion(async (app) => {
      for (let round = 0; round < ROUNDS; round++) await crossOnce({ app, other: app, depth });
    }));

  Deno.test(`Case 57: crossing moves of two servers of one database, ${depth} deep, make no circle`, () =>
    withNotion(async (app) => {
      const store = await openStore(`${app.folder}/recto.db`);
      await withApp(async (other) => {
        for (let round = 0; round < ROUNDS; round++) await crossOnce({ app, other, depth });
      }, { store });
    }));
}

Deno.test("Case 57: a page moves into no database or row that is in it, and a database not into itself", () =>
  withNotion(async (app) => {
    const [top = "", inner = ""] = await createChain(app, 2);
    const { id: database_id } = await app.notion("POST /databases", {
      parent: { page_id: inner },
      properties: { Name: { title: {} } },
    });
    const { id: row } = await app.notion("POST /pages", { ...NEW_PAGE, parent: { database_id } });
    for (const page of [top, inner]) {
      for (const parent of [{ database_id }, { page_id: row }]) {
        assertEquals(await move(app, page, parent), "400 validation_error");
      }
    }
    assertEquals(await move(app, row, { page_id: row }), "400 validation_error");
    assertEquals(await move(app, database_id, { database_id }), "400 validation_error");
    assertEquals(await wayUp(app, row), [row, database_id, inner, top]);
  }));
