import * as v from "valibot";
import {
  editProperties,
  findValue,
  type Properties,
  propertiesInput,
  propertyIssues,
  titleOf,
  UNTITLED,
} from "../../src/content/properties/mod.ts";
import { plainText, toRichText } from "../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../assert.ts";

const TITLE = [{ text: { content: "Plans" } }];
const PLANS: Properties = { title: { id: "title", type: "title", title: toRichText(TITLE) } };

function read(input: unknown): v.InferOutput<typeof propertiesInput> {
  return v.parse(propertiesInput, input);
}

Deno.test("editProperties() accepts the long and the short form of a title", () => {
  for (const title of [TITLE, { title: TITLE }, { id: "x", type: "title", title: TITLE }]) {
    const input = read({ title });
    assertEquals(propertyIssues(input, "/properties"), []);
    assertEquals(editProperties(UNTITLED, input), PLANS);
  }
});

Deno.test("editProperties() replaces given values and keeps the others", () => {
  assertEquals(editProperties(PLANS, {}), PLANS);
  assertEquals(editProperties(PLANS, { title: [] }), UNTITLED);
});

Deno.test("propertiesInput points into the title", () => {
  const issues = v.safeParse(propertiesInput, { title: { title: [{ text: {} }] } }).issues ?? [];
  assertEquals(issues.map((issue) => v.getDotPath(issue)), ["title.title.0.text.content"]);
});

Deno.test("propertyIssues() lists every property that does not exist", () => {
  const input = read({ Status: { status: { name: "Done" } }, "a/b": [], title: TITLE });
  assertEquals(propertyIssues(input, "/properties"), [
    { pointer: "/properties/Status", detail: "Status is not a property that exists." },
    { pointer: "/properties/a~1b", detail: "a/b is not a property that exists." },
  ]);
});

Deno.test("propertyIssues() rejects another type for the title", () => {
  assertEquals(propertyIssues(read({ title: { rich_text: [] } }), "/properties"), [
    { pointer: "/properties/title", detail: "title is expected to be title." },
  ]);
});

Deno.test("propertyIssues() points at issues in the title, in either form", () => {
  const title = [{ mention: { date: { start: "2023-02-29" } } }];
  const pointers = [{ title }, { title: { title } }]
    .flatMap((input) => propertyIssues(read(input), "/properties"))
    .map((issue) => issue.pointer);
  assertEquals(pointers, [
    "/properties/title/0/mention/date/start",
    "/properties/title/title/0/mention/date/start",
  ]);
});

Deno.test("titleOf() finds the title under any name", () => {
  assert(PLANS.title !== undefined);
  assertEquals(plainText(titleOf({ Name: PLANS.title })), "Plans");
  assertEquals(titleOf({}), []);
});

Deno.test("findValue() finds a value by name or id, encoded or not", () => {
  const { title } = PLANS;
  assert(title !== undefined);
  const properties = { "100% Größe": title };
  for (const key of ["title", "100% Größe", encodeURIComponent("100% Größe"), "%74itle"]) {
    assertEquals(findValue(properties, key), title, key);
  }
  for (const key of ["Title", "", "%", "constructor"]) {
    assertEquals(findValue(properties, key), undefined, key);
  }
});
