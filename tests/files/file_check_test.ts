import { checkFiles } from "../../src/files/file_check.ts";
import type { FileRecord } from "../../src/store/port.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const FILE: FileRecord = { workspace: "w", id: "u", blob: "b", contentLength: 3, hash: "h" };

function failWith(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

Deno.test("a file that the disk fails to read is damaged, and any other error ends the check", async () => {
  const read = () => Promise.resolve([FILE]);
  const { damaged } = await checkFiles({ read, measure: failWith("EIO") }, undefined, 2);
  assertEquals(damaged, [{ workspace: "w", id: "u", issue: "cannot be read" }]);
  await assertRejects(() => checkFiles({ read, measure: failWith("EACCES") }, undefined, 2), Error);
});

Deno.test("a file whose upload expires during the check is not damaged", async () => {
  let stored: FileRecord[] = [FILE];
  const measure = () => {
    stored = [];
    return Promise.resolve(undefined);
  };
  const check = { read: () => Promise.resolve(stored), measure };
  assertEquals(await checkFiles(check, undefined, 2), {
    checked: 1,
    damaged: [],
    next: undefined,
  });
});
