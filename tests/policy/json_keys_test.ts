import fc from "fast-check";
import { findDuplicateKeys } from "../../src/policy/json_keys.ts";
import { assertEquals } from "../assert.ts";

Deno.test("findDuplicateKeys() returns the path of each duplicate", () => {
  const text = '{"a": [1, {"b": "b", "b": {"b": 2}}], "c": {}, "a": [], "\\u0061": "a"}';
  assertEquals(findDuplicateKeys(text), [["a", "1", "b"], ["a"], ["a"]]);
});

Deno.test("findDuplicateKeys() is not misled by names inside strings", () => {
  assertEquals(findDuplicateKeys('{"a": "\\"a\\": {", "b": ["a", "a", "a"], "__proto__": 1}'), []);
});

Deno.test("findDuplicateKeys() finds nothing in what JSON.stringify wrote", () => {
  fc.assert(fc.property(fc.json(), (text) => assertEquals(findDuplicateKeys(text), [])));
});
