import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { scrub } from "../../../src/store/sqlite/scrub.ts";
import { vacuum } from "../../../src/store/sqlite/vacuum.ts";
import { assert, assertEquals, assertThrows } from "../../assert.ts";
import { insert, page, person, receipt, trash } from "../samples.ts";
import { vacuumApart } from "../../support/vacuum.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

const NAME = "Ermintrude Quackenbush";
const EMAIL = "ermintrude@quackenbush.example";

/** Returns whether a text is anywhere in the files of a database. */
async function isInFiles(path: string, text: string): Promise<boolean> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    if (new TextDecoder("latin1").decode(bytes).includes(text)) return true;
  }
  return false;
}

Deno.test("scrub() leaves nothing of an erased user in the files, while a server uses them", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    const ids = Array.from({ length: 400 }, (_, n) => `user-${n}`);
    for (const id of ids) {
      await store.saveUser("w", person(id, { name: `${NAME} ${id}`, email: EMAIL }));
      // Longer or shorter, so that rows move from page to page.
      await store.saveUser("w", person(id, { name: NAME.repeat(1 + id.length % 3), email: EMAIL }));
      const body = JSON.stringify({ plain_text: `@${NAME}`, more: "x".repeat(50 * id.length) });
      await store.commit("w", [], receipt(id, { body, expiresTime: 9_000 }));
    }
    await store.expireReceipts("w", 10_000, 200);
    assert(await isInFiles(path, NAME), "the search would find it");
    for (const id of ids) await store.eraseUser("w", id, 7);
    for (let after: string | undefined = ""; after !== undefined;) {
      after = await store.eraseReceipts("w", [NAME], { after, limit: 100 });
    }
    assertEquals(await scrub(path), []);
    assertEquals([await isInFiles(path, NAME), await isInFiles(path, EMAIL)], [false, false]);
    assertEquals((await store.user("w", "user-7"))?.name, "Deleted user");
    assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
    await store.close();
  }));

Deno.test("scrub() overwrites what an older release left in free pages", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    runOn(path, "PRAGMA secure_delete = OFF; CREATE TABLE old (text TEXT) STRICT");
    runOn(
      path,
      `PRAGMA secure_delete = OFF; INSERT INTO old WITH RECURSIVE n (i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000
      ) SELECT '${NAME} ' || i FROM n`,
    );
    runOn(path, "PRAGMA secure_delete = OFF; DROP TABLE old; PRAGMA wal_checkpoint(TRUNCATE)");
    assert(await isInFiles(path, NAME), "the search would find it");
    assertEquals(await scrub(path), []);
    assertEquals(await isInFiles(path, NAME), false);
    await store.close();
  }));

Deno.test("scrub() overwrites what an older release left between the rows of a page", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    for (let n = 0; n < 50; n++) await store.saveUser("w", person(`u${n}`, { name: null }));
    runOn(path, `PRAGMA secure_delete = OFF; UPDATE users SET name = '${NAME} and more'`);
    runOn(
      path,
      "PRAGMA secure_delete = OFF; UPDATE users SET name = 'B'; PRAGMA wal_checkpoint(TRUNCATE)",
    );
    assert(await isInFiles(path, NAME), "the search would find it");
    assertEquals(await scrub(path), []);
    assertEquals(await isInFiles(path, NAME), false);
    await store.close();
  }));

Deno.test("vacuum() refuses while another process has the file open, and says what to do", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    assertThrows(() => vacuum(path), Error, "stop the server");
    await store.close();
    assertEquals(await vacuumApart(path), 0);
  }));

Deno.test("vacuum() makes an older file smaller, and lets it give pages back from then on", () =>
  withFile(async (path) => {
    runOn(path, "PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL; PRAGMA user_version = 1");
    const fill = Array.from({ length: 300 }, (_, n) => page(`p${n}`, { title: "x".repeat(3_000) }));
    const store = openSqliteStore(path);
    await store.commit("w", insert(...fill));
    await store.deleteWorkspaceSlice("w", 1_000);
    assertEquals(rowsOf(path, "PRAGMA auto_vacuum"), [{ auto_vacuum: 0 }]);
    await store.close();
    const before = (await Deno.stat(path)).size;
    assertEquals(await vacuumApart(path), 0);
    assertEquals(rowsOf(path, "PRAGMA auto_vacuum"), [{ auto_vacuum: 2 }]);
    assert((await Deno.stat(path)).size < before / 2);
  }));

Deno.test("reclaimSpace() gives pages of a purged workspace back while the file is used", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    const texts = Array.from(
      { length: 300 },
      (_, n) => page(`p${n}`, { title: "x".repeat(3_000) }),
    );
    await store.commit("w", insert(page("root")));
    await store.commit("w", insert(...texts));
    runOn(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const before = (await Deno.stat(path)).size;
    for (const { id } of texts) {
      await store.beginPurge("w", id, { time: 1, by: "x" });
      await store.purgeSlice("w", id, 100);
    }
    let steps = 0;
    while (await store.mergeWords()) steps++;
    while (await store.reclaimSpace(50)) steps++;
    assert(steps > 2, `${steps} steps`);
    runOn(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const after = (await Deno.stat(path)).size;
    assert(after < before / 3, `${before} to ${after} bytes`);
    assertEquals((await store.node("w", "root"))?.id, "root");
    await store.commit("w", [trash("root")]);
    await store.close();
  }));
