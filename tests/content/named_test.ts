import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { named } from "../../src/content/values/named.ts";
import { assert, assertEquals } from "../assert.ts";

const numbers = named(v.number());
const HOSTILE = '{"__proto__":1,"constructor":2,"prototype":3,"toString":4,"a":5}';

Deno.test("named() keeps every key, even those that every object inherits", () => {
  const read = v.parse(numbers, JSON.parse(HOSTILE));
  assertEquals(JSON.stringify(read), HOSTILE);
  assert(Object.getPrototypeOf(read) === Object.prototype);
  assertEquals(v.parse(numbers, {}), {});
});

Deno.test("named() points at every invalid value under its key", () => {
  const schema = v.object({ all: named(v.object({ a: v.number() })) });
  const input = { all: JSON.parse('{"__proto__":{"a":"x"},"b":{},"c":{"a":1}}') };
  const { issues = [] } = v.safeParse(schema, input);
  assertEquals(issues.map(({ path }) => path?.map(({ key }) => key)), [
    ["all", "__proto__", "a"],
    ["all", "b", "a"],
  ]);
  assertEquals(v.safeParse(schema, input, { abortEarly: true }).issues?.length, 1);
});

Deno.test("named() rejects values that are not objects", () => {
  for (const input of [null, "a", 1, undefined]) {
    const [issue] = v.safeParse(numbers, input).issues ?? [];
    assertEquals(issue?.expected, "Object");
  }
});

Deno.test("named() has the JSON Schema of a record", () => {
  assertEquals(toJsonSchema(numbers).additionalProperties, { type: "number" });
});
