import fc from "fast-check";
import { findRepeatedKeys } from "../../src/policy/json_keys.ts";
import { assertEquals } from "../assert.ts";

Deno.test("findRepeatedKeys() gives the path of each repetition", () => {
  const text = '{"a": [1, {"b": "b", "b": {"b": 2}}], "c": {}, "a": [], "\\u0061": "a"}';
  assertEquals(findRepeatedKeys(text), [["a", "1", "b"], ["a"], ["a"]]);
});

Deno.test("findRepeatedKeys() is not misled by names inside strings", () => {
  assertEquals(findRepeatedKeys('{"a": "\\"a\\": {", "b": ["a", "a", "a"], "__proto__": 1}'), []);
});

Deno.test("findRepeatedKeys() finds nothing in what JSON.stringify wrote", () => {
  fc.assert(fc.property(fc.json(), (text) => assertEquals(findRepeatedKeys(text), [])));
});
