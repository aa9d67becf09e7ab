import fc from "fast-check";
import { fromSent, toSent, transferOf } from "../../../src/store/sqlite/sent_request.ts";
import type { WriteRequest } from "../../../src/store/writing.ts";
import { assertEquals } from "../../assert.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\ud800", "\udc00\ufeff", '"\\\n', "𐍈é"),
);
// More than are written between two pauses, too.
const changes = fc.array(fc.record({ kind: text, doc: text }), { maxLength: 60 });

Deno.test("a commit arrives as it was sent, whatever is in it and with or without a receipt", async () => {
  await fc.assert(
    fc.asyncProperty(text, changes, fc.option(fc.record({ key: text }), { nil: undefined }), async (
      workspace,
      changes,
      receipt,
    ) => {
      const args = receipt === undefined ? [workspace, changes] : [workspace, changes, receipt];
      // Sound because plain data is sent whatever its form is.
      const request = { method: "commit", args } as unknown as WriteRequest;
      const sent = await toSent(request);
      const arrived = structuredClone(sent, { transfer: transferOf(sent) });
      assertEquals(fromSent(arrived), request);
    }),
  );
});

Deno.test("the JSON of a commit is transferred without a copy", async () => {
  // Sound because plain data is sent whatever its form is.
  const request = { method: "commit", args: ["w", [{ kind: "k" }]] } as unknown as WriteRequest;
  const sent = await toSent(request);
  structuredClone(sent, { transfer: transferOf(sent) });
  assertEquals("json" in sent && sent.json.map(({ byteLength }) => byteLength), [0]);
});

Deno.test("a long document arrives whole, whatever character one of its parts begins with", async () => {
  for (const character of ["\ufeff", "𐍈", "é"]) {
    const changes = [{ op: "update", doc: character.repeat(250_000) }];
    // Sound because plain data is sent whatever its form is.
    const request = { method: "commit", args: ["w", changes] } as unknown as WriteRequest;
    assertEquals(fromSent(await toSent(request)), request);
  }
});
