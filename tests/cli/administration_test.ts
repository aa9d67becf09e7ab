import { vacuumApart } from "../support/vacuum.ts";
import { trash } from "../../src/cli/trash.ts";
import { users } from "../../src/cli/users.ts";
import { vacuum } from "../../src/cli/vacuum.ts";
import { workspaces } from "../../src/cli/workspaces.ts";
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { newDatabase, newRow, titled } from "../api/database_driver.ts";
import { newPage, succeed } from "../api/driver.ts";
import { filesIn, upload } from "../api/file_driver.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { withFile } from "../store/sqlite/files.ts";

const COMMANDS = { users, workspaces, trash };

/** Runs a command on the database of a running app; `answer` is what an operator types. */
function run(
  { folder }: Pick<TestApp, "folder">,
  line: string,
  answer?: string,
): ReturnType<typeof users> {
  const [name = "", ...args] = line.split(" ");
  const environment = (variable: string) => variable === "RECTO_DATA_DIR" ? folder : undefined;
  const ask = () => Promise.resolve(answer);
  // Sound because each test names a command that is there.
  return COMMANDS[name as keyof typeof COMMANDS](args, { environment, now: Date.now(), ask });
}

async function isInFiles(folder: string, text: string): Promise<boolean> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile) continue;
    const bytes = await Deno.readFile(`${folder}/${name}`);
    if (new TextDecoder("latin1").decode(bytes).includes(text)) return true;
  }
  return false;
}

const NAME = "Ermintrude Quackenbush";
const EMAIL = "ermintrude@quackenbush.example";

Deno.test("users erase leaves no trace of name and e-mail in the files, while the server runs", () =>
  withApp(async (app) => {
    const token = await app.mint({ sub: "e", name: NAME, email: EMAIL });
    const me = await succeed(app, "GET /v2/users/me", { token });
    assertEquals([me.name, me.person.email], [NAME, EMAIL]);
    // A reply that an Idempotency-Key keeps shows the name.
    const mention = { user: { id: me.id } };
    const { id } = await succeed(app, "POST /v2/pages", {
      token,
      headers: { "idempotency-key": "once" },
      body: { parent: { workspace: true }, properties: { title: [{ mention }] } },
    });
    const before = (await app.call(`GET /v2/pages/${id}`)).text;
    assertStringIncludes(before, NAME);
    assert(await isInFiles(app.folder, NAME), "the search would find it");

    const { code, stdout, stderr } = await run(app, `users erase ${me.id} --yes`);
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "Erased in 1 workspace");
    assertEquals(
      [await isInFiles(app.folder, NAME), await isInFiles(app.folder, EMAIL)],
      [false, false],
    );
    const after = (await app.call(`GET /v2/pages/${id}`)).text;
    assertStringIncludes(after, "@Deleted user");
    assert(!after.includes(NAME));
    const erased = (await app.call(`GET /v2/users/${me.id}`)).json;
    assertEquals([erased.name, erased.person], ["Deleted user", {}]);

    // Another token of the same person works, and brings nothing back.
    const again = await app.mint({ sub: "e", name: NAME, email: EMAIL });
    assertEquals((await app.call("GET /v2/users/me", { token: again })).json.name, "Deleted user");
    assertEquals(await isInFiles(app.folder, NAME), false);
    assertEquals((await run(app, `users allow ${me.id}`)).code, 0);
    const third = await app.mint({ sub: "e", name: NAME, email: EMAIL });
    assertEquals((await app.call("GET /v2/users/me", { token: third })).json.name, NAME);
  }));

Deno.test("users show resolves the pseudonym of the request log, and an e-mail address", () =>
  withApp(async (app) => {
    const token = await app.mint({ sub: "e", name: NAME, email: EMAIL });
    const { id } = await succeed(app, "GET /v2/users/me", { token });
    const pseudonym = app.lines.findLast(({ route }) => route === "/v2/users/:user_id")?.subject;
    assertEquals(typeof pseudonym, "string");
    for (const name of [`--pseudonym ${pseudonym}`, EMAIL.toUpperCase(), id]) {
      const { code, stdout } = await run(app, `users show ${name} --json`);
      assertEquals(code, 0);
      const { name: shown, workspace, pseudonym: stored } = JSON.parse(stdout);
      assertEquals([shown, workspace, stored], [NAME, "default", pseudonym]);
    }
    const { code, stderr } = await run(app, "users show --pseudonym 0000");
    assertEquals(code, 1);
    assertStringIncludes(stderr, "No user has the pseudonym 0000");
    await run(app, `users erase ${id} --yes`);
    assertEquals((await run(app, `users show --pseudonym ${pseudonym}`)).code, 1);
  }));

Deno.test("what destroys asks first, and --dry-run only tells", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Harbour" });
    await app.call(`DELETE /v2/pages/${page}`);
    const isThere = async () => (await app.store.node("default", page)) !== undefined;
    const dry = await run(app, `trash purge ${page} --dry-run`);
    assertEquals([dry.code, await isThere()], [0, true]);
    assertStringIncludes(dry.stdout, `Delete page ${page} (Harbour) of workspace default for good`);
    const nobody = await run(app, `trash purge ${page}`);
    assertEquals([nobody.code, await isThere()], [1, true]);
    assertStringIncludes(nobody.stderr, "add --yes");
    const no = await run(app, `trash purge ${page}`, "no");
    assertEquals([no.code, await isThere()], [1, true]);
    const yes = await run(app, `trash purge ${page}`, "purge");
    assertEquals([yes.code, await isThere()], [0, false]);
    assertEquals((await app.call(`GET /v2/pages/${page}`)).status, 404);
  }));

Deno.test("trash purge deletes a page with what is below it and its files", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Harbour" });
    const below = await newPage(app, { title: "Quay", parent: { page_id: page } });
    const file = await upload(app);
    await succeed(app, `PATCH /v2/blocks/${below}/children`, {
      body: { children: [{ file: { file_upload: { id: file } } }] },
    });
    assertEquals(filesIn(app.folder).length, 1);
    await app.call(`DELETE /v2/pages/${page}`);
    assertEquals((await run(app, `trash purge ${page} --yes`)).code, 0);
    assertEquals(await app.store.firstNodes("default", [page, below]), []);
    assertEquals(filesIn(app.folder), []);
    const found = await app.call("POST /v2/search", { body: { query: "quay" } });
    assertEquals(found.json.results, []);
  }));

Deno.test("trash purge of a page in use says what to type instead", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Harbour" });
    const refused = await run(app, `trash purge ${page} --yes`);
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, `recto trash purge ${page} --even-if-used`);
    assertEquals((await run(app, `trash purge ${page} --even-if-used --yes`)).code, 0);
    assertEquals((await app.call(`GET /v2/pages/${page}`)).status, 404);
    assertStringIncludes((await run(app, `trash purge ${page} --yes`)).stderr, "trash list");
  }));

Deno.test("trash list shows what was deleted, and purge --older-than deletes what is old enough", () =>
  withApp(async (app) => {
    const [first, second] = [
      await newPage(app, { title: "Harbour" }),
      await newPage(app, { title: "Quay" }),
    ];
    for (const id of [first, second]) await app.call(`DELETE /v2/pages/${id}`);
    const { stdout } = await run(app, "trash list --json");
    const ids = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).id);
    assertEquals(ids, [first, second]);
    const young = await run(app, "trash purge --older-than 1d --yes");
    assertEquals([young.code, young.stdout], [0, "Nothing to delete\n"]);
    assertStringIncludes((await run(app, "trash purge --older-than 0d --yes")).stdout, "Deleted 2");
    assertEquals((await run(app, "trash list --json")).stdout, "");
  }));

Deno.test("workspaces are listed, measured and deleted while the server runs", () =>
  withApp(async (app) => {
    const token = await app.mint({ workspace: "other" });
    await newPage(app, { title: "Harbour" });
    const id = await newPage(app, { title: "Quay", token });
    assertEquals((await run(app, "workspaces list")).stdout, "default\nother\n");
    const usage = JSON.parse((await run(app, "workspaces usage other --json")).stdout);
    assertEquals([usage.workspace, usage.pages, usage.users], ["other", 1, 1]);
    assertEquals((await run(app, "workspaces delete other", "default")).code, 1);
    assertEquals((await run(app, "workspaces delete other", "other")).code, 0);
    assertEquals((await app.call(`GET /v2/pages/${id}`, { token })).status, 404);
    assertEquals((await run(app, "workspaces list")).stdout, "default\n");
    const gone = await run(app, "workspaces usage other");
    assertStringIncludes(gone.stderr, "workspaces list");
  }));

Deno.test("a database that others relate to can be purged: they and their rows still answer", () =>
  withApp(async (app) => {
    const { id: far } = await newDatabase(app);
    const { id: near } = await newDatabase(app, {
      Far: { relation: { database_id: far, single_property: {} } },
      Names: {
        rollup: {
          relation_property_name: "Far",
          rollup_property_name: "Name",
          function: "show_original",
        },
      },
    });
    const { id: target } = await newRow(app, far, { Name: titled("Target") });
    const { id: source } = await newRow(app, near, { Far: { relation: [{ id: target }] } });
    await app.call(`DELETE /v2/databases/${far}`);
    assertEquals((await run(app, `trash purge ${far} --yes`)).code, 0);
    assertEquals((await app.call(`GET /v2/databases/${near}`)).status, 200);
    assertEquals((await app.call(`GET /v2/pages/${source}`)).status, 200);
    assertEquals((await app.call(`POST /v2/databases/${near}/query`, { body: {} })).status, 200);
    await newRow(app, near, { Name: titled("Another") });
    const renamed = await app.call(`PATCH /v2/databases/${near}`, {
      body: { properties: { Far: { name: "Away" } } },
    });
    assertEquals(renamed.status, 200);
  }));

Deno.test("commands explain wrong arguments, and print their usage for --help", () =>
  withApp(async (app) => {
    for (const name of ["users", "workspaces", "trash"]) {
      const help = await run(app, `${name} --help`);
      assertEquals([help.code, help.stderr], [0, ""]);
      assertStringIncludes(help.stdout, `Usage: recto ${name}`);
    }
    assertStringIncludes((await run(app, "users lst")).stderr, 'Did you mean "list"?');
    assertStringIncludes((await run(app, "users list --workspce w")).stderr, "--workspace");
    for (const line of ["users erase", "users show", "trash purge", "trash purge --older-than x"]) {
      assertEquals((await run(app, line)).code, 2, line);
    }
    assertStringIncludes((await run(app, "users erase nobody")).stderr, "users list");
  }));

Deno.test("commands refuse where there is no database, and where its schema is older", () =>
  withFile(async (path) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    assertStringIncludes((await run({ folder }, "users list")).stderr, "No such database");
    const connection = openConnection(path);
    migrate(connection, MIGRATIONS.slice(0, -1));
    connection.close();
    assertStringIncludes((await run({ folder }, "users list")).stderr, "recto migrate");
  }));

Deno.test("vacuum makes the file smaller once the server is stopped", () =>
  withFile(async (path) => {
    const environment = (name: string) => name === "DATABASE_URL" ? `sqlite:${path}` : undefined;
    const store = await openSqliteStore(path);
    assertStringIncludes((await vacuum([], { environment })).stderr, "stop the server");
    await store.close();
    assertEquals(await vacuumApart(path), 0);
  }));
