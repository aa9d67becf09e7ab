import { AppError } from "../../../src/shared/errors.ts";
import type { Property } from "../../../src/content/schema/property.ts";
import { findProperty, onlyNamed } from "../../../src/content/properties/mod.ts";
import { assertEquals, assertThrows } from "../../assert.ts";

function number(id: string, name: string): Property {
  return { id, name, description: null, type: "number", format: "number" };
}

const SIZE = number("aaaaaaaa", "100% Größe");
const MASKED = number("bbbbbbbb", "aaaaaaaa");
const SPACE = number("cccccccc", "a b");
const ENCODED = number("dddddddd", "a%20b");
const PROTO = number("eeeeeeee", "__proto__");
const SCHEMA = [SIZE, MASKED, SPACE, ENCODED, PROTO];

Deno.test("findProperty() finds a property by name or id, percent-encoded or not", () => {
  for (const key of ["aaaaaaaa", "%61aaaaaaa", SIZE.name, encodeURIComponent(SIZE.name)]) {
    assertEquals(findProperty(SCHEMA, key), SIZE, key);
  }
  for (const key of ["", "%", "Aaaaaaaa", "constructor", "toString"]) {
    assertEquals(findProperty(SCHEMA, key), undefined, key);
  }
  assertEquals(findProperty(SCHEMA, "__proto__"), PROTO);
});

Deno.test("findProperty() prefers an id to a name, and the literal text to the decoded text", () => {
  assertEquals(findProperty(SCHEMA, "aaaaaaaa"), SIZE);
  assertEquals(findProperty(SCHEMA, "a%20b"), ENCODED);
  assertEquals(findProperty([SPACE], "a%20b"), SPACE);
});

Deno.test("findProperty() knows a name by other characters that read the same, if no name has these", () => {
  const [composed, apart] = ["Gr\u00f6\u00dfe", "Gro\u0308\u00dfe"];
  const one = number("ffffffff", composed);
  assertEquals(findProperty([one], apart), one);
  assertEquals(findProperty([one], encodeURIComponent(apart)), one);
  const other = number("gggggggg", apart);
  assertEquals(findProperty([one, other], apart), other);
  assertEquals(findProperty([one, other], composed), one);
  assertEquals(findProperty([other], composed), other);
});

Deno.test("onlyNamed() returns the named properties in the schema's order, each once", () => {
  assertEquals(onlyNamed(SCHEMA, ["a b", "aaaaaaaa", SIZE.name]), [SIZE, SPACE]);
  assertEquals(onlyNamed(SCHEMA, []), []);
});

Deno.test("onlyNamed() rejects every unknown name", () => {
  const error = assertThrows(() => onlyNamed(SCHEMA, ["A", "a b", "constructor"]), AppError);
  assertEquals(error.members.errors, [
    { pointer: "/filter_properties/0", detail: "Could not find property with name or id: A" },
    {
      pointer: "/filter_properties/2",
      detail: "Could not find property with name or id: constructor",
    },
  ]);
});
