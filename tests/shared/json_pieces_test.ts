import fc from "fast-check";
import { jsonPieces } from "../../src/shared/json_pieces.ts";
import { assert, assertEquals } from "../assert.ts";

const list = Array.from({ length: 2_500 }, (_, id) => ({ id }));

Deno.test("jsonPieces() writes the text of JSON.stringify()", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals([...jsonPieces(value)].join(""), JSON.stringify(value));
  }));
  for (const value of [list, { list }, { a: undefined, list, b: { list }, c: null }]) {
    assertEquals([...jsonPieces(value)].join(""), JSON.stringify(value));
  }
});

Deno.test("jsonPieces() divides a long list, and writes all else at once", () => {
  for (const value of [list, { type: "array", array: list }]) {
    const longest = Math.max(...[...jsonPieces(value)].map(({ length }) => length));
    assert(longest < JSON.stringify(list).length / 2, `${longest} characters`);
  }
  for (const value of ["text", null, { short: list.slice(0, 1_000) }]) {
    assertEquals([...jsonPieces(value)].length, 1);
  }
});
