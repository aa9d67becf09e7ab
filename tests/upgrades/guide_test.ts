import { MIGRATIONS as POSTGRES } from "../../src/store/postgres/migrations.ts";
import { MIGRATIONS as SQLITE } from "../../src/store/sqlite/migrations.ts";
import { assertEquals } from "../assert.ts";

/** A row with a migration, what it does, and how long it takes. */
const ROW = /^\| `(\w+)` +\| \S.*\S +\| [\d.]+ m?s +\|$/gm;

Deno.test("the guide to upgrades says of every migration what it does and how long it takes", async () => {
  const guide = await Deno.readTextFile("docs/upgrades.md");
  const [, sqlite = "", postgres = ""] = guide.split(/^\| (?:SQLite|PostgreSQL) .*$/m);
  const namesIn = (table: string) => [...table.matchAll(ROW)].map(([, name]) => name);
  assertEquals(namesIn(sqlite), SQLITE.map(({ name }) => name));
  assertEquals(namesIn(postgres), POSTGRES.map(({ name }) => name));
});
