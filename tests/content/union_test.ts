import * as v from "valibot";
import { byKey } from "../../src/content/values/union.ts";
import { assertEquals } from "../assert.ts";

const shape = byKey({
  circle: v.strictObject({ type: v.exactOptional(v.literal("circle")), circle: v.number() }),
  square: v.strictObject({ type: v.exactOptional(v.literal("square")), square: v.number() }),
});

function issues(input: unknown): string[] {
  const issues = v.safeParse(shape, input).issues ?? [];
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.expected}`);
}

Deno.test("byKey() uses the member whose key is present, with or without its type", () => {
  assertEquals(issues({ circle: 1 }), []);
  assertEquals(issues({ type: "square", square: 1 }), []);
});

Deno.test("byKey() points into the member that the key identifies", () => {
  assertEquals(issues({ circle: "1" }), ["circle: number"]);
  assertEquals(issues({ type: "square" }), ['square: "square"']);
  assertEquals(issues({ type: "square", circle: 1 }), ['type: "circle"']);
  assertEquals(issues({ circle: 1, square: 1 }), ["square: never"]);
});

Deno.test("byKey() requires a key or a type", () => {
  for (const input of [{}, { star: 1, moon: 2 }, null, "circle"]) {
    const issues = v.safeParse(shape, input).issues ?? [];
    assertEquals(issues.map((issue) => [v.getDotPath(issue), issue.message]), [
      [null, "an object with one of `circle`, `square`"],
    ]);
  }
});

Deno.test("byKey() rejects a type that no member has", () => {
  assertEquals(issues({ type: "star", star: 1 }), [
    'type: ("circle" | "square")',
    "star: never",
  ]);
  assertEquals(issues({ type: "constructor" }), ['type: ("circle" | "square")']);
});

Deno.test("byKey() rejects values that are not objects", () => {
  for (const input of [null, "circle", 1, [], true]) assertEquals(issues(input).length, 1);
});
