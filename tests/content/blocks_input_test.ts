import * as v from "valibot";
import { blockChildrenInput, blockInput, CODE_LANGUAGES } from "../../src/content/blocks/mod.ts";
import { BLOCK_TYPES } from "../../src/content/blocks/types.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { drafted, parsed, refusals } from "./blocks_helpers.ts";
import { SAMPLES } from "./blocks_samples.ts";

function docOf(input: unknown): unknown {
  const [node] = drafted(parsed([input]));
  return node === undefined ? undefined : JSON.parse(node.doc);
}

Deno.test("blockInput accepts exactly the types that can be created", () => {
  const writable = Object.entries(BLOCK_TYPES)
    .filter(([, spec]) => !("notCreated" in spec))
    .map(([type]) => type);
  assertEquals(Object.keys(SAMPLES), writable);
});

for (const [type, { least, most, required }] of Object.entries(SAMPLES)) {
  Deno.test(`blockInput accepts a ${type} with required members only and adds defaults`, () => {
    assertEquals(docOf({ [type]: least.given }), least.read);
  });

  Deno.test(`blockInput accepts a ${type} with all members, including type and object`, () => {
    assertEquals(docOf({ object: "block", type, [type]: most.given }), most.read);
  });

  Deno.test(`blockInput rejects a ${type} without its required members`, () => {
    for (const key of required) {
      const given = Object.fromEntries(
        Object.entries(least.given).filter(([name]) => name !== key),
      );
      const [refusal = ""] = refusals(blockInput, { [type]: given });
      const isAsked = refusal.startsWith(`${type}: an object with one of `);
      assert(refusal === `${type}.${key}: "${key}"` || isAsked && refusal.includes(key), refusal);
    }
  });

  Deno.test(`blockInput rejects unknown members of a ${type}`, () => {
    assertEquals(refusals(blockInput, { [type]: { ...least.given, nope: 1 } }), [
      `${type}.nope: never`,
    ]);
    assertEquals(refusals(blockInput, { [type]: least.given, id: 1 }), ["id: never"]);
    assertEquals(refusals(blockInput, { [type]: least.given, type: "nope" }), [
      `type: "${type}"`,
    ]);
  });

  Deno.test(`blockInput rejects a ${type} that is not an object, and members of another type`, () => {
    for (const value of [null, "text", 1]) {
      const [refusal = "", ...more] = refusals(blockInput, { [type]: value });
      assertEquals(more, []);
      assert(/: (?:Object$|an object with one of `)/.test(refusal), refusal);
    }
    for (const key of Object.keys(most.given)) {
      // A boolean for a text and a number for a flag are never valid.
      const wrong = typeof most.given[key] === "boolean" ? 1 : true;
      const paths = refusals(blockInput, { [type]: { ...most.given, [key]: wrong } });
      assertEquals(paths.length, 1);
      assert(paths.join().startsWith(`${type}.${key}: `), paths.join());
    }
  });
}

Deno.test("blockInput reads the type from the key and rejects a second key", () => {
  assertEquals(refusals(blockInput, { divider: {}, quote: { rich_text: [] } }), ["quote: never"]);
  assertEquals(refusals(blockInput, { type: "quote", divider: {} }), ['type: "divider"']);
  assertEquals(refusals(blockInput, { type: "quote" }), ['quote: "quote"']);
});

Deno.test("blockInput requires the key of a type", () => {
  const objects: readonly object[] = [{}, { nope: {} }, { constructor: {} }, { __proto__: {} }];
  for (const input of [...objects, null, 1, "divider", true]) {
    const [refusal = "", ...more] = refusals(blockInput, input);
    assertEquals(more, []);
    assertMatch(refusal, /^null: an object with one of `paragraph`, .*`divider`/);
  }
});

Deno.test("blockInput lists the languages of code blocks", () => {
  const [refusal] = refusals(blockInput, { code: { rich_text: [], language: "klingon" } });
  const all = CODE_LANGUAGES.map((language) => `"${language}"`).join(" | ");
  assertEquals(refusal, `code.language: (${all})`);
});

Deno.test("blockInput accepts one source of a file, not two", () => {
  const image = { external: { url: "https://example.org" }, file_upload: { id: "x" } };
  assertEquals(refusals(blockInput, { image }), ["image.file_upload: never"]);
});

Deno.test("blockInput requires rows in tables and two columns in column lists", () => {
  const table = { table_width: 1, children: [{ divider: {} }] };
  assertEquals(refusals(blockInput, { table }), [
    'table.children.0.table_row: "table_row"',
    "table.children.0.divider: never",
  ]);
  assertEquals(refusals(blockInput, { table: { table_width: 1, children: [] } }), [
    "table.children: >=1",
  ]);
  const column = { column: { children: [{ divider: {} }] } };
  assertEquals(refusals(blockInput, { column_list: { children: [column] } }), [
    "column_list.children: >=2",
  ]);
});

Deno.test("blockChildrenInput accepts a hundred blocks at each level and any depth", () => {
  const hundred = Array.from({ length: 100 }, () => ({ divider: {} }));
  assertEquals(refusals(blockChildrenInput, hundred), []);
  assertEquals(refusals(blockChildrenInput, [...hundred, { divider: {} }]), ["null: <=100"]);
  const toggle = { toggle: { rich_text: [], children: [...hundred, ...hundred] } };
  assertEquals(refusals(blockChildrenInput, [toggle]), ["0.toggle.children: <=100"]);
  assertEquals(refusals(blockChildrenInput, [nested(20)]), []);
});

Deno.test("blockChildrenInput points into a deep block", () => {
  const deep = { toggle: { rich_text: [], children: [{ divider: {} }, nested(1, "red-ish")] } };
  const [refusal = ""] = refusals(v.strictObject({ children: blockChildrenInput }), {
    children: [deep],
  });
  assert(refusal.startsWith("children.0.toggle.children.1.toggle.color: "), refusal);
});

function nested(levels: number, color = "red"): unknown {
  const children = levels === 0 ? [] : [nested(levels - 1)];
  return { toggle: { rich_text: [], color, children } };
}
