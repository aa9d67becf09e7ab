import { fileURLToPath } from "node:url";
import { restore } from "../../src/cli/restore.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { rowsOf, runOn } from "../store/sqlite/files.ts";
import { done } from "../store/contract_support.ts";
import { idsOf } from "../store/kill_groups.ts";
import { insert, page } from "../store/samples.ts";
import { upload } from "../api/file_driver.ts";
import { withApp } from "../support/app.ts";
import { backUpAndRestore, type CheckedBackup } from "../support/backups.ts";

const WRITER = fileURLToPath(new URL("../store/kill_writer.ts", import.meta.url));

interface Desk {
  readonly folder: string;
  /** The database of the environment. */
  readonly path: string;
  readonly file: string;
  readonly backup: (...args: string[]) => Promise<CheckedBackup>;
  readonly restore: (...args: string[]) => ReturnType<typeof restore>;
}

/** Runs a test with both commands on a database of its own. */
async function withDesk(test: (desk: Desk) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const environment = (name: string) => name === "RECTO_DATA_DIR" ? `${folder}/data` : undefined;
  try {
    await test({
      folder,
      path: `${folder}/data/recto.db`,
      file: `${folder}/backups/a.tar`,
      backup: (...args) => backUpAndRestore(args, { environment, folder }),
      restore: (...args) => restore(args, { environment }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const onFile = (path: string) => ({ environment: { DATABASE_URL: `sqlite:${path}` } });

Deno.test("a backup of a running server contains its content, and a restored one serves it", () =>
  withDesk(async ({ path, file, backup, restore }) => {
    let id = "";
    let seen: unknown;
    await withApp(async ({ call }) => {
      const body = { parent: { workspace: true }, properties: {}, markdown: "# Plan\n\nWords\n" };
      id = (await call("POST /v2/pages", { body })).json.id;
      seen = (await call(`GET /v2/blocks/${id}/children`)).json.results;
      const { code, stdout, restored } = await backup(file);
      assertEquals(code, 0);
      assertStringIncludes(stdout, `Wrote and checked ${file}`);
      await call("POST /v2/pages", { body });
      assertEquals(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
      const pages = rowsOf(`${restored}/recto.db`, "SELECT id FROM nodes WHERE kind = 'page'");
      assertEquals(pages, [{ id }]);
    }, onFile(path));

    await Deno.remove(path);
    assertEquals((await restore(file)).code, 0);
    await withApp(async ({ call }) => {
      assertEquals((await call(`GET /v2/blocks/${id}/children`)).json.results, seen);
      const found = await call("POST /v2/search", { body: { query: "words" } });
      assertEquals(found.json.results.length, 1);
    }, onFile(path));
  }));

Deno.test("a file that a client uploaded is there after a restore, under its own URL", () =>
  withDesk(async ({ path, folder }) => {
    const content = new TextEncoder().encode("The content of a file");
    const target = `${folder}/elsewhere`;
    let page = "";
    await withApp(async (app) => {
      const id = await upload(app, content);
      const body = {
        parent: { workspace: true },
        properties: {},
        icon: { file_upload: { id } },
      };
      page = (await app.call("POST /v2/pages", { body })).json.id;
      const variables: Record<string, string> = {
        RECTO_DATA_DIR: app.folder,
        DATABASE_URL: `sqlite:${path}`,
        RECTO_BACKUP_TO: `${folder}/backups`,
      };
      const environment = (name: string) => variables[name];
      const { code, stdout, restored } = await backUpAndRestore([], { environment, folder });
      assertEquals(code, 0);
      assertStringIncludes(stdout, ", 1 file (21 B), ");
      await Deno.rename(restored, target);
    }, onFile(path));
    await withApp(async (app) => {
      await Deno.rename(`${target}/files`, `${app.folder}/files`);
      const { url } = (await app.call(`GET /v2/pages/${page}`)).json.icon.file;
      const answer = await app.app.handler(new Request(url));
      assertEquals([answer.status, await answer.bytes()], [200, content]);
    }, onFile(`${target}/recto.db`));
  }));

/** Another process that commits groups of nodes for ever, and tells of each. */
function startWriter(folder: string, path: string): Deno.ChildProcess {
  const flags = [
    "--no-prompt",
    "--no-check",
    `--allow-read=${folder},src`,
    `--allow-write=${folder}`,
  ];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, WRITER, path, "w"],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

Deno.test("a backup under load contains all acknowledged writes and only whole commits", () =>
  withDesk(async ({ folder, path, file, backup }) => {
    const writer = startWriter(folder, path);
    let printed = "";
    let result: Awaited<ReturnType<typeof backup>> | undefined;
    let before: string[] = [];
    for await (const text of writer.stdout.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (result !== undefined || printed.split("\n").length < 100) continue;
      before = printed.split("\n").slice(0, -1);
      result = await backup(file);
      writer.kill("SIGKILL");
    }
    await writer.status;
    assertEquals(result?.code, 0);
    const copy = `${result?.restored}/recto.db`;
    const ids = rowsOf(copy, "SELECT id FROM nodes ORDER BY id").map(({ id }) => String(id));
    const groups = new Set(ids.map((id) => id.slice(0, id.lastIndexOf("-"))));
    assertEquals(before.filter((group) => !groups.has(group)), []);
    assertEquals(ids, [...groups].flatMap(idsOf).sort());
  }));

Deno.test("backup never overwrites a file, and names missing ones", () =>
  withDesk(async ({ path, file, backup }) => {
    const none = await backup(file);
    assertEquals([none.code, none.stderr], [
      ...[1, `Cannot back up:\n  - No such database: ${path}\n`],
    ]);
    await assertRejects(() => Deno.stat(file), Deno.errors.NotFound);
    await openSqliteStore(path).close();
    assertEquals((await backup(file)).code, 0);
    const before = await Deno.readFile(file);
    const again = await backup(file);
    assertEquals([again.code, again.stderr], [
      ...[1, `Cannot back up:\n  - The file already exists: ${file}\n`],
    ]);
    assertEquals(await Deno.readFile(file), before);
  }));

Deno.test("restore fails while a server uses the database, even with --replace", () =>
  withDesk(async ({ path, file, backup, restore }) => {
    const store = openSqliteStore(path);
    await done(store, insert(page("p")));
    await backup(file);
    for (const more of [[], ["--replace"]]) {
      const { code, stderr } = await restore(file, ...more);
      assertEquals(code, 1);
      assertStringIncludes(stderr, `Another process holds ${path}: stop the server first`);
    }
    await done(store, insert(page("q")));
    await store.close();
    assertEquals(rowsOf(path, "SELECT id FROM nodes"), [{ id: "p" }, { id: "q" }]);
  }));

Deno.test("restore keeps existing content without --replace", () =>
  withDesk(async ({ path, file, backup, restore }) => {
    await openSqliteStore(path).close();
    await backup(file);
    // Nothing but what a start makes.
    assertEquals((await restore(file)).code, 0);
    const store = openSqliteStore(path);
    await done(store, insert(page("p")));
    await store.close();
    const { code, stderr } = await restore(file);
    assertEquals(code, 1);
    assertStringIncludes(stderr, `${path} holds nodes`);
    assertEquals(rowsOf(path, "SELECT id FROM nodes"), [{ id: "p" }]);
    assertEquals((await restore(file, "--replace")).code, 0);
    assertEquals(rowsOf(path, "SELECT id FROM nodes"), []);
  }));

Deno.test("restore replaces a damaged or newer database with --replace", () =>
  withDesk(async ({ path, file, backup, restore }) => {
    const store = openSqliteStore(path);
    await done(store, insert(page("p")));
    await store.close();
    await backup(file);
    const damages = [
      () => Deno.writeTextFile(path, "not a database, ".repeat(1_000)),
      () => runOn(path, "INSERT INTO migrations VALUES ('999_future', 'x')"),
    ];
    for (const damage of damages) {
      await damage();
      assertEquals((await restore(file)).code, 1);
      assertEquals((await restore(file, "--replace")).code, 0);
      assertEquals(rowsOf(path, "SELECT id FROM nodes"), [{ id: "p" }]);
    }
  }));

Deno.test("restore takes a database file as earlier releases backed it up, complete and of a known schema", () =>
  withDesk(async ({ folder, path, restore }) => {
    const store = openSqliteStore(path);
    const doc = "x".repeat(10_000);
    await done(store, insert(...Array.from({ length: 50 }, (_, i) => page(`a${i}`, { doc }))));
    await store.close();
    const whole = await Deno.readFile(path);
    await Deno.remove(path);
    const wrong: [why: string, make: (path: string) => Promise<void> | void][] = [
      [
        "The archive is damaged",
        (path) => Deno.writeTextFile(path, "words, ".repeat(1_000)),
      ],
      ["The archive is empty", (path) => Deno.writeTextFile(path, "")],
      ["is no database of Recto", (path) => runOn(path, "CREATE TABLE nodes (id)")],
      ["is damaged", (path) => Deno.writeFile(path, whole.subarray(0, whole.length >> 1))],
      ["is damaged", async (path) => {
        await Deno.writeFile(path, whole);
        runOn(path, "PRAGMA ignore_check_constraints = ON; UPDATE nodes SET has_mentions = 7");
      }],
      ["newer than this release", async (path) => {
        await Deno.writeFile(path, whole);
        runOn(path, "INSERT INTO migrations VALUES ('999_future', 'x')");
      }],
    ];
    for (const [index, [why, make]] of wrong.entries()) {
      const other = `${folder}/${index}.db`;
      await make(other);
      const { code, stderr } = await restore(other);
      assertEquals(code, 1, why);
      assertStringIncludes(stderr, why);
    }
    const none = await restore(`${folder}/none.db`);
    assertEquals([none.code, none.stderr], [1, `No such backup: ${folder}/none.db\n`]);
    const names = [...Deno.readDirSync(`${folder}/data`)].map(({ name }) => name);
    assertEquals(names.filter((name) => !/-(?:wal|shm)$/.test(name)), ["backup.lock"]);
  }));

Deno.test("a leftover write-ahead log is not applied to the restored database", () =>
  withDesk(async ({ path, file, backup, restore }) => {
    const store = openSqliteStore(path);
    await done(store, insert(page("p")));
    await backup(file);
    await done(store, insert(page("q")));
    const log = await Deno.readFile(`${path}-wal`);
    await store.close();
    await Deno.remove(path);
    await Deno.writeFile(`${path}-wal`, log);
    assertEquals((await restore(file)).code, 0);
    assertEquals(rowsOf(path, "SELECT id FROM nodes"), [{ id: "p" }]);
  }));
