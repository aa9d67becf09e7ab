/**
 * The tar format: read strictly, and understood by others.
 *
 * @module
 */
import fc from "fast-check";
import { ArchiveError } from "../../../src/cli/backup/archive_error.ts";
import { createByteReader } from "../../../src/cli/backup/byte_reader.ts";
import { readTar, TAR_END, tarHeader, tarPadding } from "../../../src/cli/backup/tar.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../assert.ts";

type Member = readonly [name: string, content: Uint8Array];

function pack(members: readonly Member[]): Uint8Array {
  const parts = members.flatMap(([name, content]) => [
    ...[tarHeader({ name, size: content.length, time: 7 }), content, tarPadding(content.length)],
  ]);
  return concatenate([...parts, TAR_END]);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads members from a stream whose chunks have this length. */
async function unpack(bytes: Uint8Array, length = 1_000): Promise<Member[]> {
  const chunks = Array.from(
    { length: Math.ceil(bytes.length / length) },
    (_, index) => bytes.slice(index * length, (index + 1) * length),
  );
  const members: Member[] = [];
  for await (
    const { name, chunks: own } of readTar(createByteReader(ReadableStream.from(chunks)))
  ) {
    members.push([name, concatenate(await Array.fromAsync(own, (chunk) => chunk.slice()))]);
  }
  return members;
}

const name = fc.stringMatching(/^[a-z0-9]{1,90}(?:\/[a-z0-9._-]{1,200})?$/);
const members = fc.array(fc.tuple(name, fc.uint8Array({ maxLength: 1_500 })), { maxLength: 4 });

Deno.test("what is packed is read again, however its bytes arrive", () =>
  fc.assert(
    fc.asyncProperty(members, fc.integer({ min: 1, max: 2_000 }), async (given, length) => {
      assertEquals(await unpack(pack(given), length), given);
    }),
    { numRuns: 100 },
  ));

Deno.test("no bit of the frame can change unnoticed, and no byte be missing or added", () =>
  fc.assert(
    fc.asyncProperty(members, fc.nat(), fc.nat({ max: 7 }), async (given, place, bit) => {
      const bytes = pack(given);
      const changed = bytes.slice();
      const index = place % bytes.length;
      changed[index] = (changed[index] ?? 0) ^ (1 << bit);
      const read = await unpack(changed).catch((error: unknown) => error);
      // Within a member a checksum notices it.
      const isContent = Array.isArray(read) &&
        read.some(([, content], at) => !isEqual(content, given[at]?.[1]));
      assert(read instanceof ArchiveError || isContent, `byte ${index} of ${bytes.length}`);
      await assertRejects(() => unpack(bytes.slice(0, index)), ArchiveError);
      await assertRejects(() => unpack(concatenate([bytes, new Uint8Array(1)])), ArchiveError);
    }),
    { numRuns: 200 },
  ));

function isEqual(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a.length === b?.length && a.every((byte, index) => byte === b[index]);
}

Deno.test("a member of 8 GiB and more has a size that others read, too", async () => {
  const size = 9 * 1024 ** 3 + 5;
  const header = tarHeader({ name: "database.sqlite", size, time: 1_700_000_000 });
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    await Deno.writeFile(`${folder}/a.tar`, concatenate([header, new Uint8Array(512)]));
    const command = new Deno.Command("tar", { args: ["-tvf", `${folder}/a.tar`] });
    const listed = new TextDecoder().decode((await command.output()).stdout);
    assert(listed.includes(` ${size} `) && listed.includes("database.sqlite"), listed);
    const own = readTar(createByteReader(ReadableStream.from([header])));
    assertEquals((await own.next()).value?.size, size);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a name that does not fit is refused", () => {
  for (const wrong of ["", "a".repeat(401), "ä", "a b"]) {
    assertThrows(() => tarHeader({ name: wrong, size: 0, time: 0 }), Error, "No name");
  }
});
