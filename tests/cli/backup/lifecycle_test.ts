/**
 * Backups over time: several of them, interrupted ones, and what is restored over what.
 *
 * @module
 */
import { cp } from "node:fs/promises";
import fc from "fast-check";
import { backup } from "../../../src/cli/backup.ts";
import { startScheduler } from "../../../src/cli/backup/scheduler.ts";
import { type BackupSchedule, nextBackup, SCHEDULE } from "../../../src/config/backup_schedule.ts";
import { backupMetrics, readBackupStatus } from "../../../src/health/backup_status.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { rowsOf, runOn } from "../../store/sqlite/files.ts";
import { filesIn } from "../../support/backups.ts";
import { namesIn, withBackups } from "./support.ts";

async function temporaryFolder(dir: string) {
  const path = await Deno.makeTempDir({ dir, prefix: "recto-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

const at = (hour: number) => Date.UTC(2026, 10, 22, hour);
const nameOf = (hour: number) => `recto-2026-11-22T${String(hour).padStart(2, "0")}-00-00Z.tar`;

Deno.test("--keep deletes the oldest archives and nothing else, once the new one is there", () =>
  withBackups(async ({ backup, names, archives, data }) => {
    for (const hour of [1, 2, 3]) await backup([], at(hour));
    await Deno.writeTextFile(`${archives}/recto-notes.tar`, "");
    const { stdout } = await backup(["--keep", "2"], at(4));
    assertMatch(stdout, new RegExp(`Deleted \\S+/${nameOf(1)}\nDeleted \\S+/${nameOf(2)}\n$`));
    assertEquals(names(), [nameOf(3), nameOf(4), "recto-notes.tar"]);
    await Deno.rename(`${data}/recto.db`, `${data}/away.db`);
    assertEquals((await backup(["--keep", "1"], at(5))).code, 1);
    assertEquals(names(), [nameOf(3), nameOf(4), "recto-notes.tar"]);
  }));

Deno.test("--keep neither counts nor deletes archives with a later time, and names them", () =>
  withBackups(async ({ run, names, archives }) => {
    await Deno.mkdir(archives);
    const later = [1, 2].map((hour) => `recto-2996-11-22T0${hour}-00-00Z.tar`);
    const earlier = [nameOf(1), nameOf(2)].map((name) => name.replace("2026", "1996"));
    for (const name of [...earlier, ...later]) await Deno.writeTextFile(`${archives}/${name}`, "");
    const { code, stdout, stderr } = await run("--keep", "2");
    const [, own = ""] = /^Wrote and checked \S+\/(\S+): /.exec(stdout) ?? [];
    assertEquals(code, 0);
    assertEquals(names(), [...earlier.slice(1), own, ...later]);
    assertStringIncludes(
      stderr,
      `${archives}/${later[0]}, ${archives}/${later[1]}. Check the clock`,
    );
  }));

Deno.test("neither an impossible time nor a folder is taken for an archive", () =>
  withBackups(async ({ restore, archives }) => {
    await Deno.mkdir(archives);
    await Deno.writeTextFile(`${archives}/recto-2026-13-22T01-00-00Z.tar`, "");
    await Deno.mkdir(`${archives}/${nameOf(1)}`);
    await Deno.symlink("nowhere", `${archives}/${nameOf(2)}`);
    assertStringIncludes((await restore("--list")).stdout, "There is no backup in");
  }));

Deno.test("a lost file is counted, ends with 3, keeps older archives, and is a failure to metrics", () =>
  withBackups(async ({ backup, addFile, names, data }) => {
    await backup([], at(1));
    await Deno.remove(await addFile("lost"));
    const { code, stderr } = await backup(["--keep", "1"], at(2));
    assertEquals(code, 3);
    assertStringIncludes(stderr, "1 files that the database names are missing (2 are there)");
    assertEquals(names(), [nameOf(1), nameOf(2)]);
    const { lastSuccess, lastFailure } = await readBackupStatus(data);
    assertEquals([lastSuccess, lastFailure], [at(1), at(2)]);
  }));

Deno.test("restore lists archives, and --at takes the latest that was made by then", () =>
  withBackups(async ({ backup, restore, data, folder, archives }) => {
    for (const hour of [1, 5]) {
      runOn(`${data}/recto.db`, `UPDATE nodes SET title = 'at ${hour}'`);
      await backup([], at(hour));
    }
    const listed = await restore("--list");
    assertMatch(listed.stdout, /^2026-11-22T01:00:00Z +\S+ kB {2}recto-\S+01-00-00Z.tar\n2026-/);
    const titleAt = async (time: string, target: string) => {
      const to = ["--to", `${folder}/${target}`];
      const { code, stderr } = await restore("--at", time, ...to, "--from", archives);
      assertEquals([code, stderr], [0, ""]);
      return rowsOf(`${folder}/${target}/recto.db`, "SELECT title FROM nodes")[0]?.title;
    };
    assertEquals(await titleAt("2026-11-22T04:59", "a"), "at 1");
    assertEquals(await titleAt("2026-11-22T05:00:00Z", "b"), "at 5");
    assertEquals(await titleAt("2026-11-22T05:30+01:00", "c"), "at 1");
    assertEquals(await titleAt("2026-11-22", "d"), "at 5");
    const early = await restore("--at", "2026-11-21", "--to", `${folder}/e`);
    assertEquals(early.code, 1);
    assertStringIncludes(early.stderr, `There is no backup from before`);
    for (const wrong of [[], ["--at", "soon"], ["--list", "a"], ["a", "--from", "b"]]) {
      assertEquals((await restore(...wrong)).code, 2, wrong.join(" "));
    }
  }));

Deno.test("--replace leaves nothing of what was there before", () =>
  withBackups(async ({ backup, restore, data, addFile }) => {
    const { archive, restored } = await backup();
    const later = await addFile("later");
    runOn(`${data}/recto.db`, "UPDATE nodes SET title = 'later'");
    await Deno.writeTextFile(`${data}/local_issuer.jwk.json`, "{}");
    const refused = await restore(archive);
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "recto.db holds nodes");
    assertEquals(await Deno.readTextFile(later), "later");
    assertEquals((await restore(archive, "--replace")).code, 0);
    const content = async (folder: string) =>
      (await Array.fromAsync(filesIn(folder))).filter((name) => !name.startsWith("backup")).sort();
    assertEquals(await content(data), await content(restored));
    assertEquals(rowsOf(`${data}/recto.db`, "SELECT title FROM nodes"), [{ title: "Title of p" }]);
    assertEquals(
      await Deno.readTextFile(`${data}/local_issuer.jwk.json`),
      await Deno.readTextFile(`${restored}/local_issuer.jwk.json`),
    );
  }));

Deno.test("a restore puts database and files on the file systems that they are to be on", () =>
  withBackups(async ({ backup, restore, data, folder, environment }) => {
    const { archive } = await backup();
    // Another file system than that of temporary folders on most machines.
    await using elsewhere = await temporaryFolder(
      await isFolder("/dev/shm") ? "/dev/shm" : folder,
    );
    const target = `${folder}/target`;
    await Deno.mkdir(`${elsewhere.path}/files`);
    await Deno.mkdir(target);
    await Deno.symlink(`${elsewhere.path}/files`, `${target}/files`);
    environment.RECTO_DATA_DIR = target;
    environment.DATABASE_URL = `sqlite:${elsewhere.path}/own/recto.db`;
    // What a restore that was killed has left.
    await Deno.mkdir(`${target}/files/.recto-restoring/${"a".repeat(32)}`, { recursive: true });
    await Deno.mkdir(`${elsewhere.path}/own/recto.db.restoring`, { recursive: true });
    const { code, stderr } = await restore(archive);
    assertEquals([code, stderr], [0, ""]);
    assertEquals(rowsOf(`${elsewhere.path}/own/recto.db`, "SELECT id FROM nodes"), [{ id: "p" }]);
    assertEquals(namesIn(`${elsewhere.path}/own`), ["recto.db"]);
    const content = async (at: string) => (await Array.fromAsync(filesIn(`${at}/files`))).sort();
    assertEquals(await content(elsewhere.path), await content(data));
    assert((await Deno.lstat(`${target}/files`)).isSymlink);
  }));

Deno.test("files that come and go during backups never leave one without a file that it names", () =>
  withBackups(async ({ backup, addFile, data }) => {
    let isBusy = true;
    const busy = (async () => {
      for (let index = 0; isBusy; index++) {
        const path = await addFile(`file ${index}`);
        // As the sweeper does: the row first, then the file.
        if (index % 10 !== 0) {
          const blob = path.slice(path.lastIndexOf("/") + 1);
          runOn(`${data}/recto.db`, `DELETE FROM uploads WHERE blob = '${blob}'`);
          await Deno.remove(path);
        }
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    })();
    // Each is restored, and every file that its database names is read.
    for (const hour of [1, 2, 3]) assertEquals((await backup([], at(hour))).code, 0);
    isBusy = false;
    await busy;
  }));

Deno.test("a backup that is killed leaves no archive, and the next one cleans up", () =>
  withBackups(async ({ backup, data, archives, names }) => {
    const large = `${data}/files/${"b".repeat(32)}/bb`;
    await Deno.mkdir(large, { recursive: true });
    using file = await Deno.open(`${large}/bbb`, { create: true, write: true });
    await file.truncate(300_000_000);
    const run = ["run", "--no-prompt", "--no-check", "-A", "src/cli/backup.ts"];
    const child = new Deno.Command(Deno.execPath(), {
      args: run,
      env: { RECTO_DATA_DIR: data, RECTO_BACKUP_TO: archives },
      stdout: "null",
    }).spawn();
    while (namesIn(archives).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    child.kill("SIGKILL");
    await child.status;
    assertEquals(names().filter((name) => name.startsWith("recto-")), []);
    assert(names().length === 1 && namesIn(data).some((name) => name.startsWith(".recto-work-")));
    await Deno.remove(`${large}/bbb`);
    // Nobody has written to it for hours.
    const [partial = ""] = names();
    await Deno.utime(`${archives}/${partial}`, 1, 1);
    await backup([], at(1));
    assertEquals(names(), [nameOf(1)]);
    assertEquals(namesIn(data).filter((name) => name.startsWith(".recto-work-")), []);
  }));

Deno.test("two backups of one service do not run at a time", () =>
  withBackups(async ({ run, names, folder }) => {
    const both = await Promise.all([run(), run(`${folder}/archives/b.tar`)]);
    assertEquals(both.map(({ code }) => code).sort(), [0, 1]);
    assertStringIncludes(both.map(({ stderr }) => stderr).join(""), "Another backup or restore is");
    assertEquals(names().length, 1);
  }));

Deno.test("two services that back up to one folder at a time do not harm each other's archives", () =>
  withBackups(async ({ data, folder, archives, names, restore }) => {
    await cp(data, `${folder}/other`, { recursive: true });
    for (const hour of [1, 2]) {
      const both = await Promise.all([data, `${folder}/other`].map((RECTO_DATA_DIR) => {
        const variables: Record<string, string> = { RECTO_DATA_DIR, RECTO_BACKUP_TO: archives };
        return backup([], { environment: (name) => variables[name], now: at(hour) });
      }));
      assertEquals(both.map(({ code }) => code).sort(), [0, 1]);
      assertStringIncludes(both.map(({ stderr }) => stderr).join(""), "The file already exists");
    }
    assertEquals(names(), [nameOf(1), nameOf(2)]);
    for (const name of names()) {
      const { code, stderr } = await restore(`${archives}/${name}`, "--to", `${folder}/${name}`);
      assertEquals([code, stderr], [0, ""]);
    }
  }));

Deno.test("metrics tell when the last backup succeeded or failed", () =>
  withBackups(async ({ backup, data }) => {
    const read = async () =>
      Object.fromEntries(
        await Promise.all(backupMetrics(data).map(async ({ name, read }) => [name, await read()])),
      );
    assertEquals((await read()).recto_backup_last_success_timestamp_seconds, []);
    await backup([], at(1));
    await Deno.rename(`${data}/recto.db`, `${data}/away.db`);
    await backup([], at(2));
    const found = await read();
    assertEquals(found.recto_backup_last_success_timestamp_seconds, [[{}, at(1) / 1_000]]);
    assertEquals(found.recto_backup_last_failure_timestamp_seconds, [[{}, at(2) / 1_000]]);
    assert(found.recto_backup_size_bytes[0][1] > 100_000);
  }));

const schedules: fc.Arbitrary<BackupSchedule> = fc.oneof(
  fc.record({ kind: fc.constant("daily" as const), minute: fc.nat({ max: 1_439 }) }),
  fc.constantFrom(1, 30, 60, 360, 1_440).map((minutes) => ({ kind: "every" as const, minutes })),
);

Deno.test("the next backup is after now, and within one period", () =>
  fc.assert(fc.property(schedules, fc.nat({ max: 4e12 }), (schedule, now) => {
    const next = nextBackup(schedule, now);
    const period = (schedule.kind === "daily" ? 1_440 : schedule.minutes) * 60_000;
    assert(next > now && next <= now + period);
    const minute = Math.floor(next / 60_000) % 1_440;
    assertEquals(next % 60_000, 0);
    if (schedule.kind === "daily") assertEquals(minute, schedule.minute);
    else assertEquals(minute % schedule.minutes, 0);
  })));

Deno.test("schedules are daily at a time, or every part of a day", () => {
  for (const text of ["daily 03:00", "daily 23:59", "every 6h", "every 30m", "every 24h"]) {
    assert(SCHEDULE.accepts(text), text);
  }
  for (const text of ["daily", "daily 3:00", "daily 24:00", "every 7h", "every 0h", "0 3 * * *"]) {
    assert(!SCHEDULE.accepts(text), text);
  }
});

/** A scheduler of backups every 10 minutes, with its clock. */
function startTestScheduler() {
  let elapsed = 0;
  /** Milliseconds by which the clock was set. */
  let offset = 0;
  let code = 0;
  let runs = 0;
  const now = () => elapsed + offset;
  const timers: { readonly due: number; readonly work: () => void }[] = [];
  const lines: unknown[][] = [];
  const scheduler = startScheduler({
    schedule: { kind: "every", minutes: 10 },
    now,
    log: { event: (...line) => lines.push(line) },
    after: (delay, work) => {
      const timer = { due: elapsed + delay, work };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
    run: () => {
      runs++;
      return Promise.resolve({ code, output: "Cannot back up:\n  - The disk is full\n" });
    },
  });
  /** Lets the time pass to the next timer, which may be early. */
  const fire = async (early = 0) => {
    const timer = timers.shift();
    elapsed = (timer?.due ?? elapsed) - early;
    timer?.work();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const untilRun = async () => {
    for (const before = runs; runs === before;) await fire();
    return now();
  };
  return {
    scheduler,
    lines,
    timers,
    fire,
    untilRun,
    runs: () => runs,
    setClock: (time: number) => offset = time - elapsed,
    fail: () => code = 1,
  };
}

Deno.test("the scheduler makes a backup at each time, logs how it ended, and stops", async () => {
  const { scheduler, lines, timers, fire, untilRun, runs, fail } = startTestScheduler();
  for (let minute = 0; minute < 9; minute++) await fire();
  await fire(1);
  assertEquals(runs(), 0, "a timer that is early waits for the rest");
  assertEquals(await untilRun(), 600_000);
  fail();
  assertEquals([await untilRun(), runs()], [1_200_000, 2]);
  assertEquals(lines.map(([level, message]) => [level, message]), [
    ["info", "Backup succeeded"],
    ["error", "Backup failed"],
  ]);
  assertEquals(lines[1]?.[2], { detail: "Cannot back up: The disk is full" });
  await scheduler.stop();
  assertEquals(timers.length, 0);
});

Deno.test("the scheduler follows a clock that is set back or forward", async () => {
  const { scheduler, untilRun, setClock } = startTestScheduler();
  const minute = 60_000;
  const years = Date.UTC(2036, 0, 1);
  setClock(years);
  assertEquals(await untilRun(), years + minute, "within a minute");
  setClock(0);
  assertEquals([await untilRun(), await untilRun()], [10 * minute, 20 * minute]);
  await scheduler.stop();
});
