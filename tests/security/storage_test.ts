/**
 * Damaged, full and read-only storage as clients and probes see it (cases 77, 78 and 84).
 *
 * @module
 */
import { checkAll } from "../../src/health/storage_check.ts";
import { createStorageHealth } from "../../src/health/storage.ts";
import { checkIntegrity } from "../../src/store/sqlite/integrity.ts";
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { migrate } from "../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { appendOne, newPage, paragraph } from "../api/driver.ts";
import { runOn } from "../store/sqlite/files.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { NEW_PAGE, outcome } from "./support.ts";

const NOBODY = { token: null };

/** A page with two paragraphs, the second of which is then changed on the disk. */
async function damagedPage(app: TestApp, sql: string): Promise<{ page: string; block: string }> {
  const page = await newPage(app);
  await appendOne(app, page, paragraph("zzzz sound"));
  const { id: block } = await appendOne(app, page, paragraph("zzzz damaged"));
  runOn(`${app.folder}/recto.db`, `UPDATE nodes SET ${sql} WHERE id = '${block}'`);
  return { page, block };
}

for (
  const [what, sql] of [
    ["is no JSON any more", `doc = replace(doc, '"', '#')`],
    ["is other JSON", `doc = replace(doc, 'damaged', 'dbmaged')`],
  ]
) {
  Deno.test(`a stored document that ${what} is a 500 wherever it would be sent, and the log names it`, () =>
    withApp(async (app) => {
      const { page, block } = await damagedPage(app, sql ?? "");
      const routes = [
        `GET /v2/blocks/${block}`,
        `GET /v2/blocks/${page}/children`,
        `GET /v2/pages/${page}/content/markdown`,
      ];
      for (const route of routes) {
        const answer = await app.call(route);
        assertEquals(outcome(answer), "500 data_corrupted", route);
        assertStringIncludes(answer.json.detail, block);
      }
      const told = app.lines.filter(({ id }) => id === block);
      assertEquals(told.map(({ level, message, workspace }) => [level, message, workspace]), [
        ["error", "A stored document is damaged: restore it from a backup", "default"],
      ]);
      assertEquals((await app.call(`GET /v2/pages/${page}`)).status, 200);
      const { json: ready, status } = await app.call("GET /readyz", NOBODY);
      assertEquals([status, ready.storage], [200, { damaged_documents: 1 }]);
      const { text: metrics } = await app.call("GET /metrics", NOBODY);
      assertStringIncludes(metrics, "\nrecto_damaged_documents 1\n");
    }));
}

Deno.test("a stored user that is changed is a 500 where it would be sent, and the log names it", () =>
  withApp(async (app) => {
    const { json: me } = await app.call("GET /v2/users/me");
    runOn(`${app.folder}/recto.db`, "UPDATE users SET avatar_url = 'https://b.test/a'");
    assertEquals(outcome(await app.call(`GET /v2/users/${me.id}`)), "500 data_corrupted");
    await app.log.flush();
    assert(app.lines.some(({ id, workspace }) => id === me.id && workspace === "default"));
    const { json } = await app.call("GET /readyz", NOBODY);
    assertEquals(json.storage, { damaged_documents: 1 });
  }));

Deno.test("a check finds what nobody reads, and no more once that is well again", () =>
  withApp(async (app) => {
    const { block } = await damagedPage(app, "doc = doc || ' '");
    const { store, log } = app;
    const health = createStorageHealth({ store, log, now: () => 0 });
    const { signal } = new AbortController();
    const found = await checkAll({ store, health }, signal);
    assertEquals(found, {
      structure: [],
      documents: [{ workspace: "default", id: block }],
      files: [],
    });
    assertEquals([health.damagedDocuments(), health.isDamaged()], [1, true]);
    runOn(`${app.folder}/recto.db`, `UPDATE nodes SET doc = trim(doc) WHERE id = '${block}'`);
    await checkAll({ store, health }, signal);
    assertEquals([health.damagedDocuments(), health.isDamaged()], [0, false]);
  }));

Deno.test("a damaged file makes the service not ready while a check finds it so", () =>
  withApp(async ({ store, log, lines }) => {
    const health = createStorageHealth({ store, log, now: () => 0 });
    const { signal } = new AbortController();
    let findings = ["nodes: Tree 5 page 9: btreeInitPage() returns error code 11"];
    const checkStructure = () => Promise.resolve(findings);
    await checkAll({ store, health, checkStructure }, signal);
    const state = () => health.ping().then(() => "well", ({ code }) => code);
    assertEquals(await state(), "data_corrupted");
    await log.flush();
    assertEquals(lines.at(-1)?.findings, findings);
    findings = [];
    await checkAll({ store, health, checkStructure }, signal);
    assertEquals(await state(), "well");
  }));

Deno.test("a file whose pages are overwritten is a 500 with its code, and the service is not ready", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const path = `${folder}/recto.db`;
  const connection = openConnection(path);
  migrate(connection);
  connection.db.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = 0");
  const roots = connection.db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'nodes'");
  const [{ rootpage } = {}] = roots.all();
  const store = createSqliteStore(connection);
  await withApp(async (app) => {
    const page = await newPage(app);
    connection.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    using file = Deno.openSync(path, { write: true });
    file.seekSync((Number(rootpage) - 1) * 4096, Deno.SeekMode.Start);
    file.writeSync(new Uint8Array(4096).fill(0xff));
    connection.db.exec("PRAGMA shrink_memory");
    assertEquals(outcome(await app.call(`GET /v2/pages/${page}`)), "500 data_corrupted");
    assertStringIncludes(String(app.lines.at(-1)?.error), "malformed");
    const ready = await app.call("GET /readyz", NOBODY);
    assertEquals([ready.status, ready.json.detail], [503, "Not ready: the database is damaged"]);
    assert(checkIntegrity(path, "quick_check").length > 0);
  }, { store });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a full disk is named to clients and probes while it lasts, and nothing is half written", async () => {
  const connection = openConnection(":memory:");
  migrate(connection);
  const setPages = (count: string) => connection.db.exec(`PRAGMA max_page_count = ${count}`);
  let time = Date.now();
  await withApp(async (app) => {
    const page = await newPage(app);
    const children = Array.from({ length: 100 }, () => paragraph("x".repeat(2_000)));
    const fill = () => app.call(`PATCH /v2/blocks/${page}/children`, { body: { children } });
    setPages("1");
    const full = await fill();
    assertEquals(outcome(full), "503 storage_full");
    assertEquals(full.headers.get("retry-after"), "30");
    assertEquals(outcome(await fill()), "503 storage_full");
    const shown = app.lines.filter(({ error }) => error !== undefined);
    assertEquals(shown.length, 1, "the cause is shown once");
    assertStringIncludes(String(shown[0]?.error), "database or disk is full");
    const ready = await app.call("GET /readyz", NOBODY);
    assertEquals([ready.status, ready.json.detail], [503, "Not ready: the database is full"]);
    const listed = await app.call(`GET /v2/blocks/${page}/children`);
    assertEquals([listed.status, listed.json.results], [200, []]);
    setPages("100000");
    time += 1_000;
    assertEquals((await app.call("GET /readyz", NOBODY)).status, 200);
    assertEquals((await fill()).status, 200);
  }, { store: createSqliteStore(connection), now: () => time });
});

Deno.test("a full disk is asked for space once a second, however often health is asked for", async () => {
  let writes = 0;
  let time = 0;
  const ping = (options?: { readonly takesSpace: boolean }) => {
    if (options?.takesSpace) writes++;
    return Promise.reject(new Error("full"));
  };
  await withApp(async ({ log }) => {
    const health = createStorageHealth({ store: { ping }, log, now: () => time });
    health.recordFailure({ code: "storage_full", error: undefined });
    for (time of [10_000, 10_500, 10_999, 11_000]) await health.ping().catch(() => {});
    assertEquals(writes, 2);
  });
});

Deno.test("a database that is read-only is named to clients and probes, and reads go on", async () => {
  const connection = openConnection(":memory:");
  migrate(connection);
  await withApp(async (app) => {
    const page = await newPage(app);
    connection.db.exec("PRAGMA query_only = ON");
    const refused = await app.call("POST /v2/pages", { body: NEW_PAGE });
    assertEquals(outcome(refused), "503 storage_read_only");
    assertEquals(refused.headers.get("retry-after"), "5");
    const ready = await app.call("GET /readyz", NOBODY);
    assertEquals([ready.status, ready.json.detail], [503, "Not ready: the database is read-only"]);
    assertEquals((await app.call(`GET /v2/pages/${page}`)).status, 200);
    connection.db.exec("PRAGMA query_only = OFF");
    assertEquals((await app.call("GET /readyz", NOBODY)).status, 200);
  }, { store: createSqliteStore(connection) });
});
