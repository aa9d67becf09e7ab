import { readForm } from "../../src/http/form.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

/** Reads a form whose file is followed by these further parts; returns the length of the file. */
async function readLength(further: string): Promise<number> {
  const body = new TextEncoder().encode(`${FILE}text${further}\r\n--b--\r\n`);
  const chunks = ReadableStream.from([body]);
  const { file } = await readForm(
    { type: "multipart/form-data; boundary=b" },
    chunks,
    async (file) => (await Array.fromAsync(file.chunks)).flatMap((chunk) => [...chunk]).length,
  );
  return file;
}

Deno.test("a form has up to 16 parts, empty ones too", async () => {
  assertEquals(await readLength("\r\n--b\r\n\r\n".repeat(15)), 4);
  for (const count of [16, 20_000]) {
    const error = await assertRejects(() => readLength("\r\n--b\r\n\r\n".repeat(count)), AppError);
    assertEquals([error.code, error.message], [
      "invalid_request",
      "The form is malformed: it has more than 16 parts",
    ]);
  }
});
