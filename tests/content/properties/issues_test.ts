import { valueIssues } from "../../../src/content/properties/mod.ts";
import { assertEquals } from "../../assert.ts";
import { ANN, issuesOf, read, SCHEMA } from "./samples.ts";

function details(input: unknown): string[] {
  return issuesOf(input).map((issue) => issue.detail);
}

Deno.test("valueIssues() returns all issues at once", () => {
  const issues = issuesOf({
    Nope: { number: 1 },
    "The number": { rich_text: [] },
    "The formula": { formula: { type: "number", number: 1 } },
    "The status": { status: { name: "Lost" } },
    "The email": { email: null },
    "The multi_select": { multi_select: [{ name: "a,b" }, { name: "c,d" }] },
  });
  assertEquals(issues, [
    { pointer: "/properties/Nope", detail: "Nope is not a property that exists." },
    {
      pointer: "/properties/The number",
      detail: "The number is expected to be number.",
    },
    {
      pointer: "/properties/The formula",
      detail: "`The formula` is computed: it cannot be written.",
    },
    {
      pointer: "/properties/The status/status/name",
      detail: 'Invalid status option. Status option "Lost" does not exist.',
    },
    ...["a,b", "c,d"].map((name, index) => ({
      pointer: `/properties/The multi_select/multi_select/${index}/name`,
      detail: `Invalid select option, commas not allowed: ${name}`,
    })),
  ]);
});

Deno.test("valueIssues() finds names literally and escapes them in pointers", () => {
  assertEquals(issuesOf({ "a/b~": { number: 1 } }).map((issue) => issue.pointer), [
    "/properties/a~1b~0",
  ]);
});

Deno.test("valueIssues() rejects values of other types and values without a type", () => {
  const wrong = "The number is expected to be number.";
  for (const value of [{}, { select: null }, { rollup: {} }, { button: {} }, []]) {
    assertEquals(details({ "The number": value }), [wrong]);
  }
});

Deno.test("valueIssues() accepts values without the name of their type, and no others", () => {
  const text = [{ text: { content: "x" } }];
  assertEquals(details({ "The title": text }), []);
  assertEquals(details({ "The rich_text": text, "The number": 5, "The checkbox": true }), []);
  assertEquals(details({ "The rich_text": "x", "The number": "5", "The checkbox": null }), [
    "The rich_text is expected to be rich_text.",
    "The number is expected to be number.",
    "The checkbox is expected to be checkbox.",
  ]);
  const day = [{ mention: { date: { start: "2023-02-29" } } }];
  assertEquals(issuesOf({ "The title": day }).map((issue) => issue.pointer), [
    "/properties/The title/0/mention/date/start",
  ]);
});

Deno.test("valueIssues() rejects the same property twice, by name and by id", () => {
  assertEquals(issuesOf({ "The number": { number: 1 }, number: { number: 2 } }), [{
    pointer: "/properties/number",
    detail: "`number` is the property `The number`, which is given already.",
  }]);
});

Deno.test("valueIssues() treats names that every object inherits like other names", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const input = JSON.parse(`{${names.map((name) => `"${name}":{"number":1}`).join()}}`);
  assertEquals(details(input), names.map((name) => `${name} is not a property that exists.`));
  const schema = names.map((name, index) => ({
    id: `p${index}`,
    name,
    description: null,
    type: "number" as const,
    format: "number" as const,
  }));
  assertEquals(valueIssues(schema, read(input), { pointer: "" }), []);
});

Deno.test("valueIssues() rejects exactly the values of computed types", () => {
  const input = Object.fromEntries(SCHEMA.map(({ type }) => [type, {}]));
  const computed = details(input).filter((detail) => detail.includes("is computed"));
  assertEquals(computed.length, 8);
  assertEquals(details(input).length, SCHEMA.length);
  assertEquals(details({ people: { people: [{ id: ANN }] } }), []);
});
