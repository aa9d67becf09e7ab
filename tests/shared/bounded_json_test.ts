import fc from "fast-check";
import { boundedJson } from "../../src/shared/bounded_json.ts";
import { assert, assertEquals } from "../assert.ts";

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", '"\\\n', "𐍈é"));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.constantFrom(null, true, undefined),
    fc.array(tie("tree"), { maxLength: 6 }),
    fc.dictionary(text, tie("tree"), { maxKeys: 6 }),
  ),
}));

Deno.test("boundedJson() writes the text of JSON.stringify(), however short its pieces are", () => {
  fc.assert(fc.property(fc.record({ tree }), fc.integer({ min: 1, max: 200 }), (value, length) => {
    assertEquals([...boundedJson(value, length)].join(""), JSON.stringify(value));
  }));
});

Deno.test("a piece of boundedJson() is short, wherever the value is long", () => {
  const long = "x".repeat(1_000_000);
  const many = Array.from({ length: 100_000 }, (_, id) => ({ id }));
  for (
    const value of [long, many, { long }, [[{ long }]], { many, long }, [
      long.slice(0, 90_000),
      long,
    ]]
  ) {
    const pieces = [...boundedJson(value)];
    assertEquals(pieces.join(""), JSON.stringify(value));
    const longest = Math.max(...pieces.map(({ length }) => length));
    assert(longest < 1_000_000 && pieces.length < 20, `${pieces.length} of ${longest} or less`);
  }
});

Deno.test("boundedJson() writes a short value at once", () => {
  for (const value of ["text", null, { short: [1, 2] }, []]) {
    assertEquals([...boundedJson(value)], [JSON.stringify(value)]);
  }
});
