import { limitBytes } from "../../src/api/files/limit_bytes.ts";
import { AppError } from "../../src/shared/errors.ts";
import { announce, fetchOwn, put } from "../api/file_driver.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { withApp } from "../support/app.ts";

Deno.test("no more is read of a file than the chunk with which it becomes too large", async () => {
  let count = 0;
  async function* chunks() {
    for (; count < 9; count++) yield new Uint8Array(400);
  }
  const read = () => Array.fromAsync(limitBytes(chunks(), 1_000));
  await assertRejects(read, AppError, "larger than 1000 bytes");
  assertEquals(count, 2);
});

Deno.test("parts that are too large together are not joined, and can be replaced", () =>
  withApp(async (app) => {
    const announced = { mode: "multi_part", number_of_parts: 2, filename: "a.txt" };
    const { url, completeUrl = "" } = await announce(app, announced);
    const sendPart = (part: number, size: number) =>
      put(app, `${url}&part_number=${part}`, "x".repeat(size));
    for (const part of [1, 2]) assertEquals((await sendPart(part, 600)).status, 200);
    const complete = async () => {
      const response = await fetchOwn(app, completeUrl, { method: "POST" });
      await response.body?.cancel();
      return response.status;
    };
    assertEquals(await complete(), 413);
    assertEquals((await sendPart(2, 400)).status, 200);
    assertEquals(await complete(), 200);
  }, { environment: { RECTO_FILES_MAX_BYTES: "1000" } }));
