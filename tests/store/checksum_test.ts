import * as fc from "fast-check";
import { assertIntact, checksumOf, isIntact } from "../../src/store/checksum.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

const text = fc.string({ unit: "binary", maxLength: 300 });
const document = fc.record({ id: text, title: text, doc: text });
const member = fc.constantFrom("id" as const, "title" as const, "doc" as const);

Deno.test("a document is intact under its own checksum, which fits into 32 bits", () =>
  fc.assert(fc.property(document, (one) => {
    const checksum = checksumOf(one);
    assertEquals(checksum, checksum | 0);
    assert(isIntact(one, checksum));
  })));

Deno.test("one character that is changed anywhere always shows", () =>
  fc.assert(
    fc.property(
      document,
      member,
      fc.nat(),
      fc.integer({ min: 1, max: 0xffff }),
      (one, name, n, bits) => {
        const was = one[name];
        fc.pre(was.length > 0);
        const at = n % was.length;
        const changed = String.fromCharCode(was.charCodeAt(at) ^ bits);
        const damaged = { ...one, [name]: was.slice(0, at) + changed + was.slice(at + 1) };
        assert(!isIntact(damaged, checksumOf(one)));
      },
    ),
  ));

Deno.test("text that is cut off shows, as does another text, another node's, or one moved to the title", () =>
  fc.assert(fc.property(document, document, fc.nat(), (one, other, n) => {
    const { id, title, doc } = one;
    const cut = { ...one, doc: doc.slice(0, n % (doc.length + 1)) };
    const moved = { id, title: title + doc.slice(0, 1), doc: doc.slice(1) };
    for (const damaged of [cut, moved, other, { ...one, id: other.id }]) {
      const isSame = JSON.stringify(damaged) === JSON.stringify(one);
      assertEquals(isIntact(damaged, checksumOf(one)), isSame);
    }
  })));

const piece = fc.record({
  unit: fc.constantFrom("a", "\0", "é", "語", "\u{1f600}", "\ud800", "\ufffd"),
  count: fc.oneof(fc.nat({ max: 3 }), fc.constantFrom(1_023, 1_024, 65_535, 65_536, 70_000)),
});

Deno.test("a checksum is FNV-1a of the characters, however long and whatever they are", () => {
  const fold = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);
  const pieces = fc.array(piece, { maxLength: 4 });
  fc.assert(fc.property(pieces, (pieces) => {
    const doc = pieces.map(({ unit, count }) => unit.repeat(count)).join("");
    let hash = 0x811c9dc5;
    for (const text of ["id", "title", doc]) {
      for (let at = 0; at < text.length; at++) hash = fold(hash, text.charCodeAt(at));
      hash = fold(hash, 0x10000);
    }
    assertEquals(checksumOf({ id: "id", title: "title", doc }), hash);
  }));
});

Deno.test("a document from before checksums must be JSON", () => {
  const one = { id: "a", title: "", doc: '{"a":1}' };
  assert(isIntact(one, null));
  assert(!isIntact({ ...one, doc: '{"a":#1}' }, null));
});

Deno.test("assertIntact() names node and workspace to the log, and the node alone to the client", () => {
  const one = { id: "node-1", title: "", doc: '{"a":1}' };
  assertIntact("w1", one, checksumOf(one));
  const error = assertThrows(() => assertIntact("w1", one, checksumOf(one) ^ 1), AppError);
  assertEquals([error.code, error.status], ["data_corrupted", 500]);
  assert(error.message.includes("node-1") && !error.message.includes("w1"));
  assertEquals(
    String(error.cause),
    "DamagedDocument: Stored document node-1 in workspace w1 does not match its checksum",
  );
});
