import type { Session, Value } from "../../src/store/postgres/query.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { insert, moveInto, page } from "../store/samples.ts";
import { withApp } from "../support/app.ts";
import { openSchema } from "../support/stores.ts";

// Opened before the test, because what a test opens it must close.
const { connection, wipe } = await openSchema({ isPatient: true });

/** Characters of the text of a row. */
const LENGTH = 100_000;
const ROWS = 12;

const texts = (content: string) => [{ text: { content } }];
const longTexts = Array.from({ length: LENGTH / 2_000 }, () => texts("some words ".repeat(180))[0]);

function lengthOf(values: readonly Value[]): number {
  return values.reduce((sum: number, value) => sum + (JSON.stringify(value)?.length ?? 0), 0);
}

/** Opens a store that tells the characters of its longest statement since this was last set. */
function watchedStore() {
  const sent = { longest: 0 };
  const watch = (session: Session): Session => ({
    send(text, values) {
      sent.longest = Math.max(sent.longest, lengthOf(values));
      return session.send(text, values);
    },
  });
  const store = createPostgresStore({
    ...connection,
    transaction: (work, last) =>
      connection.transaction(
        (session) => work(watch(session)),
        last && ((session, result) => last(watch(session), result)),
      ),
  });
  return { store, sent };
}

Deno.test("a property's new type is written row by row where rows are long", async () => {
  const { store, sent } = watchedStore();
  await withApp(async ({ call }) => {
    const parent = { workspace: true };
    const properties = { Name: { title: {} }, Long: { rich_text: {} }, Short: { rich_text: {} } };
    const database = await call("POST /v2/databases", { body: { parent, properties } });
    for (let row = 0; row < ROWS; row++) {
      const values = { Long: { rich_text: longTexts }, Short: { rich_text: texts("short") } };
      const body = { parent: { database_id: database.json.id }, properties: values };
      assertEquals((await call("POST /v2/pages", { body })).status, 200);
    }
    sent.longest = 0;
    for (const changed of [{ Short: { number: {} } }, { Short: null }]) {
      const route = `PATCH /v2/databases/${database.json.id}`;
      assertEquals((await call(route, { body: { properties: changed } })).status, 200);
    }
  }, { store });
  assert(sent.longest > LENGTH, `${sent.longest} characters: the rows were written`);
  assert(sent.longest < 10 * LENGTH, `${sent.longest} characters in one statement`);
  await wipe();
});

Deno.test("a page moves without a statement that has its words", async () => {
  const { store, sent } = watchedStore();
  await store.commit("w", insert(page("a"), page("b", { title: "word ".repeat(400) })));
  sent.longest = 0;
  assertEquals(await store.commit("w", [moveInto("a", "b")]), "committed");
  assert(sent.longest < 1_000, `${sent.longest} characters in one statement`);
  await wipe();
});
