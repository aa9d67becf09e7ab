import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { MIGRATIONS } from "../../src/store/postgres/migrations.ts";
import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { assertUpgraded } from "../upgrades/content.ts";
import { fixturesOf } from "../upgrades/fixtures.ts";
import { withDatabase } from "./support.ts";

const FIXTURES = fixturesOf("postgres");
const APPLIED = "SELECT name FROM migrations";

Deno.test("there is a PostgreSQL dump of every schema that any commit of main had", () => {
  const schemas = FIXTURES.map(({ schema }) => schema);
  // 001 and 002 came with 003, 004 with 005; 009 and 010 had their final form with 011; 014 came
  // after 015.
  assertEquals(schemas, ["003", "005", "006", "007", "008", "011", "012", "013", "015"]);
});

for (const { schema, content } of FIXTURES) {
  Deno.test(`a start upgrades PostgreSQL schema ${schema}: all content is there, found, and can be changed`, () =>
    withDatabase("ENCODING 'UTF8'", async (connection, url) => {
      await connection.transaction(async (session) => {
        await session.send(new TextDecoder().decode(await content()), []);
        // The dump empties it for its own session.
        await session.send("SET search_path = public", []);
      });
      assertEquals((await connection.session.send(APPLIED, [])).length, Number(schema));
      const store = await openPostgresStore({ url, size: 4 });
      await withApp((app) => assertUpgraded(app, { hasDatabases: true }), { store });
      const after = await connection.session.send(APPLIED, []);
      assertEquals(after.length, MIGRATIONS.length);
    }));
}
