/**
 * Archives with more members than one list of checksums names.
 *
 * @module
 */
import { readArchive } from "../../../src/cli/backup/archive_reader.ts";
import { createArchiveWriter } from "../../../src/cli/backup/archive_writer.ts";
import { LIST_LENGTH } from "../../../src/cli/backup/manifest.ts";
import { assertEquals, assertRejects } from "../../assert.ts";

const encoder = new TextEncoder();

/** Writes an archive of small members. */
async function write(count: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const writer = createArchiveWriter((bytes) => {
    parts.push(bytes.slice());
    return Promise.resolve();
  }, 1_000);
  for (let index = 0; index < count; index++) {
    const content = encoder.encode(`content ${index}`);
    await writer.add(`files/${index}`, content.length, ReadableStream.from([content]));
  }
  await writer.end({
    recto: "1",
    schema: "s",
    time: "2026-11-22T00:00:00.000Z",
    database: "sqlite",
    files: { store: "disk", count, bytes: 0, missing: 0 },
  });
  return await new Blob(parts.map((part) => new Uint8Array(part))).bytes();
}

/** Reads an archive; returns the names of its members. */
async function read(bytes: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  await readArchive(ReadableStream.from([bytes]), async ({ name, chunks }) => {
    names.push(name);
    for await (const _ of chunks);
  });
  return names;
}

for (const count of [0, 1, LIST_LENGTH - 1, LIST_LENGTH, LIST_LENGTH + 1, 2 * LIST_LENGTH + 3]) {
  Deno.test(`an archive of ${count} members is read completely`, async () => {
    const names = Array.from({ length: count }, (_, index) => `files/${index}`);
    assertEquals(await read(await write(count)), names);
  });
}

Deno.test("a changed member of any list is named, and so is a changed list", async () => {
  const bytes = await write(2 * LIST_LENGTH + 3);
  const text = new TextDecoder("latin1").decode(bytes);
  for (const index of [0, LIST_LENGTH - 1, LIST_LENGTH, 2 * LIST_LENGTH + 2]) {
    const changed = bytes.slice();
    changed.set(encoder.encode("X"), text.indexOf(`content ${index}\0`));
    await assertRejects(() => read(changed), Error, `at files/${index}: its checksum differs`);
  }
  for (const number of [1, 2, 3]) {
    const name = `checksums/00000${number}.json`;
    const changed = bytes.slice();
    // A digit of a checksum in it: the JSON stays valid.
    const at = text.indexOf('"]', text.indexOf(name) + 512) - 1;
    changed[at] = text[at] === "0" ? 0x31 : 0x30;
    await assertRejects(() => read(changed), Error, "its checksum differs");
  }
});
