import type { Node } from "../../src/content/schema/node.ts";
import { segmentsOf } from "../../src/search/text/parts.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import type { Store } from "../../src/store/port.ts";
import { openConnection } from "../../src/store/postgres/connection.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assertEquals } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { block, insert, page, restore, trash, update } from "../store/samples.ts";
import { makeSchema } from "../support/stores.ts";

const PAGES = 400;
/** More than one batch. */
const BLOCKS = 600;

function paragraph(id: string, pageId: string, content: string): Node {
  const doc = JSON.stringify({ rich_text: [{ plain_text: content }], color: "default" });
  return block(id, pageId, { parentKind: "page", containerId: pageId, doc });
}

const idOf = (number: number): string => `p${String(number).padStart(4, "0")}`;

async function found(store: Store, query: string): Promise<string[]> {
  const phrases = readPhrases(query);
  const { matches } = await store.findWords(W, { phrases, match: "all", scope: {}, limit: 1_000 });
  return [...new Set(matches.map(({ id }) => id))].toSorted();
}

/** Writes a database of a release without search. */
async function makeOld(): Promise<string> {
  const url = await makeSchema(
    Deno.env.get("TEST_DATABASE_URL") ?? "",
    `f${crypto.randomUUID().replaceAll("-", "")}`,
  );
  const store = await openPostgresStore({ url, size: 2 });
  const nodes = Array.from({ length: PAGES }, (_, number) => [
    page(idOf(number), { title: `Pier ${number}` }),
    paragraph(`b${idOf(number)}`, idOf(number), "Gulls cry"),
  ]).flat();
  assertEquals(await store.commit(W, insert(...nodes)), "committed");
  await store.close();
  const { session, close } = openConnection({ url, size: 2 });
  await session.send(
    `DELETE FROM search_parts; DELETE FROM search_workspaces; DELETE FROM search_due;
    INSERT INTO search_filling VALUES ('${W}', '')`,
    [],
  );
  await close();
  return url;
}

Deno.test("search is filled while requests are served: pages written in the meantime are found once", async () => {
  const url = await makeOld();
  const { promise: filled, resolve } = Promise.withResolvers<void>();
  const told: number[] = [];
  const onProgress = (pages: number): void => {
    told.push(pages);
    resolve();
  };
  const open = () => openPostgresStore({ url, size: 4, onProgress });
  const { transaction, close } = openConnection({ url, size: 2 });
  const last = idOf(PAGES - 1);
  const fresh = "p9999";
  const stores = await transaction(async (session) => {
    // Makes indexing wait until all of this is written.
    await session.send("SELECT FROM search_filling FOR UPDATE", []);
    const [store, other] = [await open(), await open()];
    const many = Array.from(
      { length: BLOCKS },
      (_, number) => paragraph(`n${number}`, fresh, `Wave ${number}`),
    );
    for (
      const changes of [
        [update(last, 1)],
        insert(page(fresh, { title: "Buoy" }), ...many),
        insert(paragraph("late", idOf(PAGES - 2), "Terns dive")),
        [trash(idOf(PAGES - 3))],
        [trash(idOf(PAGES - 4))],
        [restore(idOf(PAGES - 4))],
      ]
    ) assertEquals(await store.commit(W, changes), "committed");
    assertEquals(await found(store, "buoy"), [fresh], "what is new is found at once");
    assertEquals(await found(store, "pier 7"), [], "what is old is not yet");
    return [store, other];
  });
  await filled;
  await Promise.all(stores.map((store) => store.close()));
  await close();
  await assertFilled(url, { last, fresh });
  assertEquals(told.reduce((sum, pages) => sum + pages, 0), PAGES + 1);
});

async function assertFilled(
  url: string,
  { last, fresh }: { readonly last: string; readonly fresh: string },
): Promise<void> {
  const store = await openPostgresStore({ url, size: 2 });
  const { session, close } = openConnection({ url, size: 2 });
  try {
    assertEquals((await found(store, "gulls cry")).length, PAGES - 1, "all but the trashed one");
    assertEquals(await found(store, "terns"), [idOf(PAGES - 2)]);
    assertEquals(await found(store, "new"), [last]);
    assertEquals(await found(store, "wave 599 buoy"), [fresh]);
    const bodies = await session.send("SELECT body FROM search_parts", []);
    const ids = bodies.flatMap(([body]) => segmentsOf(String(body)).map(({ id }) => id));
    assertEquals([ids.length, new Set(ids).size], [PAGES + 1 + BLOCKS, PAGES + 1 + BLOCKS]);
    assertEquals([...await session.send("SELECT FROM search_filling", [])], []);
  } finally {
    await close();
    await store.close();
  }
}
