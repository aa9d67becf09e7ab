/**
 * Stored files as `recto verify` finds them.
 *
 * @module
 */
import { createPaths } from "../../src/files/disk/paths.ts";
import { objectKey } from "../../src/files/s3/object_keys.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assertEquals } from "../assert.ts";
import { upload } from "../api/file_driver.ts";
import { rowsOf, runOn, withFile } from "../store/sqlite/files.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { withBucket } from "../support/bucket.ts";
import { runRecto } from "../support/recto.ts";

function verify(env: Readonly<Record<string, string>>): ReturnType<typeof runRecto> {
  return runRecto(["verify"], { env });
}

/** Returns the path of the bytes of an upload. */
function pathOf({ folder }: TestApp, id: string): string {
  const [row] = rowsOf(`${folder}/recto.db`, `SELECT blob FROM uploads WHERE id = '${id}'`);
  return createPaths(`${folder}/files`).blob("default", String(row?.blob));
}

function sentence(id: string, issue: string): string {
  return `The file of upload ${id} in workspace default ${issue}`;
}

Deno.test("verify reads every file on disk, also while a server runs, and names the damaged uploads", () =>
  withApp(async (app) => {
    const ids = [];
    for (const text of ["sound", "changed", "changed", "longer", "missing"]) {
      ids.push(await upload(app, text));
    }
    const environment = { RECTO_DATA_DIR: app.folder };
    assertEquals(await verify(environment), {
      code: 0,
      stdout: "Checked 6 documents and 5 files: nothing is damaged\n",
      stderr: "",
    });
    const [, first = "", second = "", longer = "", missing = ""] = ids;
    assertEquals(pathOf(app, first), pathOf(app, second));
    Deno.writeTextFileSync(pathOf(app, first), "chanfed");
    Deno.writeTextFileSync(pathOf(app, longer), "longer!");
    Deno.removeSync(pathOf(app, missing));
    const { code, stdout, stderr } = await verify(environment);
    assertEquals([code, stdout], [
      3,
      "Checked 6 documents and 5 files: something is damaged\n",
    ]);
    const expected = [
      sentence(first, "does not match its SHA-256"),
      sentence(second, "does not match its SHA-256"),
      sentence(longer, "has 7 bytes in place of 6"),
      sentence(missing, "is missing"),
    ];
    assertEquals(stderr.trim().split("\n").sort(), expected.sort());
  }));

Deno.test("verify compares the sizes of files in a bucket", () =>
  withFile((path) =>
    withBucket(async ({ endpoint, objects }) => {
      await openSqliteStore(path).close();
      for (const [id, text] of [["sound", "abc"], ["shorter", "ab"], ["missing", undefined]]) {
        runOn(
          path,
          `INSERT INTO uploads
             (workspace_id, id, status, blob, content_length, created_time, created_by, life)
           VALUES ('default', '${id}', 'uploaded', '${id}', 3, 1, 'ann', 1)`,
        );
        if (id === undefined || text === undefined) continue;
        objects.set(`/files/${objectKey("default", id)}`, new TextEncoder().encode(text));
      }
      const found = await verify({
        DATABASE_URL: `sqlite:${path}`,
        RECTO_FILES: "s3",
        RECTO_S3_ENDPOINT: endpoint,
        RECTO_S3_BUCKET: "files",
        RECTO_S3_KEY_ID: "k",
        RECTO_S3_SECRET: "s",
      });
      assertEquals(found, {
        code: 3,
        stdout: "Checked 3 documents (3 have no checksum yet) and 3 files: something is damaged\n",
        stderr: `${sentence("missing", "is missing")}\n${
          sentence("shorter", "has 2 bytes in place of 3")
        }\n`,
      });
    })
  ));
