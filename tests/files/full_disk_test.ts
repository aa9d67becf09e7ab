import { assertEquals } from "../assert.ts";
import { announce, filesIn, PNG, post, put, upload } from "../api/file_driver.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { newPage } from "../api/driver.ts";

/** Runs work while no file takes a byte more. */
async function withFullDisk(code: string, work: () => Promise<void>): Promise<void> {
  const { write } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.write = () => Promise.reject(Object.assign(new Error(code), { code }));
  try {
    await work();
  } finally {
    Deno.FsFile.prototype.write = write;
  }
}

for (
  const [code, told, retryAfter] of [
    ["ENOSPC", "storage_full", "30"],
    ["EDQUOT", "storage_full", "30"],
    ["EROFS", "storage_read_only", "5"],
    ["EACCES", "storage_read_only", "5"],
  ] as const
) {
  Deno.test(`an upload is ${told} where the disk says ${code}, leaves nothing, and can be sent again`, () =>
    withApp(async (app) => {
      const { url } = await announce(app, { filename: "a.png", content_type: PNG });
      const file = new File(["content"], "a.png", { type: PNG });
      await withFullDisk(code, async () => {
        for (
          const sent of [
            await put(app, url, "content", { type: PNG }),
            await post(app, url, { file }),
          ]
        ) {
          assertEquals([sent.status, sent.json.code], [503, told]);
          assertEquals(sent.headers.get("retry-after"), retryAfter);
        }
        assertEquals(filesIn(app.folder), []);
      });
      assertEquals((await put(app, url, "content", { type: PNG })).status, 200);
    }));
}

Deno.test("any other disk error is an internal error", () =>
  withApp(async (app) => {
    const { url } = await announce(app, {});
    await withFullDisk("EIO", async () => {
      assertEquals((await put(app, url, "content")).status, 500);
    });
    await upload(app);
  }));

/** Milliseconds after which file storage is probed again. */
const AGE = 5_000;

/** Returns the reasons why the service is not ready; empty if it is. */
async function readiness({ call }: Pick<TestApp, "call">): Promise<string> {
  const { status, json } = await call("GET /readyz", { token: null });
  return status === 200 ? "" : json.detail;
}

for (
  const [code, state] of [
    ["ENOSPC", "is full"],
    ["EDQUOT", "is full"],
    ["EROFS", "is read-only"],
    ["EACCES", "is read-only"],
    ["EIO", "is unreachable"],
  ] as const
) {
  Deno.test(`the service is not ready while the disk of files says ${code}, whatever the database does`, async () => {
    let time = Date.now();
    await withApp(async (app) => {
      const { url } = await announce(app, {});
      assertEquals(await readiness(app), "");
      await withFullDisk(code, async () => {
        await put(app, url, "content");
        for (let round = 0; round < 3; round++) {
          time += AGE;
          await newPage(app);
          assertEquals(await readiness(app), `Not ready: file storage ${state}`);
        }
      });
      assertEquals(await readiness(app), `Not ready: file storage ${state}`, "the cached result");
      time += AGE;
      assertEquals(await readiness(app), "");
    }, { now: () => time });
  });
}

Deno.test("a probe of the disk leaves nothing but its folder, and deletes what a crash left", async () => {
  let time = Date.now();
  await withApp(async (app) => {
    const folder = `${app.folder}/files`;
    assertEquals(await readiness(app), "");
    assertEquals([...Deno.readDirSync(folder)], []);
    assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
    await Deno.writeTextFile(`${folder}/probe`, "left by a crash");
    time += AGE;
    assertEquals(await readiness(app), "");
    assertEquals([...Deno.readDirSync(folder)], []);
    await withFullDisk("ENOSPC", async () => {
      time += AGE;
      assertEquals(await readiness(app), "Not ready: file storage is full");
    });
    assertEquals([...Deno.readDirSync(folder)], []);
  }, { now: () => time });
});

Deno.test("a disk is probed once in five seconds, however often readiness is asked for", async () => {
  let time = Date.now();
  const { write } = Deno.FsFile.prototype;
  let written = 0;
  Deno.FsFile.prototype.write = async function (bytes) {
    const count = await write.call(this, bytes);
    written += count;
    return count;
  };
  try {
    await withApp(async (app) => {
      for (let round = 0; round < 2; round++) {
        await Promise.all(Array.from({ length: 20 }, () => readiness(app)));
        time += AGE;
      }
      assertEquals(written, 2 * 65_536);
    }, { now: () => time });
  } finally {
    Deno.FsFile.prototype.write = write;
  }
});
