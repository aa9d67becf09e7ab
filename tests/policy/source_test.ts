import fc from "fast-check";
import { findDuplicateKeys } from "../../src/policy/json_keys.ts";
import { type Path, readSource, type SourceRange } from "../../src/policy/lint/source.ts";
import { assert, assertEquals } from "../assert.ts";

const TEXT = `{
  "a": [1, { "b": "x", "b": null }],
  "\\u0061": true
}`;

function cut({ line, column, length }: SourceRange, text = TEXT): string {
  return (text.split("\n")[line - 1] ?? "").slice(column - 1, column - 1 + length);
}

Deno.test("readSource() returns the positions of names and values", () => {
  const source = readSource("x.json", TEXT);
  assertEquals(source.issue, undefined);
  assertEquals(cut(source.nameAt(["a", 1, "b"])), '"b"');
  assertEquals(source.nameAt(["a", 1, "b"]), { line: 2, column: 24, length: 3 });
  assertEquals(cut(source.valueAt(["a", "0"])), "1");
  assertEquals(cut(source.nameAt(["a", 0])), "1");
  assert(source.has(["a", 1]) && !source.has(["a", 2]));
});

Deno.test("readSource() returns the closest parent's position for a missing path", () => {
  const source = readSource("x.json", TEXT);
  assertEquals(source.valueAt(["a", 1, "c", "d"]), source.valueAt(["a", 1]));
  assertEquals(source.nameAt(["nothing"]), { line: 1, column: 1, length: 1 });
});

Deno.test("readSource() returns the positions of duplicates and of their first name", () => {
  const { duplicates } = readSource("x.json", TEXT);
  assertEquals(duplicates.map(({ path }) => path), [["a", 1, "b"], ["a"]]);
  assertEquals(duplicates.map(({ span }) => cut(span)), ['"b"', '"\\u0061"']);
  assertEquals(duplicates.map(({ first }) => first.line), [2, 2]);
});

Deno.test("readSource() locates syntax errors, and never throws", () => {
  assertEquals(readSource("x.json", '{\n  "a": 1,\n}').issue?.span, {
    line: 2,
    column: 9,
    length: 1,
  });
  assertEquals(readSource("x.json", '{\n  "a": [1').issue?.span, { line: 2, column: 9, length: 1 });
  assertEquals(readSource("x.json", "").issue?.span, { line: 1, column: 1, length: 1 });
  fc.assert(fc.property(fc.string(), (text) => {
    const { issue, value } = readSource("x.json", text);
    assert((issue === undefined) === (value !== undefined));
  }));
});

Deno.test("readSource() finds the same duplicates as the server", () => {
  const name = fc.constantFrom("a", "b", "\\u0061", "__proto__");
  const members = fc.array(fc.tuple(name, fc.constantFrom("1", "{}", '{"a": 1, "a": 2}')));
  fc.assert(fc.property(members, (list) => {
    const text = `{${list.map(([key, value]) => `"${key}": ${value}`).join(", ")}}`;
    const paths = readSource("x.json", text).duplicates.map(({ path }) => path.map(String));
    const sorted = (all: readonly Path[]): string[] => all.map((path) => path.join("/")).sort();
    assertEquals(sorted(paths), sorted(findDuplicateKeys(text)));
  }));
});
