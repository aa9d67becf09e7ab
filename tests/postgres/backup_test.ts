/**
 * Backups of a PostgreSQL database, by its own programs.
 *
 * @module
 */
import { restore } from "../../src/cli/restore.ts";
import { backup } from "../../src/cli/backup.ts";
import { migrate } from "../../src/cli/migrate.ts";
import { openConnection } from "../../src/store/postgres/connection.ts";
import { createPostgresStore, openPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { done, W } from "../store/contract_support.ts";
import { insert, page } from "../store/samples.ts";
import { runRecto } from "../support/recto.ts";

interface PostgresDesk {
  readonly folder: string;
  /** URL of a database of its own. */
  readonly url: string;
  /** Creates another empty database. */
  createDatabase(): Promise<string>;
  backup(...args: string[]): ReturnType<typeof backup>;
  environmentOf(url: string): (name: string) => string | undefined;
  /** Restores to a database and a folder. */
  restore(url: string, ...args: string[]): ReturnType<typeof restore>;
}

/** Runs a test with commands on a database and a data folder of its own. */
async function withDatabase(test: (desk: PostgresDesk) => Promise<void>): Promise<void> {
  const server = Deno.env.get("TEST_DATABASE_URL") ?? "";
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const admin = openConnection({ url: server, size: 2 });
  const names: string[] = [];
  const createDatabase = async () => {
    const name = `b${crypto.randomUUID().replaceAll("-", "")}`;
    names.push(name);
    await admin.session.send(`CREATE DATABASE ${name} TEMPLATE template0`, []);
    const url = new URL(server);
    url.pathname = name;
    return url.href;
  };
  const environmentOf = (url: string) => {
    const variables: Record<string, string> = {
      DATABASE_URL: url,
      RECTO_DATA_DIR: `${folder}/data`,
      RECTO_BACKUP_TO: `${folder}/archives`,
    };
    return (name: string) => variables[name];
  };
  try {
    const url = await createDatabase();
    await migrate([], { environment: environmentOf(url) });
    await test({
      folder,
      url,
      createDatabase,
      environmentOf,
      backup: (...args) => backup(args, { environment: environmentOf(url), now: Date.now() }),
      restore: (target, ...args) => restore(args, { environment: environmentOf(target) }),
    });
  } finally {
    for (const name of names) await admin.session.send(`DROP DATABASE ${name} WITH (FORCE)`, []);
    await admin.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs work on the store of a database, as a command does. */
async function onStore<T>(
  url: string,
  work: (store: ReturnType<typeof createPostgresStore>) => Promise<T>,
): Promise<T> {
  const connection = openConnection({ url, size: 2 });
  try {
    return await work(createPostgresStore(connection));
  } finally {
    await connection.close();
  }
}

/** Runs statements on a database. */
async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const connection = openConnection({ url, size: 2 });
  try {
    for (const statement of statements) await connection.session.send(statement, []);
  } finally {
    await connection.close();
  }
}

function archiveIn({ stdout }: { readonly stdout: string }): string {
  return /^Wrote and checked (\S+): /.exec(stdout)?.[1] ?? "";
}

Deno.test("a backup of PostgreSQL is restored to another database, with its files", () =>
  withDatabase(async ({ folder, url, createDatabase, backup, restore }) => {
    await onStore(url, (store) => done(store, insert(page("p", { title: "Plan" }))));
    const home = `${folder}/data/files/${"a".repeat(32)}/ab`;
    await Deno.mkdir(home, { recursive: true });
    await Deno.writeTextFile(`${home}/abc`, "text");
    const made = await backup();
    assertEquals([made.code, made.stderr], [0, ""]);
    assertMatch(made.stdout, /, 1 file \(4 B\), in /);
    await onStore(url, (store) => done(store, insert(page("q"))));

    const other = await createDatabase();
    const target = `${folder}/elsewhere`;
    const restored = await restore(other, archiveIn(made), "--to", target);
    assertEquals([restored.code, restored.stderr], [0, ""]);
    assertEquals(await Deno.readTextFile(`${target}/files/${"a".repeat(32)}/ab/abc`), "text");
    await onStore(other, async (store) => {
      assertEquals((await store.node(W, "p"))?.title, "Plan");
      assertEquals(await store.node(W, "q"), undefined);
    });
    const store = await openPostgresStore({
      url: other,
      size: 2,
      vectorIndex: { mostScanned: 1 },
    });
    await done(store, insert(page("r")));
    await store.close();
  }));

Deno.test("a restore to PostgreSQL replaces content only with --replace, and all or nothing", () =>
  withDatabase(async ({ folder, url, backup, restore, createDatabase }) => {
    const empty = await backup();
    await onStore(url, (store) => done(store, insert(page("p"))));
    const refused = await restore(url, archiveIn(empty));
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "DATABASE_URL holds nodes");
    const damaged = `${folder}/damaged.tar`;
    const bytes = await Deno.readFile(archiveIn(empty));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await Deno.writeFile(damaged, bytes);
    const wrong = await restore(url, damaged, "--replace");
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.stderr, "database.pgdump");
    await onStore(url, async (store) => assert(await store.node(W, "p") !== undefined));

    const running = openConnection({ url, size: 2 });
    await running.session.send("SELECT 1", []);
    const held = await restore(url, archiveIn(empty), "--replace");
    assertEquals(held.code, 1);
    assertStringIncludes(held.stderr, "A server uses the database: stop all of its processes");
    await running.close();

    const replaced = await restore(url, archiveIn(empty), "--replace");
    assertEquals([replaced.code, replaced.stderr], [0, ""]);
    await onStore(url, async (store) => assertEquals(await store.node(W, "p"), undefined));
    // An empty database needs no --replace, also after a first start.
    assertEquals((await restore(url, archiveIn(empty))).code, 0);
    const checked = await backup("verify", archiveIn(empty));
    assertStringIncludes(checked.stdout, "PostgreSQL");
    const started = await createDatabase();
    const store = await openPostgresStore({
      url: started,
      size: 2,
      vectorIndex: { mostScanned: 1 },
    });
    await store.secret("files");
    await store.close();
    const over = await restore(started, archiveIn(empty));
    assertEquals([over.code, over.stderr], [0, ""]);
  }));

Deno.test("a restore to PostgreSQL drops the tables of later migrations, and no others", () =>
  withDatabase(async ({ url, backup, restore }) => {
    await run(url, "DROP TABLE api_keys, api_key_secrets");
    const made = await backup();
    await run(
      url,
      "CREATE TABLE api_key_secrets (id int PRIMARY KEY)",
      "CREATE TABLE api_keys (secret int REFERENCES api_key_secrets)",
      "CREATE TABLE later (id int)",
    );
    const restored = await restore(url, archiveIn(made), "--replace");
    assertEquals([restored.code, restored.stderr], [0, ""]);
    const note = "Dropped the tables that the backup does not have: api_key_secrets, api_keys\n";
    assertStringIncludes(restored.stdout, note);
    assertStringIncludes(restored.stdout, "this release does not know them: later. Drop");
    // A migration can create the one again, and the other is still there.
    await run(url, "CREATE TABLE api_keys (id int)", "DROP TABLE later");
  }));

Deno.test("a restore to PostgreSQL refuses a backup of a later release", () =>
  withDatabase(async ({ url, backup, restore }) => {
    await run(url, "INSERT INTO migrations VALUES ('', '999_later', 'x')");
    const made = await backup();
    await run(url, "DELETE FROM migrations WHERE name = '999_later'");
    await onStore(url, (store) => done(store, insert(page("p"))));
    const { code, stderr } = await restore(url, archiveIn(made), "--replace");
    assertEquals(code, 1);
    assertStringIncludes(stderr, "newer than this release: it is of Recto");
    await onStore(url, async (store) => assert(await store.node(W, "p") !== undefined));
  }));

Deno.test("a restore to PostgreSQL replaces neither schemas nor extensions of an administrator", () =>
  withDatabase(async ({ url, environmentOf, restore }) => {
    const role = `r${crypto.randomUUID().replaceAll("-", "")}`;
    await run(url, `CREATE ROLE ${role} LOGIN`);
    try {
      await run(
        url,
        "DROP SCHEMA public CASCADE",
        `CREATE SCHEMA own AUTHORIZATION ${role}`,
        `CREATE SCHEMA other AUTHORIZATION ${role}`,
        "CREATE EXTENSION citext WITH SCHEMA own",
      );
      const urlOf = (schema: string) => {
        const own = new URL(url);
        own.username = role;
        own.searchParams.set("search_path", schema);
        return own.href;
      };
      const own = urlOf("own");
      const environment = environmentOf(own);
      await migrate([], { environment });
      const made = await backup([], { environment, now: Date.now() });
      assertEquals([made.code, made.stderr], [0, ""]);
      const restored = await restore(own, archiveIn(made), "--replace");
      assertEquals([restored.code, restored.stderr], [0, ""]);
      const elsewhere = await restore(urlOf("other"), archiveIn(made));
      assertEquals(elsewhere.code, 1);
      assertStringIncludes(elsewhere.stderr, "of the schema own, and DATABASE_URL names other");
    } finally {
      await run(url, `DROP OWNED BY ${role} CASCADE`, `DROP ROLE ${role}`);
    }
  }));

Deno.test("a backup of PostgreSQL has whole commits while others write", () =>
  withDatabase(async ({ folder, url, createDatabase, backup, restore }) => {
    let isWriting = true;
    let written = 0;
    const writing = onStore(url, async (store) => {
      for (; isWriting; written++) {
        await done(store, insert(page(`a${written}`), page(`b${written}`)));
      }
    });
    const made = await backup();
    isWriting = false;
    await writing;
    assertEquals(made.code, 0);
    const other = await createDatabase();
    assertEquals((await restore(other, archiveIn(made), "--to", `${folder}/r`)).code, 0);
    await onStore(other, async (store) => {
      const ids = Array.from({ length: written }, (_, index) => [`a${index}`, `b${index}`]);
      const found = await store.firstNodes(W, ids.flat());
      const there = new Set(found.map(({ id }) => id));
      for (const [a = "", b = ""] of ids) assertEquals(there.has(a), there.has(b));
    });
  }));

Deno.test("an archive goes back to the database that it is of", () =>
  withDatabase(async ({ folder, backup }) => {
    const made = await backup();
    const environment = (name: string) =>
      name === "RECTO_DATA_DIR" ? `${folder}/sqlite` : undefined;
    const { code, stderr } = await restore([archiveIn(made)], { environment });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "is a backup of PostgreSQL, and DATABASE_URL names SQLite");
  }));

Deno.test("recto permits a backup and a restore to run PostgreSQL's programs", () =>
  withDatabase(async ({ folder, url, createDatabase }) => {
    const settings = { RECTO_DATA_DIR: `${folder}/data`, RECTO_BACKUP_TO: `${folder}/archives` };
    const made = await runRecto(["backup"], { env: { ...settings, DATABASE_URL: url } });
    assertEquals([made.code, made.stderr], [0, ""]);
    const target = { ...settings, DATABASE_URL: await createDatabase() };
    const restored = await runRecto(["restore", archiveIn(made)], { env: target });
    assertEquals([restored.code, restored.stderr], [0, ""]);
  }));

Deno.test("a missing pg_dump is named", () =>
  withDatabase(async ({ folder, url }) => {
    const run = ["run", "--no-prompt", "--allow-env", "--allow-read", "--allow-write"];
    const command = new Deno.Command(Deno.execPath(), {
      args: [...run, "--allow-net=127.0.0.1", "--allow-run=pg_dump", "src/cli/backup.ts"],
      env: { DATABASE_URL: url, RECTO_DATA_DIR: folder, RECTO_BACKUP_TO: folder, PATH: folder },
    });
    const { code, stderr } = await command.output();
    assertEquals(code, 1);
    assertStringIncludes(new TextDecoder().decode(stderr), "pg_dump is not installed");
  }));
