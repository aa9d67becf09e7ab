import { boot } from "../../../src/app/boot.ts";
import { readConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/shared/log.ts";
import type { Connection } from "../../../src/store/postgres/connection.ts";
import { migrate } from "../../../src/store/postgres/migrations.ts";
import type { Session } from "../../../src/store/postgres/query.ts";
import { openVectorIndex } from "../../../src/store/postgres/vectors/vector_index.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { withDatabase, withSchema } from "../support.ts";

const OPTIONS = { mostScanned: 1_000 };

/** A connection whose server answers otherwise to statements with these words. */
function answering(connection: Connection, words: string, rows: readonly unknown[][]): Connection {
  const session: Session = {
    send: (text, values) =>
      text.includes(words)
        ? Promise.resolve(Object.assign(rows, { count: rows.length, command: "SELECT" }))
        : connection.session.send(text, values),
  };
  return { ...connection, session };
}

/** Returns the log lines about vectors of a service that starts on this database. */
async function booted(url: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const environment = new Map([["RECTO_DATA_DIR", folder], ["DATABASE_URL", url]]);
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => lines.push(line), now: () => 0 });
  const { app } = await boot(readConfig((name) => environment.get(name)), log);
  await app.close();
  await Deno.remove(folder, { recursive: true });
  const told = lines.filter((line) => /vectors/i.test(line));
  assertEquals(told.length, 1);
  return told.join();
}

Deno.test("the extension is installed where it is not yet, and the operator told what it does", () =>
  withDatabase("", async (connection) => {
    await migrate(connection);
    const all = await Promise.all(
      Array.from({ length: 3 }, () => openVectorIndex(connection, OPTIONS)),
    );
    for (const { index, notice } of all) {
      assertEquals(index === undefined, false);
      assertStringIncludes(notice, "more than 1000 vectors use pgvector 0.8");
    }
  }));

Deno.test("a server without the extension is told to the operator, and serves without it", () =>
  withSchema(async (connection) => {
    const none = answering(
      answering(connection, "FROM pg_extension", []),
      "FROM pg_available_extensions",
      [],
    );
    const { index, notice } = await openVectorIndex(none, OPTIONS);
    assertEquals(index, undefined);
    assertStringIncludes(notice, "compared in the memory of each process");
    assertStringIncludes(notice, "pgvector is not installed on the server");
  }));

Deno.test("an extension that is too old is told to the operator", () =>
  withSchema(async (connection) => {
    const old = answering(connection, "FROM pg_extension", [["0.7.4", "public"]]);
    const { index, notice } = await openVectorIndex(old, OPTIONS);
    assertEquals(index, undefined);
    assertStringIncludes(notice, "pgvector 0.7.4, older than 0.8");
  }));

Deno.test("a user who may not install the extension is told who can, and is served without it", () =>
  withDatabase("", async (connection) => {
    await connection.session.send(
      `DO $$ BEGIN CREATE ROLE plain LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE SCHEMA own AUTHORIZATION plain`,
      [],
    );
    const [[name] = []] = await connection.session.send("SELECT current_database()", []);
    const url = new URL(Deno.env.get("TEST_DATABASE_URL") ?? "");
    url.username = "plain";
    url.pathname = String(name);
    url.search = "search_path=own";
    const refused = await booted(url.href);
    await connection.session.send("CREATE EXTENSION vector", []);
    const allowed = await booted(url.href);
    assertStringIncludes(refused, "permission denied");
    assertStringIncludes(refused, "can run CREATE EXTENSION vector");
    assertStringIncludes(allowed, "vectors use pgvector");
  }));

Deno.test("tables that lost a column with the extension are made anew", () =>
  withDatabase("", async (connection) => {
    await migrate(connection);
    await openVectorIndex(connection, OPTIONS);
    await connection.session.send("DROP EXTENSION vector CASCADE", []);
    const { index } = await openVectorIndex(connection, OPTIONS);
    assertEquals(await index?.reach("w", 1), undefined);
    const columns = await connection.session.send(
      "SELECT FROM information_schema.columns WHERE table_name = 'search_near' AND column_name = $1",
      ["direction"],
    );
    assertEquals(columns.count, 1);
  }));
