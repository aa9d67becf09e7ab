/**
 * Backups in a bucket, and of files in a bucket.
 *
 * @module
 */
import { objectKey } from "../../../src/files/s3/object_keys.ts";
import { configWith } from "../../../src/cli/backup/context.ts";
import { openPlace } from "../../../src/cli/backup/place.ts";
import { ArchiveError } from "../../../src/cli/backup/archive_error.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../../assert.ts";
import { W } from "../../store/contract_support.ts";
import { runOn } from "../../store/sqlite/files.ts";
import { type TestBucket, withBucket } from "../../support/bucket.ts";
import { runRecto } from "../../support/recto.ts";
import { type BackupDesk, namesIn, withBackups } from "./support.ts";

/** Runs a test on a data folder and a bucket. */
function withBoth(test: (desk: BackupDesk, bucket: TestBucket) => Promise<void>): Promise<void> {
  return withBackups((desk) =>
    withBucket(async (bucket) => {
      Object.assign(desk.environment, {
        RECTO_S3_ENDPOINT: bucket.endpoint,
        RECTO_S3_KEY_ID: "k",
        RECTO_S3_SECRET: "s",
        RECTO_BACKUP_TO: "s3://copies/recto/",
      });
      await test(desk, bucket);
    })
  );
}

const at = (hour: number) => Date.UTC(2026, 10, 22, hour);

Deno.test("backups in a bucket are written, listed, verified, restored and deleted", () =>
  withBoth(async ({ backup, run, restore, folder }, { objects }) => {
    for (const hour of [1, 2, 3]) {
      const { code, stderr } = await backup(["--keep", "2"], at(hour));
      assertEquals([code, stderr], [0, ""]);
    }
    const keys = [2, 3].map((hour) => `/copies/recto/recto-2026-11-22T0${hour}-00-00Z.tar`);
    assertEquals([...objects.keys()].sort(), keys);
    const listed = await restore("--list");
    assertEquals(listed.stdout.trim().split("\n").length, 2);
    const url = `s3://copies/recto/recto-2026-11-22T02-00-00Z.tar`;
    assertStringIncludes((await run("verify", url)).stdout, `${url} is sound`);
    assertEquals((await restore("--at", "2026-11-22", "--to", `${folder}/r`)).code, 0);
    assertEquals((await restore(url, "--to", `${folder}/s`)).code, 0);
    const none = await restore("s3://copies/recto/none.tar", "--to", `${folder}/t`);
    assertEquals(none.code, 1);
    assertStringIncludes(none.stderr, "No such backup: s3://copies/recto/none.tar");
  }));

Deno.test("recto permits a backup and a restore to reach the bucket", () =>
  withBoth(async ({ folder, environment: env }, { objects }) => {
    const made = await runRecto(["backup"], { env });
    assertEquals([made.code, made.stderr, objects.size], [0, "", 1]);
    const restored = await runRecto(["restore", "--at", "2999-01-01", "--to", "r"], {
      env,
      cwd: folder,
    });
    assertEquals([restored.code, restored.stderr], [0, ""]);
    assertEquals((await Deno.stat(`${folder}/r/recto.db`)).isFile, true);
  }));

Deno.test("a large backup is sent in parts, and appears only when it is complete", () =>
  withBoth(async ({ backup, run, data, names }, { objects, open, refuse }) => {
    const large = `${data}/files/${"b".repeat(32)}/bb`;
    await Deno.mkdir(large, { recursive: true });
    using file = await Deno.open(`${large}/bbb`, { create: true, write: true });
    await file.truncate(70_000_000);
    let working: string[] = [];
    refuse((request) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get("partNumber") !== "2") return false;
      const [scratch] = namesIn(data).filter((name) => name.startsWith(".recto-work-"));
      working = namesIn(`${data}/${scratch}`);
      return true;
    });
    const failed = await run();
    assertEquals([failed.code, objects.size, open.size], [1, 0, 0]);
    // The database is copied after the files, and the archive is never on the disk.
    assertEquals(working, []);
    refuse(() => false);
    assertEquals((await backup([], at(1))).code, 0);
    assertEquals(objects.size, 1);
    assertEquals(names(), []);
  }));

Deno.test("an archive is read while it is sent, and appears only if it is sound", () =>
  withBoth(async ({ backup, data, environment }, { objects, open }) => {
    const large = `${data}/files/${"b".repeat(32)}/bb`;
    await Deno.mkdir(large, { recursive: true });
    using file = await Deno.open(`${large}/bbb`, { create: true, write: true });
    await file.truncate(40_000_000);
    assertEquals((await backup([], at(1))).code, 0);
    const [sound] = objects.values();
    assert(sound !== undefined);
    const place = openPlace(configWith((name) => environment[name], {}).backups.to);
    const store = (archive: Uint8Array) =>
      place.store("again.tar", ReadableStream.from([archive.slice()]), undefined);
    for (const at of [600, sound.length - 3_000]) {
      const damaged = sound.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      await assertRejects(() => store(damaged), ArchiveError);
    }
    await assertRejects(() => store(sound.slice(0, -1_024)), ArchiveError);
    assertEquals([objects.size, open.size], [1, 0]);
    assertEquals(await store(sound), sound.length);
    assertEquals(objects.size, 2);
  }));

Deno.test("an unreachable bucket, or one that refuses, is named without secrets", () =>
  withBoth(async ({ run, environment }, { refuse }) => {
    refuse(() => true);
    const refused = await run();
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "Bucket copies answered");
    environment.RECTO_S3_ENDPOINT = "http://127.0.0.1:1";
    const away = await run();
    assertEquals(away.code, 1);
    assertStringIncludes(away.stderr, "Bucket copies cannot be reached at http://127.0.0.1:1");
    environment.RECTO_S3_KEY_ID = "";
    assertStringIncludes((await run()).stderr, "RECTO_S3_KEY_ID must be set");
  }));

Deno.test("of files in a bucket the archive has a list, which a restore compares", () =>
  withBoth(async ({ run, restore, folder, archives, data, environment }, { objects }) => {
    Object.assign(environment, {
      RECTO_FILES: "s3",
      RECTO_S3_BUCKET: "files",
      RECTO_BACKUP_TO: archives,
    });
    runOn(`${data}/recto.db`, "DELETE FROM uploads");
    for (const id of ["one", "two"]) {
      objects.set(`/files/${objectKey(W, id)}`, new TextEncoder().encode(id));
      runOn(
        `${data}/recto.db`,
        `INSERT INTO uploads (workspace_id, id, status, blob, created_time, created_by, life)
         VALUES ('${W}', '${id}', 'uploaded', '${id}', 1, 'ann', 1)`,
      );
    }
    const made = await run(`${archives}/a.tar`);
    assertEquals([made.code, made.stderr], [0, ""]);
    assertStringIncludes(made.stdout, "a list of 2 files (6 B) in the bucket");
    const whole = await restore(`${archives}/a.tar`, "--to", `${folder}/r`);
    assertEquals([whole.code, whole.stdout.includes("Note")], [0, false]);
    objects.delete(`/files/${objectKey(W, "one")}`);
    const { stdout } = await restore(`${archives}/a.tar`, "--to", `${folder}/s`);
    assertStringIncludes(stdout, "Note: 1 of 2 files are not in the bucket, or changed since");
    assertEquals((await run(`${archives}/b.tar`)).code, 3);
  }));
