/**
 * Archives: what is in them, what damage does, and who can read them.
 *
 * @module
 */
import { readArchive } from "../../../src/cli/backup/archive_reader.ts";
import { createArchiveWriter } from "../../../src/cli/backup/archive_writer.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { rowsOf } from "../../store/sqlite/files.ts";
import { filesIn } from "../../support/backups.ts";
import { type BackupDesk, namesIn, withBackups } from "./support.ts";

Deno.test("a backup has database, files and key, and a restore puts them in another folder", () =>
  withBackups(async ({ backup, data, names }) => {
    const { code, stdout, restored, archive } = await backup([], Date.UTC(2026, 10, 22, 22, 40));
    assertEquals(code, 0);
    assertMatch(stdout, /^Wrote and checked \S+: \d+\.\d kB, 2 files \(6 B\), in \d+\.\d s\n$/);
    assertEquals(names(), ["recto-2026-11-22T22-40-00Z.tar"]);
    assertEquals(((await Deno.stat(archive)).mode ?? 0) & 0o777, 0o600);
    const content = async (folder: string) => {
      const files = (await Array.fromAsync(filesIn(folder)))
        .filter((name) => !/^(?:backup|recto\.db)/.test(name)).sort();
      return await Promise.all(
        files.map(async (name) => [name, await Deno.readTextFile(`${folder}/${name}`)]),
      );
    };
    assertEquals(await content(restored), await content(data));
    assertEquals((await content(restored)).length, 3);
    for (const table of ["nodes", "uploads", "migrations", "secrets"]) {
      const [ours, theirs] = [restored, data]
        .map((folder) => rowsOf(`${folder}/recto.db`, `SELECT * FROM ${table}`));
      assertEquals(ours, theirs);
    }
  }));

Deno.test("files of other programs are in no backup, and a restore leaves them", () =>
  withBackups(async ({ backup, restore, data, addFile }) => {
    const blob = await addFile("three");
    const home = blob.split("/").slice(0, -2).join("/");
    const foreign = [
      `${data}/files/lost+found/ab/1`,
      `${home}/.cache/ab`,
      `${home}/ab/.nfs01`,
      `${home}/ab/a copy`,
    ];
    for (const path of foreign) {
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(path, "foreign");
    }
    const { code, stdout, archive } = await backup();
    assertEquals(code, 0);
    assertStringIncludes(stdout, "3 files (11 B)");
    assertEquals((await restore(archive, "--replace")).code, 0);
    assertEquals(await Deno.readTextFile(blob), "three");
    for (const path of foreign) assertEquals(await Deno.readTextFile(path), "foreign");
  }));

Deno.test("an archive of 0.9.0 with a file of another program is restored without it", () =>
  withBackups(async ({ backup, restore, folder }) => {
    const { archive, restored } = await backup();
    const parts: Uint8Array[] = [];
    const writer = createArchiveWriter((bytes) => Promise.resolve(void parts.push(bytes)), 1_000);
    const add = (name: string, bytes: Uint8Array) =>
      writer.add(name, bytes.length, ReadableStream.from([bytes]));
    for (const name of ["../../up", `${"a".repeat(32)}/ab/.nfs01`, "lost+found/ab/1"]) {
      await add(`files/${name}`, new TextEncoder().encode("foreign"));
    }
    const manifest = await readArchive(
      (await Deno.open(archive)).readable,
      async ({ name, chunks }) =>
        await add(name, await new Response(ReadableStream.from(chunks)).bytes()),
    );
    const { checksums: _, format: _format, ...described } = manifest;
    await writer.end(described);
    await Deno.writeFile(`${folder}/old.tar`, ReadableStream.from(parts));
    const { code, stderr } = await restore(`${folder}/old.tar`, "--to", `${folder}/target/data`);
    assertEquals([code, stderr], [0, ""]);
    const namesIn = async (at: string) => (await Array.fromAsync(filesIn(at))).sort();
    assertEquals(
      await namesIn(`${folder}/target`),
      (await namesIn(restored)).map((name) => `data/${name}`),
    );
  }));

Deno.test("verify accepts a sound archive and tells what is in it", () =>
  withBackups(async ({ backup, run, data }) => {
    const { archive } = await backup();
    const { code, stdout } = await run("verify", archive);
    assertEquals(code, 0);
    assertStringIncludes(stdout, `${archive} is sound: made `);
    assertStringIncludes(stdout, "SQLite, 2 files (6 B)");
    assertEquals((await run("verify", `${data}/recto.db`)).code, 0);
    assertEquals((await run("verify", `${data}/none`)).stderr, `No such backup: ${data}/none\n`);
  }));

/** Changes one bit of a file. */
function flip(bytes: Uint8Array, index: number): Uint8Array {
  const changed = bytes.slice();
  changed[index] = (changed[index] ?? 0) ^ 1;
  return changed;
}

/** An archive that is changed in some way is refused, and nothing is restored. */
async function assertRefused(
  desk: BackupDesk,
  bytes: Uint8Array,
  { args = [], reason }: { readonly args?: readonly string[]; readonly reason: RegExp },
): Promise<void> {
  const path = `${desk.folder}/changed`;
  await Deno.writeFile(path, bytes);
  const verified = await desk.run("verify", path, ...args);
  assertEquals(verified.code, 1, String(reason));
  assertMatch(verified.stderr, reason);
  const target = `${desk.folder}/target`;
  const restored = await desk.restore(path, "--to", target, ...args);
  assertEquals([restored.code, namesIn(target)], [1, ["backup.lock"]]);
  assertMatch(restored.stderr, reason);
}

Deno.test("a flipped bit anywhere is refused with the name of the member", () =>
  withBackups(async (desk) => {
    const { archive } = await desk.backup();
    const bytes = await Deno.readFile(archive);
    const text = new TextDecoder("latin1").decode(bytes);
    /** The header of the first member whose name starts so. */
    const headerOf = (name: string) =>
      text.match(/[^]{512}/g)?.findIndex((block) => block.startsWith(name)) ?? -1;
    const names = ["files/", "database.sqlite", "local_issuer.jwk.json", "checksums/000001.json"];
    for (const name of [...names, "manifest.json"]) {
      const start = 512 * headerOf(name);
      await assertRefused(desk, flip(bytes, start + 512), { reason: new RegExp(`at ${name}`) });
      await assertRefused(desk, flip(bytes, start + 100), {
        reason: /damaged at the header after/,
      });
    }
    for (const at of [1, 0.5].map((share) => Math.floor((bytes.length - 1) * share))) {
      await assertRefused(desk, flip(bytes, at), { reason: /The archive is damaged at \S+/ });
    }
    const padding = 512 * headerOf("files/") + 512 + 400;
    await assertRefused(desk, flip(bytes, padding), { reason: /at files\/.*padding is not empty/ });
  }));

Deno.test("a truncated or lengthened archive is refused", () =>
  withBackups(async (desk) => {
    const { archive } = await desk.backup();
    const bytes = await Deno.readFile(archive);
    for (const length of [100, 512, 5_000, bytes.length - 1_500, bytes.length - 512]) {
      await assertRefused(desk, bytes.slice(0, length), { reason: /The archive is damaged at / });
    }
    await assertRefused(desk, new Uint8Array(), { reason: /The archive is empty/ });
    const longer = new Uint8Array([...bytes, ...bytes]);
    await assertRefused(desk, longer, { reason: /damaged at the end: more follows/ });
  }));

Deno.test("an archive whose members are listed otherwise is refused", () =>
  withBackups(async (desk) => {
    const { archive } = await desk.backup();
    const bytes = await Deno.readFile(archive);
    const text = new TextDecoder("latin1").decode(bytes);
    const list = text.indexOf("checksums/000001.json");
    const manifest = text.indexOf("manifest.json", list);
    // Without its list, the members have no checksums.
    const unlisted = new Uint8Array([...bytes.slice(0, list), ...bytes.slice(manifest)]);
    await assertRefused(desk, unlisted, { reason: /no checksum follows/ });
    const database = text.indexOf("database.sqlite");
    const without = new Uint8Array([...bytes.slice(0, database), ...bytes.slice(list)]);
    await assertRefused(desk, without, { reason: /checksums\/000001.json/ });
  }));

/** Writes a new key to a file. */
async function keyFile({ run, folder }: BackupDesk, name: string): Promise<string> {
  const path = `${folder}/${name}`;
  await Deno.writeTextFile(path, (await run("key")).stdout);
  return path;
}

Deno.test("an encrypted archive can only be read with its key, and every change is noticed", () =>
  withBackups(async (desk) => {
    const [key, other] = [await keyFile(desk, "key"), await keyFile(desk, "other")];
    const { code, archive } = await desk.backup(["--key-file", key]);
    assertEquals(code, 0);
    assertMatch(archive, /Z\.tar\.age$/);
    const bytes = await Deno.readFile(archive);
    const text = new TextDecoder("latin1").decode(bytes);
    assert(text.startsWith("age-encryption.org/v1\n") && !text.includes("database.sqlite"));
    const args = ["--key-file", key];
    await assertRefused(desk, bytes, { reason: /The archive is encrypted: set RECTO_BACKUP_KEY/ });
    await assertRefused(desk, bytes, {
      args: ["--key-file", other],
      reason: /encrypted for another key/,
    });
    for (const share of [0, 0.01, 0.3, 0.6, 0.99]) {
      const changed = flip(bytes, Math.floor((bytes.length - 1) * share));
      await assertRefused(desk, changed, { args, reason: /damaged at \S+/ });
    }
    for (const length of [bytes.length - 1, bytes.length >> 1, 65_536 * 2]) {
      await assertRefused(desk, bytes.slice(0, length), { args, reason: /damaged at \S+/ });
    }
  }));

Deno.test("the public key alone makes backups, and the secret key reads them", () =>
  withBackups(async (desk) => {
    const key = `${desk.folder}/key`;
    const { stdout, stderr } = await desk.run("key");
    await Deno.writeTextFile(key, stdout);
    const [, recipient = ""] = /public key is (age1\S+)/.exec(stderr) ?? [];
    desk.environment.RECTO_BACKUP_KEY = recipient;
    assertEquals((await desk.run()).code, 0);
    const [name = ""] = desk.names();
    const archive = `${desk.archives}/${name}`;
    assertEquals((await desk.run("verify", archive)).code, 1);
    assertEquals((await desk.run("verify", archive, "--key-file", key)).code, 0);
    const restored = await desk.restore(archive, "--key-file", key, "--to", `${desk.folder}/r`);
    assertEquals([restored.code, restored.stderr], [0, ""]);
    // As container platforms and systemd provide it.
    delete desk.environment.RECTO_BACKUP_KEY;
    desk.environment.RECTO_BACKUP_KEY_FILE = key;
    assertEquals((await desk.run("verify", archive)).code, 0);
    delete desk.environment.RECTO_BACKUP_KEY_FILE;
    desk.environment.RECTO_BACKUP_KEY = "secret words";
    const wrong = await desk.run();
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.stderr, "RECTO_BACKUP_KEY must be a key");
    assert(!wrong.stderr.includes("secret words"));
  }));
