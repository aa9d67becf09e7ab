import fc from "fast-check";
import * as v from "valibot";
import type { Property, Schema } from "../../src/content/schema/property.ts";
import { page, pageJson } from "../../src/content/pages/page_json.ts";
import { cellsOf, docTitle } from "../../src/content/properties/mod.ts";
import {
  createReshape,
  editRow,
  newRow,
  parseRowDoc,
  rowPageDoc,
  rowUpdateIssues,
} from "../../src/content/pages/rows.ts";
import { nodeTexts } from "../../src/content/pages/node_texts.ts";
import { plainText } from "../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../assert.ts";
import { cover, icon } from "./arbitraries.ts";
import { inputs } from "./properties/arbitraries.ts";
import { ANN, BOB, CONTEXT, nameOf, propertyOf, read, ROW, SCHEMA } from "./properties/samples.ts";

const HOME = "00000000-0000-4000-8000-0000000000e5";

function row(properties: unknown, schema: Schema = SCHEMA) {
  return newRow({
    input: { properties: read(properties), icon: { emoji: "🚀" } },
    schema,
    id: ROW,
    databaseId: HOME,
    position: "a0",
    edit: { time: 7, by: ANN },
    number: 3,
  });
}

const text = (content: string) => [{ text: { content } }];
const PLANS = row({ "The title": { title: text("Plans") }, number: { number: 2 } });

Deno.test("newRow() creates version 1 of a row in its database", () => {
  const { doc, ...columns } = PLANS.node;
  assertEquals(columns, {
    id: ROW,
    kind: "page",
    type: "child_page",
    parentKind: "database",
    parentId: HOME,
    containerId: HOME,
    position: "a0",
    title: "Plans",
    hasMentions: false,
    version: 1,
    createdTime: 7,
    createdBy: ANN,
    editedTime: 7,
    editedBy: ANN,
    trashRoot: null,
  });
  const content = parseRowDoc(doc);
  assertEquals([content.cover, content.icon], [null, { type: "emoji", emoji: "🚀" }]);
  assertEquals(Object.keys(content.values).sort(), ["number", "status", "title", "unique_id"]);
  assertEquals(content.values.unique_id, 3);
  assertEquals(PLANS.cells, cellsOf(SCHEMA, content.values));
  assertEquals(plainText(docTitle(doc)), "Plans");
});

Deno.test("editRow() replaces the members of the input and keeps the others", () => {
  const { content: edited, cells } = editRow(PLANS.node, {
    properties: read({ title: { title: text("Ideas") } }),
  }, {
    schema: SCHEMA,
    by: BOB,
  });
  const before = parseRowDoc(PLANS.node.doc);
  const after = parseRowDoc(edited.doc);
  assertEquals(edited.title, "Ideas");
  assertEquals(after.icon, before.icon);
  assertEquals({ ...after.values, title: null }, { ...before.values, title: null });
  assertEquals(cells(), cellsOf(SCHEMA, after.values));
  const { content: look } = editRow(PLANS.node, { icon: null, cover: { external: { url: "x" } } }, {
    schema: SCHEMA,
    by: BOB,
  });
  assertEquals(parseRowDoc(look.doc), {
    cover: { type: "external", external: { url: "x" } },
    icon: null,
    values: before.values,
  });
});

Deno.test("a row has mentions if any of its texts has", () => {
  const mention = [{ mention: { user: { id: BOB } } }];
  for (const type of ["title", "rich_text"]) {
    const { node } = row({ [type]: { [type]: mention } });
    assert(node.hasMentions, type);
    const { content: cleared } = editRow(node, { properties: read({ [type]: { [type]: [] } }) }, {
      schema: SCHEMA,
      by: ANN,
    });
    assert(!cleared.hasMentions);
    const schema = SCHEMA.filter((property) => property.type !== type);
    const { content: gone } = editRow(node, {}, { schema, by: ANN });
    assert(!gone.hasMentions, "what is gone mentions nobody");
  }
  assert(!row({ people: { people: [{ id: BOB }] } }).node.hasMentions);
});

Deno.test("rowUpdateIssues() returns all issues of an edit at once", () => {
  const input = { properties: read({ Nope: { number: 1 } }), icon: { emoji: "x" }, cover: null };
  assertEquals(rowUpdateIssues(PLANS.node, SCHEMA, input).map(({ pointer }) => pointer), [
    "/properties/Nope",
    "/icon/emoji",
  ]);
  assertEquals(rowUpdateIssues(PLANS.node, SCHEMA, {}), []);
});

Deno.test("the reply of a row is a page with every property of its database", () => {
  fc.assert(fc.property(inputs, icon, cover, (properties, icon, cover) => {
    const { node } = newRow({
      input: { properties: read(properties), icon, cover },
      schema: SCHEMA,
      id: ROW,
      databaseId: HOME,
      position: "a0",
      edit: { time: 7, by: ANN },
    });
    const doc = [...rowPageDoc(parseRowDoc(node.doc), SCHEMA, CONTEXT)].join("");
    const json: unknown = JSON.parse(
      String(pageJson({ ...node, hasChildren: false }, { publicUrl: "https://recto.test", doc })),
    );
    const answer = v.parse(page, json);
    assertEquals<unknown>(answer, json);
    assertEquals(answer.parent, { type: "database_id", database_id: HOME });
    assertEquals(Object.keys(answer.properties), SCHEMA.map(({ name }) => name));
    assertEquals(plainText(docTitle(doc)), node.title);
  }));
});

function retyped(id: string, to: Property): Schema {
  return SCHEMA.map((property) => property.id === id ? { ...to, id } : property);
}

const UNCHANGED = { content: undefined, hasNewTexts: false };

Deno.test("createReshape() converts values of properties with a new type and keeps the others", () => {
  const after = retyped("number", propertyOf("url"));
  const { content } = createReshape(SCHEMA, after)(PLANS.node);
  assert(content !== undefined);
  const { values } = parseRowDoc(content.doc);
  assertEquals(values, { ...parseRowDoc(PLANS.node.doc).values, number: "2" });
  assertEquals(content.cells, cellsOf(after, values));
  assertEquals(content.title, "Plans");
});

Deno.test("createReshape() removes a deleted option and skips rows without it", () => {
  const select = propertyOf("select");
  assert(select.type === "select");
  const after = retyped("select", { ...select, options: select.options.slice(1) });
  const { node } = row({ select: { select: { name: "Red" } } });
  const { content } = createReshape(SCHEMA, after)(node);
  assertEquals(content && "select" in parseRowDoc(content.doc).values, false);
  assertEquals(createReshape(SCHEMA, after)(PLANS.node), UNCHANGED);
  assertEquals(createReshape(SCHEMA, SCHEMA)(PLANS.node), UNCHANGED);
});

Deno.test("createReshape() creates cells for a value whose old type had none", () => {
  const after = retyped("formula", propertyOf("checkbox"));
  const { content } = createReshape(SCHEMA, after)(PLANS.node);
  const cells = content?.cells.filter((cell) => cell.propertyId === "formula");
  assertEquals(cells?.map((cell) => cell.number), [0]);
});

Deno.test("createReshape() numbers only rows without a number", () => {
  const before = SCHEMA.filter(({ type }) => type !== "unique_id");
  const { node } = row({}, before);
  const { content } = createReshape(before, SCHEMA)(node, 9);
  assertEquals(content && parseRowDoc(content.doc).values.unique_id, 9);
  assertEquals(createReshape(SCHEMA, SCHEMA)(PLANS.node, 9), UNCHANGED);
});

Deno.test("createReshape() says whether search finds the row by other texts", () => {
  const types = fc.constantFrom(...new Set(SCHEMA.map(({ type }) => type)));
  fc.assert(fc.property(inputs, types, types, fc.boolean(), (properties, id, to, isRemoved) => {
    const { node } = row(properties);
    const rest = isRemoved ? SCHEMA.filter(({ type }) => type !== "url") : SCHEMA;
    const after = id === "title" || to === "title"
      ? rest
      : rest.map((property) => property.id === id ? { ...propertyOf(to), id } : property);
    const reshaped = createReshape(SCHEMA, after)(node);
    const changed = { ...node, ...reshaped.content };
    const isSame = nodeTexts(node, SCHEMA).join("\n") === nodeTexts(changed, after).join("\n");
    assertEquals(reshaped.hasNewTexts, !isSame);
  }));
});

Deno.test("a row can have properties with hostile names", () => {
  const names = ["__proto__", "constructor", "toString"];
  const schema = [
    propertyOf("title"),
    ...names.map((name): Property => ({ ...propertyOf("number"), id: name, name })),
  ];
  const input = JSON.parse(`{${names.map((name) => `"${name}":{"number":1}`).join()}}`);
  const { node, cells } = row(input, schema);
  const answer: Record<string, unknown> =
    JSON.parse([...rowPageDoc(parseRowDoc(node.doc), schema, CONTEXT)].join("")).properties;
  assertEquals(
    Object.entries(answer).slice(1),
    names.map((name) => [name, { id: name, type: "number", number: 1 }]),
  );
  assertEquals(cells.map(({ number }) => number), [null, 1, 1, 1]);
  assertEquals(row({}, schema).cells.map(({ number }) => number), [null, null, null, null]);
  assertEquals(nameOf("title") in answer, true);
});
