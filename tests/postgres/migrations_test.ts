import { MigrationError } from "../../src/store/migrate.ts";
import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { migrate, MIGRATIONS, planMigrations } from "../../src/store/postgres/migrations.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { withDatabase, withSchema } from "./support.ts";

const first = { name: "001_a", sql: "CREATE TABLE a (workspace_id text PRIMARY KEY)" };
const second = { name: "002_b", sql: "CREATE TABLE b (workspace_id text PRIMARY KEY)" };
const TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1";

Deno.test("migrate() of ten processes at once applies each migration once", () =>
  withSchema(async ({ session }, url) => {
    await Promise.all(Array.from({ length: 10 }, async () => {
      const connection = openConnection({ url, size: 2 });
      try {
        await migrate(connection);
      } finally {
        await connection.close();
      }
    }));
    const names = await session.send("SELECT name FROM migrations ORDER BY name", []);
    assertEquals([...names], MIGRATIONS.map(({ name }) => [name]));
  }));

Deno.test("migrate() applies new migrations, and none twice", () =>
  withSchema(async (connection) => {
    await migrate(connection, [first]);
    await migrate(connection, [first, second]);
    await migrate(connection, [first, second]);
    const tables = await connection.session.send(TABLES, []);
    assertEquals([...tables], [["a"], ["b"], ["migrations"]]);
  }));

Deno.test("planMigrations() returns what migrate() would run, and changes nothing", () =>
  withSchema(async (connection) => {
    assertEquals(await planMigrations(connection), MIGRATIONS);
    assertEquals([...await connection.session.send(TABLES, [])], []);
    assertEquals(await migrate(connection), MIGRATIONS);
    assertEquals(await planMigrations(connection), []);
  }));

Deno.test("migrate() that fails leaves nothing half done, and can be tried again", () =>
  withSchema(async (connection) => {
    await migrate(connection, [first]);
    const broken = { ...second, sql: `${second.sql}; CREATE TABLE a (n int)` };
    await assertRejects(() => migrate(connection, [first, broken]), Error, "already exists");
    assertEquals([...await connection.session.send(TABLES, [])], [["a"], ["migrations"]]);
    await migrate(connection, [first, second]);
  }));

Deno.test("migrate() refuses a newer schema, and another text of a migration", () =>
  withSchema(async (connection) => {
    await migrate(connection, [first, second]);
    const newer = await assertRejects(() => migrate(connection, [first]), MigrationError);
    assert(newer.message.includes("newer than this release: it has had 002_b"));
    const edited = { ...first, sql: `${first.sql} ` };
    const other = await assertRejects(() => migrate(connection, [edited, second]), MigrationError);
    assert(other.message.includes("001_a is not the one"));
  }));

Deno.test("migrate() and planMigrations() refuse a database that is not UTF-8, and change nothing", () =>
  withDatabase("ENCODING 'LATIN1' LOCALE 'C'", async (connection) => {
    for (const ask of [() => migrate(connection), () => planMigrations(connection)]) {
      const { message } = await assertRejects(ask, MigrationError);
      assert(message.includes("encoding must be UTF8 and is LATIN1"), message);
    }
    assertEquals([...await connection.session.send(TABLES, [])], []);
  }));

/** A connection whose transactions are cut before the statement of this number is sent. */
function cutBefore(connection: Connection, number: number): Connection {
  let sent = 0;
  return {
    ...connection,
    transaction: (work) =>
      connection.transaction((session) =>
        work({
          send: async (text, values) => {
            if (++sent === number) {
              // As the server does for a process that was killed.
              await session.send("SELECT pg_terminate_backend(pg_backend_pid())", []).catch(
                () => {},
              );
              throw new Killed();
            }
            return await session.send(text, values);
          },
        })
      ),
  };
}

class Killed extends Error {}

Deno.test("migrate() that is killed before any of its statements leaves nothing, and starts again", () =>
  withSchema(async (_, url) => {
    let isWhole = false;
    for (let number = 1; !isWhole; number++) {
      const connection = openConnection({ url, size: 2 });
      try {
        await migrate(cutBefore(connection, number));
        isWhole = true;
        assert(number > 2 * MIGRATIONS.length, `${number} statements`);
        assertEquals(await planMigrations(connection), []);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        assertEquals([...await connection.session.send(TABLES, [])], []);
      } finally {
        await connection.close();
      }
    }
  }));
