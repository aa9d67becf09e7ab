/**
 * Damaged files on disk as clients and probes see them.
 *
 * @module
 */
import { createFileCheck } from "../../src/app/files.ts";
import { readConfig } from "../../src/config/config.ts";
import { createPaths } from "../../src/files/disk/paths.ts";
import { checkAll } from "../../src/health/storage_check.ts";
import { createStorageHealth } from "../../src/health/storage.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { answerOf, fetchOwn, upload } from "../api/file_driver.ts";
import { SETTING } from "../auth/setting.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { withServer } from "../support/socket.ts";
import { outcome } from "./support.ts";

/** A file that a page refers to. */
interface ShownFile {
  readonly id: string;
  readonly url: string;
  /** Path of its bytes. */
  readonly path: string;
}

type Shown = Pick<TestApp, "app" | "call" | "store" | "folder">;

async function showFile(app: Shown, content: BodyInit): Promise<ShownFile> {
  const id = await upload(app, content);
  const { json } = await app.call("POST /v2/pages", {
    body: { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } },
  });
  const [stored] = await app.store.uploads("default", [id]);
  assert(typeof stored?.blob === "string");
  const path = createPaths(`${app.folder}/files`).blob("default", stored.blob);
  return { id, url: json.icon.file.url, path };
}

/** Changes the last byte of a file. */
function damage(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true });
  file.seekSync(-1, Deno.SeekMode.End);
  file.writeSync(new Uint8Array([0xff]));
}

const WAYS: Readonly<Record<string, { readonly spoil: (path: string) => void; issue: string }>> = {
  "is changed": { spoil: damage, issue: "does not match its SHA-256" },
  "is cut off": {
    spoil: (path) => Deno.truncateSync(path, 3),
    issue: "has 3 bytes in place of 7",
  },
  "is missing": { spoil: Deno.removeSync, issue: "is missing" },
};

for (const [way, { spoil, issue }] of Object.entries(WAYS)) {
  Deno.test(`a stored file that ${way} is a 500, and log and probe say so`, () =>
    withApp(async (app) => {
      const { id, url, path } = await showFile(app, "content");
      spoil(path);
      assertEquals(outcome(await answerOf(await fetchOwn(app, url))), "500 data_corrupted");
      await app.log.flush();
      const told = app.lines.filter((line) => line.id === id);
      assertEquals(told.map(({ level, message }) => [level, message]), [
        ["error", `The file of an upload ${issue}: restore it from a backup`],
      ]);
      const { json } = await app.call("GET /readyz", { token: null });
      assertEquals(json.storage, { damaged_documents: 1 });
    }));
}

Deno.test("a range of a stored file that is cut off is a 500", () =>
  withApp(async (app) => {
    const { url, path } = await showFile(app, "content");
    Deno.truncateSync(path, 3);
    const answer = await fetchOwn(app, url, { headers: { range: "bytes=0-1" } });
    assertEquals(outcome(await answerOf(answer)), "500 data_corrupted");
  }));

Deno.test("a long file that is changed never arrives completely, and the log names it", () =>
  withServer(async (wire) => {
    const { id, url, path } = await showFile(wire, new Uint8Array(3_000_001));
    const own = url.replace(ORIGIN, `http://${wire.host}`);
    assertEquals((await (await fetch(own)).bytes()).length, 3_000_001);
    damage(path);
    const answer = await fetch(own);
    assertEquals(answer.status, 200);
    await assertRejects(() => answer.bytes(), TypeError);
    const told = wire.logged().filter((line) => line.id === id);
    assertEquals(told.map(({ message }) => message), [
      "The file of an upload does not match its SHA-256: restore it from a backup",
    ]);
  }));

/** Checks all storage as the service does in the background. */
function backgroundCheck({ store, log, folder }: TestApp) {
  const environment: Readonly<Record<string, string>> = {
    ...SETTING.environment,
    RECTO_DATA_DIR: folder,
  };
  const config = readConfig((name) => environment[name]);
  const health = createStorageHealth({ store, log, now: () => 0 });
  const checkFiles = createFileCheck(config, store, health.isKnownDamaged);
  const { signal } = new AbortController();
  return { health, run: () => checkAll({ store, health, checkFiles }, signal) };
}

Deno.test("the background check finds files that are missing or cut off, until they are back", () =>
  withApp(async (app) => {
    const { id, path } = await showFile(app, "content");
    const { health, run } = backgroundCheck(app);
    assertEquals((await run()).files, []);
    Deno.removeSync(path);
    assertEquals((await run()).files, [{ workspace: "default", id, issue: "is missing" }]);
    assertEquals([health.damagedDocuments(), health.isDamaged()], [1, true]);
    Deno.writeTextFileSync(path, "cut");
    assertStringIncludes((await run()).files[0]?.issue ?? "", "has 3 bytes");
    Deno.writeTextFileSync(path, "content");
    await run();
    assertEquals(health.damagedDocuments(), 0);
  }));

Deno.test("the background check reads a file whose bytes were found damaged, until they are right", () =>
  withApp(async (app) => {
    const { id, path } = await showFile(app, "content");
    const { health, run } = backgroundCheck(app);
    damage(path);
    health.recordDamaged({ workspace: "default", id, issue: "does not match its SHA-256" });
    assertEquals((await run()).files.map((file) => file.id), [id]);
    Deno.writeTextFileSync(path, "content");
    assertEquals((await run()).files, []);
  }));
