import fc from "fast-check";
import { InvalidToken } from "../../src/auth/token_errors.ts";
import { parseStrictObject } from "../../src/auth/strict_json.ts";
import { assertEquals, assertThrows } from "../assert.ts";

function parse(json: string): ReadonlyMap<string, unknown> {
  return parseStrictObject(new TextEncoder().encode(json));
}

Deno.test("parseStrictObject() reads any object as JSON.parse does", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
    const json = JSON.stringify(object);
    assertEquals([...parse(json)], Object.entries(JSON.parse(json)));
  }));
});

Deno.test("parseStrictObject() rejects a duplicate name at any depth and in any spelling", () => {
  const texts = [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"b":{}},{"c":{"a":1,"d":{"a":2},"a":3}}]}',
    '{"a" :1, "a"\n:2}',
    '{"__proto__":1,"__proto__":2}',
  ];
  for (const text of texts) assertThrows(() => parse(text), InvalidToken, "duplicate name");
});

Deno.test("parseStrictObject() allows one name in two objects and in values", () => {
  const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":2}],"c":"\\"a\\":{","d":"a"}';
  assertEquals([...parse(text).keys()], ["a", "b", "c", "d"]);
});

Deno.test("parseStrictObject() rejects anything but a JSON object in UTF-8", () => {
  for (const text of ["", "[]", "null", "1", '"a"', "{", "\uFEFF{}", "{a:1}"]) {
    assertThrows(() => parse(text), InvalidToken);
  }
  assertThrows(() => parseStrictObject(Uint8Array.from([0xff])), InvalidToken);
});
