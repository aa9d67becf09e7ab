import { diffDocuments } from "../../../src/cli/openapi/diff/documents.ts";
import { UnusableDocument } from "../../../src/cli/openapi/diff/references.ts";
import type { JsonObject } from "../../../src/cli/openapi/json.ts";
import { createRef } from "../../../src/cli/openapi/json.ts";
import { assertEquals, assertThrows } from "../../assert.ts";
import { documentAbout, documentOf, linesOf, ROUTE } from "./support.ts";

const text = { type: "string" };
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

interface Rule {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly lines: readonly string[];
}

const query = (name: string, more: JsonObject = {}) => ({
  parameters: [{ name, in: "query", schema: text, ...more }],
});
const needing = (...alternatives: string[][]) => ({
  security: alternatives.map((scopes) => ({ oauth2: scopes })),
});

const RULES: readonly Rule[] = [
  {
    name: "an operation of another name breaks generated clients",
    before: {},
    after: { operationId: "createThing" },
    lines: ["! operationId: makeThing → createThing"],
  },
  {
    name: "a deprecated operation still works",
    before: {},
    after: { deprecated: true },
    lines: ["is deprecated"],
  },
  {
    name: "a parameter may come, unless it must be there",
    before: {},
    after: query("limit"),
    lines: ["query limit: is new"],
  },
  {
    name: "a parameter that must be there breaks who does not send it",
    before: {},
    after: query("limit", { required: true }),
    lines: ["! query limit: is new and must be there"],
  },
  {
    name: "a parameter that goes breaks who sends it",
    before: query("limit"),
    after: {},
    lines: ["! query limit: is gone"],
  },
  {
    name: "a parameter is what its reference leads to, whatever case a header's name has",
    before: { parameters: [{ name: "If-Match", in: "header", schema: text }] },
    after: { parameters: [{ $ref: "#/components/schemas/Header" }] },
    lines: ["! header if-match: maxLength: none → 3"],
  },
  {
    name: "a parameter becomes needed, or not",
    before: {
      parameters: [...query("a").parameters, ...query("b", { required: true }).parameters],
    },
    after: { parameters: [...query("a", { required: true }).parameters, ...query("b").parameters] },
    lines: ["! query a: must be there", "query b: may be left out"],
  },
  {
    name: "a parameter that is written otherwise is not understood",
    before: query("a", { explode: true }),
    after: query("a", { explode: false }),
    lines: ["! query a: is written otherwise (explode)"],
  },
  {
    name: "a body that must be there breaks who sends none",
    before: { requestBody: json(text) },
    after: { requestBody: { ...json(text), required: true } },
    lines: ["! must be there"],
  },
  {
    name: "a body in another media type is no longer taken",
    before: { requestBody: json(text) },
    after: { requestBody: { content: { "text/plain": { schema: text } } } },
    lines: ["! no longer application/json", "also text/plain"],
  },
  {
    name: "an answer in another media type is no longer given",
    before: { responses: { 200: json(text) } },
    after: { responses: { 200: { content: { "text/plain": { schema: text } } } } },
    lines: ["! no longer application/json", "also text/plain"],
  },
  {
    name: "a status of success that comes or goes breaks clients, a refusal does not",
    before: { responses: { 200: {}, 404: {} } },
    after: { responses: { 202: {}, 409: {} } },
    lines: ["! is gone", "404: is gone", "! 202: is new", "409: is new"],
  },
  {
    name: "a header of an answer that goes breaks who reads it",
    before: { responses: { 200: { headers: { ETag: { schema: text } } } } },
    after: { responses: { 200: { headers: { Link: { schema: text } } } } },
    lines: ["!  header etag: is gone", " header link: is new"],
  },
  {
    name: "a header of an answer has a schema like any other",
    before: {
      responses: { 200: { headers: { ETag: { schema: { type: "string", maxLength: 2 } } } } },
    },
    after: { responses: { 200: { headers: { etag: { schema: text } } } } },
    lines: ["!  header etag: maxLength: 2 → none"],
  },
  {
    name: "one more scope closes an operation to who lacks it",
    before: needing(["a"]),
    after: needing(["a", "b"]),
    lines: ["! security: no longer open to a"],
  },
  {
    name: "one alternative more opens an operation",
    before: needing(["a"]),
    after: needing(["a"], ["b"]),
    lines: ["security: open to b"],
  },
  {
    name: "an operation that is public no more is closed to who has no token",
    before: { security: [] },
    after: needing(["a"]),
    lines: ["! security: no longer open to everyone"],
  },
  {
    name: "alternatives in another order, or one that another implies, are the same",
    before: needing(["a", "b"], ["c"]),
    after: needing(["c"], ["b", "a"], ["c", "d"]),
    lines: [],
  },
];

for (const { name, before, after, lines } of RULES) {
  Deno.test(`diffDocuments() knows that ${name}`, () => {
    const schemas = {
      Header: { name: "if-match", in: "header", schema: { ...text, maxLength: 3 } },
    };
    const changes = diffDocuments(documentOf(before, schemas), documentOf(after, schemas));
    assertEquals(linesOf(changes).map((line) => line.replaceAll("oauth2 ", "")), lines);
  });
}

const withPaths = (...paths: string[]): JsonObject => ({
  openapi: "3.1.1",
  paths: Object.fromEntries(paths.map((path) => [path, { get: { operationId: path } }])),
});

Deno.test("diffDocuments() tells operations that come and go", () => {
  assertEquals(diffDocuments(withPaths("/a", "/b"), withPaths("/b", "/c", "/d")), [
    { place: "", detail: "is gone", isBreaking: true, routes: ["GET /a"] },
    { place: "", detail: "is new", isBreaking: false, routes: ["GET /c", "GET /d"] },
  ]);
});

Deno.test("diffDocuments() takes the requirements and parameters that stand for all operations", () => {
  const secured = { ...withPaths("/a"), security: [{ oauth2: ["x"] }] };
  assertEquals(linesOf(diffDocuments(withPaths("/a"), secured)), [
    "! security: no longer open to everyone",
  ]);
  const shared = [{ name: "id", in: "path", required: true, schema: text }];
  const document = {
    openapi: "3.1.1",
    paths: { "/a": { parameters: shared, get: { operationId: "/a" } } },
  };
  assertEquals(linesOf(diffDocuments(withPaths("/a"), document)), [
    "! path id: is new and must be there",
  ]);
});

const thing = (schema: object) => ({
  type: "object",
  properties: { inner: schema, next: createRef("schemas", "Thing") },
});

Deno.test("diffDocuments() tells a component's change once, with the operations that show it", () => {
  const before = documentAbout("answer", createRef("schemas", "Thing"), { Thing: thing(text) });
  const after = documentAbout("answer", createRef("schemas", "Thing"), {
    Thing: thing({ type: ["string", "null"] }),
  });
  assertEquals(diffDocuments(before, after), [{
    schema: "Thing",
    side: "answer",
    place: "inner",
    detail: "also null",
    isBreaking: true,
    routes: [ROUTE],
  }]);
});

Deno.test("diffDocuments() judges a component by each side that it goes", () => {
  const both = (schema: object) =>
    documentOf({
      requestBody: json(createRef("schemas", "Thing")),
      responses: { 200: json(createRef("schemas", "Thing")) },
    }, {
      Thing: thing(schema),
    });
  const changes = diffDocuments(both(text), both({ type: ["string", "null"] }));
  assertEquals(changes.map(({ side, isBreaking }) => [side, isBreaking]), [
    ["request", false],
    ["answer", true],
  ]);
});

Deno.test("diffDocuments() sees through names: another one, or none, is no change", () => {
  const named = documentAbout("answer", createRef("schemas", "Old"), {
    Old: {
      type: "object",
      properties: { next: createRef("schemas", "Old"), leaf: createRef("schemas", "Leaf") },
    },
    Leaf: text,
  });
  const renamed = documentAbout("answer", createRef("schemas", "New"), {
    New: { type: "object", properties: { next: createRef("schemas", "New"), leaf: text } },
  });
  assertEquals(diffDocuments(named, renamed), []);
  assertEquals(diffDocuments(renamed, named), []);
});

Deno.test("diffDocuments() tells both names of a component that changed with its name", () => {
  const before = documentAbout("request", createRef("schemas", "Old"), {
    Old: { type: "object", properties: {} },
  });
  const after = documentAbout("request", createRef("schemas", "New"), {
    New: { type: "object", properties: { a: text } },
  });
  assertEquals(linesOf(diffDocuments(before, after)), ["Old → New a: is new"]);
});

Deno.test("diffDocuments() ends where schemas lead to each other, however they are named", () => {
  const pair = (one: string, two: string, leaf: object) => ({
    [one]: { anyOf: [createRef("schemas", two), leaf] },
    [two]: { type: "array", items: createRef("schemas", one) },
  });
  const before = documentAbout("answer", createRef("schemas", "A"), pair("A", "B", text));
  const after = documentAbout("answer", createRef("schemas", "X"), pair("X", "Y", text));
  assertEquals(diffDocuments(before, after), []);
  const wider = documentAbout(
    "answer",
    createRef("schemas", "X"),
    pair("X", "Y", { type: ["string", "null"] }),
  );
  assertEquals(linesOf(diffDocuments(before, wider)), ["! A → X: also null"]);
});

Deno.test("diffDocuments() refuses what it cannot read whole", () => {
  const good = documentAbout("answer", text);
  const refused = (document: unknown, message: string) =>
    assertThrows(() => diffDocuments(good, document), UnusableDocument, message);
  refused([], "Not an OpenAPI 3.1 document");
  refused({ ...good, openapi: "3.0.3" }, "Not an OpenAPI 3.1 document");
  refused(
    documentAbout("answer", createRef("schemas", "None")),
    'Nothing is at "#/components/schemas/None"',
  );
  refused(documentAbout("answer", { allOf: [text] }), "Cannot compare a schema of allOf");
  refused(
    documentAbout("answer", { ...text, oneOf: [] }),
    "Cannot compare a schema of type, oneOf",
  );
});
