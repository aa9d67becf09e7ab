import { assertEquals } from "../assert.ts";
import { announce, filesIn, PNG, post, put, upload } from "../api/file_driver.ts";
import { withApp } from "../support/app.ts";

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
