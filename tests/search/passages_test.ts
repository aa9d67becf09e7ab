import fc from "fast-check";
import { passagesOf } from "../../src/search/passages.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("passagesOf() joins short blocks, and returns the block that each passage begins with", () => {
  const blocks = ["a", "b", "c"].map((id) => ({ id, text: `${id} `.repeat(450).trim() }));
  const passages = passagesOf({ title: "T", blocks });
  assertEquals(passages.map(({ blockId }) => blockId), ["a", "c"]);
  assertEquals(passages.map(({ title }) => title), ["T", "T"]);
  assertEquals(passages[0]?.text, `${blocks[0]?.text}\n${blocks[1]?.text}`);
});

Deno.test("passagesOf() returns one passage for a page with only a title, none for a blank page", () => {
  assertEquals(passagesOf({ title: "Plan", blocks: [{ id: "a", text: " " }] }), [
    { title: "Plan", text: "", blockId: null },
  ]);
  assertEquals(passagesOf({ title: " ", blocks: [] }), []);
});

Deno.test("passagesOf() splits a long block at a space or, without spaces, anywhere", () => {
  const words = passagesOf({ title: "", blocks: [{ id: "a", text: "word ".repeat(2_000) }] });
  assertEquals(words.map(({ blockId }) => blockId), ["a", "a", "a"]);
  assert(words.every(({ text }) => /^(?:word )*word$/.test(text)));
  const unbroken = passagesOf({ title: "", blocks: [{ id: "a", text: "字".repeat(9_000) }] });
  assertEquals(unbroken.map(({ text }) => text.length), [4_000, 4_000, 1_000]);
});

Deno.test("passagesOf() limits the title that each passage repeats", () => {
  const passages = passagesOf({ title: "Gulls ".repeat(9_000), blocks: [{ id: "a", text: "b" }] });
  assertEquals(passages.map(({ title }) => title), ["Gulls ".repeat(83).trim()]);
});

Deno.test("passagesOf() splits no character, in texts and titles", () => {
  const text = `a${"🚀".repeat(9_000)}`;
  const passages = passagesOf({ title: `${text}`, blocks: [{ id: "a", text }] });
  assertEquals(passages.map(({ text }) => text).join(""), text);
  assert(passages.every(({ title, text }) => title.isWellFormed() && text.isWellFormed()));
});

Deno.test("passagesOf() loses no word of a page, and passages stay short", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 6_000 });
  const blocks = fc.array(text, { maxLength: 12 }).map((texts) =>
    texts.map((text, index) => ({ id: `${index}`, text }))
  );
  fc.assert(
    fc.property(blocks, (blocks) => {
      const passages = passagesOf({ title: "", blocks });
      const letters = (texts: readonly string[]) => texts.join("").replace(/\s/g, "");
      const kept = letters(passages.map(({ text }) => text));
      assertEquals(kept, letters(blocks.map(({ text }) => text)));
      assert(passages.every(({ text }) => text.length <= 4_000));
    }),
    { numRuns: 50 },
  );
});

Deno.test("passagesOf() limits the passages of a very long page", () => {
  const blocks = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, text: "x".repeat(1_500) }));
  assertEquals(passagesOf({ title: "", blocks }).length, 64);
});
