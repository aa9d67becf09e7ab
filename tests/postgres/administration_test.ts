import type { AdminContext } from "../../src/cli/admin/context.ts";
import type { CommandResult } from "../../src/cli/command.ts";
import { trash } from "../../src/cli/trash.ts";
import { users } from "../../src/cli/users.ts";
import { vacuum } from "../../src/cli/vacuum.ts";
import { workspaces } from "../../src/cli/workspaces.ts";
import type { Session } from "../../src/store/postgres/query.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { insert, page, person, receipt, trash as trashed } from "../store/samples.ts";
import { withSchema } from "./support.ts";
import { eventually } from "../support/eventually.ts";

const NAME = "Ermintrude Quackenbush";
const EMAIL = "ermintrude@quackenbush.example";

/** Folder in which the server keeps the tables of this session's database. */
async function databaseFolder(session: Session): Promise<string> {
  const [[folder, oid] = []] = await session.send(
    "SELECT current_setting('data_directory'), oid FROM pg_database " +
      "WHERE datname = current_database()",
    [],
  );
  return `${folder}/base/${oid}`;
}

/** Files of this folder that contain one of these texts. */
async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await Array.fromAsync(Deno.readDir(folder))) {
    // Other tests drop their schemas meanwhile.
    const bytes = await Deno.readFile(`${folder}/${name}`).catch(() => new Uint8Array());
    const text = new TextDecoder("latin1").decode(bytes);
    if (texts.some((one) => text.includes(one))) found.push(name);
  }
  return found;
}

function contextOf(url: string, now: number): AdminContext {
  return {
    environment: (name) => name === "DATABASE_URL" ? url : undefined,
    now,
    ask: () => Promise.resolve(undefined),
  };
}

/** Erases `u0` until nobody can see it: tests beside this one hold transactions open. */
async function eraseWhole(context: AdminContext): Promise<CommandResult> {
  for (;;) {
    const result = await users(["erase", "u0", "--yes"], context);
    if (!result.stdout.includes("erase again")) return result;
  }
}

Deno.test("users erase leaves no trace of name and e-mail in the files of PostgreSQL", () =>
  withSchema(async ({ session }, url) => {
    const store = await openPostgresStore({ url, size: 4 });
    for (let n = 0; n < 300; n++) {
      await store.saveUser("w", person(`u${n}`, { name: `${NAME} ${n}`, email: EMAIL }));
      const body = JSON.stringify({ plain_text: `@${NAME} ${n}`, id: `u${n}` });
      await store.commit("w", [], receipt(`k${n}`, { body, expiresTime: 1e13 }));
    }
    await session.send("ANALYZE users", []);
    await session.send("ANALYZE receipts", []);
    await session.send("CHECKPOINT", []);
    const folder = await databaseFolder(session);
    assert((await filesWith(folder, [NAME])).length > 0, "the search would find it");
    const context = contextOf(url, 7);
    for (let n = 1; n < 300; n++) await store.eraseUser("w", `u${n}`, 7);
    for (let after: string | undefined = ""; after !== undefined;) {
      after = await store.eraseReceipts("w", [NAME], { after, limit: 100 });
    }
    const { code, stdout, stderr } = await eraseWhole(context);
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "write-ahead log");
    assertEquals(await filesWith(folder, [NAME, EMAIL]), []);
    assertEquals((await store.user("w", "u0"))?.name, "Deleted user");
    await store.close();
  }));

Deno.test("users erase waits for a transaction that may still see the name", () =>
  withSchema(async (connection, url) => {
    const store = await openPostgresStore({ url, size: 4 });
    await store.saveUser("w", person("u0", { name: NAME, email: EMAIL }));
    const folder = await databaseFolder(connection.session);
    const context = contextOf(url, 7);
    let isOver = false;
    let erasing: ReturnType<typeof users> | undefined;
    await connection.transaction(async (session) => {
      await session.send("CREATE TABLE other ()", []);
      erasing = eraseWhole(context);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      isOver = true;
    });
    const { code, stderr } = await (erasing ?? Promise.reject());
    assertEquals([isOver, code, stderr], [true, 0, ""]);
    assertEquals(await filesWith(folder, [NAME, EMAIL]), []);
    await store.close();
  }));

Deno.test("users erase waits for a later transaction whose snapshot is as old as one before", () =>
  withSchema(async (connection, url) => {
    const store = await openPostgresStore({ url, size: 4 });
    await store.saveUser("w", person("u0", { name: NAME, email: EMAIL }));
    const folder = await databaseFolder(connection.session);
    const context = contextOf(url, 7);
    const isOlder = Promise.withResolvers<void>();
    const older = connection.transaction(async (session) => {
      await session.send("CREATE TABLE older ()", []);
      await isOlder.promise;
    });
    const isLater = Promise.withResolvers<void>();
    const erasing = eraseWhole(context);
    await eventually(async () => assertEquals((await store.user("w", "u0"))?.email, null));
    // The erasure is committed, and looks for older transactions.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const later = connection.transaction(async (session) => {
      await session.send("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", []);
      await session.send("SELECT 1", []);
      isOlder.resolve();
      await older;
      await isLater.promise;
    });
    await older;
    await new Promise((resolve) => setTimeout(resolve, 500));
    isLater.resolve();
    await later;
    const { code, stderr } = await erasing;
    assertEquals([code, stderr], [0, ""]);
    assertEquals(await filesWith(folder, [NAME, EMAIL]), []);
    await store.close();
  }));

Deno.test("trash, workspaces and vacuum work on PostgreSQL while a server runs", () =>
  withSchema(async (_, url) => {
    const store = await openPostgresStore({ url, size: 4 });
    const context = contextOf(url, 1e13);
    await store.commit("w", insert(page("a"), page("b")));
    await store.commit("w", [trashed("a")]);
    assertStringIncludes((await trash(["list"], context)).stdout, "Title of a");
    const purged = await trash(["purge", "--older-than", "1d", "--yes"], context);
    assertEquals([purged.code, await store.node("w", "a")], [0, undefined]);
    assertEquals((await vacuum([], context)).code, 0);
    assertEquals((await workspaces(["list"], context)).stdout, "w\n");
    assertEquals((await workspaces(["delete", "w", "--yes"], context)).code, 0);
    assertEquals((await workspaces(["list"], context)).stdout, "");
    await store.close();
  }));
