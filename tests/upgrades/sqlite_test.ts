import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { assert, assertEquals } from "../assert.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { withApp } from "../support/app.ts";
import { withFolder } from "../support/folders.ts";
import { assertUpgraded } from "./content.ts";
import { fixturesOf } from "./fixtures.ts";

const FIXTURES = fixturesOf("sqlite");

Deno.test("there is a SQLite file of every schema that any commit of main had", () => {
  const schemas = FIXTURES.map(({ schema }) => schema);
  // No commit had migration 013 in its final form without 014, nor 017 without 018.
  assertEquals(
    schemas,
    ["001", "002", "003", "004", "005", "006", "007", "008", "009"]
      .concat("010", "011", "012", "014", "015", "016", "018"),
  );
});

for (const { schema, content } of FIXTURES) {
  Deno.test(`a start upgrades SQLite schema ${schema}: all content is there, found, and can be changed`, () =>
    withFolder(async (folder) => {
      const path = `${folder}/recto.db`;
      await Deno.writeFile(path, await content());
      const applied = rowsOf(path, "SELECT name FROM migrations");
      assert(applied.length === Number(schema), `${applied.length} migrations`);
      await withApp(
        (app) => assertUpgraded(app, { hasDatabases: Number(schema) >= 2 }),
        { environment: { DATABASE_URL: `sqlite:${path}` } },
      );
      assertEquals(rowsOf(path, "SELECT name FROM migrations").length, MIGRATIONS.length);
      assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
    }));
}
