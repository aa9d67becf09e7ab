import * as v from "valibot";
import { endpoint } from "../../src/http/endpoint.ts";
import { component } from "../../src/shared/component.ts";
import { createDocument, serializeDocument } from "../../src/cli/openapi/document.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { at, endpoints, options, policy } from "./sample.ts";

const document = createDocument(options);
const PROBLEM_TYPE = "application/problem+json";
const TREE = "/v2/trees/{tree_id}";
const ref = (kind: string, name: string): unknown => ({ $ref: `#/components/${kind}/${name}` });

function stringsAt(value: unknown, key: string): string[] {
  return Object.entries(Object(value)).flatMap(([name, member]) => [
    ...(name === key && typeof member === "string" ? [member] : []),
    ...(typeof member === "object" ? stringsAt(member, key) : []),
  ]);
}

Deno.test("createDocument() lists the paths of the API as templates, and no operational one", () => {
  assertEquals(document.openapi, "3.1.1");
  assertEquals(Object.keys(document.paths), ["/v2/about", "/v2/trees/query", TREE]);
  assertEquals(Object.keys(Object(at(document, "paths", TREE))), ["get", "patch"]);
});

Deno.test("createDocument() writes each rule as the security of its operation", () => {
  assertEquals(at(document, "paths", "/v2/about", "get", "security"), []);
  assertEquals(at(document, "paths", TREE, "get", "security"), [{ oauth2: ["trees.read"] }]);
  assertEquals(at(document, "paths", TREE, "patch", "security"), [
    { oauth2: ["trees.read", "trees.write"] },
    { oauth2: ["admin"] },
  ]);
  assertEquals(
    at(
      document,
      ...["components", "securitySchemes", "oauth2", "flows"],
      "clientCredentials",
      "scopes",
    ),
    Object.fromEntries(policy.scopes),
  );
});

Deno.test("createDocument() describes parameters of path, query and header", () => {
  const text = { type: "string", maxLength: 10 };
  assertEquals(at(document, "paths", TREE, "get", "parameters"), [
    {
      name: "tree_id",
      in: "path",
      required: true,
      description: "Id of the tree.",
      example: "oak",
      schema: text,
    },
    {
      name: "only",
      in: "query",
      required: false,
      description: "Names.",
      style: "form",
      explode: true,
      schema: { type: "array", items: text, maxItems: 3 },
    },
    { name: "depth", in: "query", required: true, schema: { type: "integer", format: "int64" } },
    ref("parameters", "IfMatch"),
    ref("parameters", "IfNoneMatch"),
    ref("parameters", "NotionVersion"),
  ]);
});

Deno.test("createDocument() asks for a body only where an empty one would be refused", () => {
  assertEquals(at(document, "paths", TREE, "get", "requestBody"), undefined);
  assertEquals(at(document, "paths", TREE, "patch", "requestBody", "required"), false);
  assertEquals(at(document, "paths", "/v2/trees/query", "post", "requestBody", "required"), true);
});

Deno.test("createDocument() lists the answers that each operation can give", () => {
  const statuses = (path: string, method: string): string[] =>
    Object.keys(Object(at(document, "paths", path, method, "responses")));
  const always = ["429", "500", "503", "504", "default"];
  assertEquals(statuses("/v2/about", "get"), [
    "200",
    "304",
    "400",
    "406",
    "412",
    ...always,
  ]);
  assertEquals(
    statuses(TREE, "get"),
    ["200", "304", "400", "401", "403", "404", "406", "412", ...always],
  );
  assertEquals(statuses(TREE, "patch"), [
    ...["200", "400", "401", "403", "404", "406", "409", "412", "413", "415", "422"],
    ...always,
  ]);
});

Deno.test("createDocument() puts a reference wherever a named schema stands", () => {
  assertEquals(
    at(document, "paths", TREE, "get", "responses", "200", "content", "application/json"),
    {
      schema: ref("schemas", "Tree"),
      examples: { usual: { value: { type: "leaf", leaf: null } } },
    },
  );
  assertEquals(
    at(document, "components", "schemas", "Branch", "properties", "branch", "items"),
    ref("schemas", "Tree"),
  );
  assertEquals(at(document, "components", "schemas", "Filter"), {
    description: "A filter.",
    oneOf: [ref("schemas", "FilterNot"), ref("schemas", "FilterEquals")],
  });
  assertEquals(at(document, "components", "schemas", "FilterNot"), {
    description: "The `not` variant of `Filter`.",
    type: "object",
    properties: { not: ref("schemas", "Filter") },
    required: ["not"],
    additionalProperties: false,
  });
});

Deno.test("createDocument() refers to what is there, and has no component that nothing refers to", () => {
  const refs = new Set(stringsAt(document, "$ref"));
  for (const target of refs) {
    assert(at(document, ...target.split("/").slice(1)) !== undefined, `Dangling ${target}`);
  }
  for (const kind of ["schemas", "parameters", "headers", "responses"] as const) {
    for (const name of Object.keys(document.components[kind])) {
      assert(refs.has(`#/components/${kind}/${name}`), `Unused ${kind} ${name}`);
    }
  }
});

Deno.test("createDocument() lists the tags of its endpoints once each, by name", () => {
  const about = { name: "About", description: "The API itself." };
  const trees = { name: "Trees", description: "Plants." };
  assertEquals(document.tags, [about, trees]);
  assertEquals(at(document, "paths", TREE, "get", "tags"), ["Trees"]);
  const inReverse = createDocument({ ...options, endpoints: endpoints.toReversed() });
  assertEquals(inReverse.tags, [about, trees]);
  const ofTrees = endpoints.filter(({ tag }) => tag.name === "Trees");
  assertEquals(createDocument({ ...options, endpoints: ofTrees }).tags, [trees]);
});

Deno.test("createDocument() sorts component schemas by name", () => {
  assertEquals(Object.keys(document.components.schemas), [
    ...["Branch", "Filter", "FilterEquals", "FilterNot", "Leaf", "Problem", "Tree"],
  ]);
});

Deno.test("createDocument() describes errors as problems of a closed list of codes", () => {
  const codes = Object.keys(options.errors);
  assertEquals(
    at(document, "components", "schemas", "Problem", "properties", "code", "enum"),
    codes,
  );
  const path = ["components", "responses", "TooManyRequests", "content", PROBLEM_TYPE];
  assertEquals(at(document, ...path, "schema"), ref("schemas", "Problem"));
  assertEquals(at(document, ...path, "examples", "rate_limited", "value", "status"), 429);
  const descriptions = stringsAt(document.components.responses, "description").join();
  for (const code of codes) assert(descriptions.includes(`\`${code}\``), code);
});

Deno.test("createDocument() shows an example of each operation that has one", () => {
  const usual = ["content", "application/json", "examples", "usual", "value"];
  const query = ["paths", "/v2/trees/query", "post"];
  assertEquals(at(document, "paths", TREE, "get", "responses", "200", ...usual), {
    type: "leaf",
    leaf: null,
  });
  assertEquals(at(document, ...query, "requestBody", ...usual), { filter: { equals: "oak" } });
  assertEquals(at(document, ...query, "responses", "200", ...usual), { results: [] });
  const without = ["paths", TREE, "patch", "responses", "200", "content", "application/json"];
  assertEquals(Object.keys(Object(at(document, ...without))), ["schema"]);
});

Deno.test("createDocument() bounds texts and lists whose schemas have no bound", () => {
  const bounds = { text: 7, items: 3 };
  const { components: { schemas } } = createDocument({ ...options, bounds });
  const of = (name: string) => Object(new Map(Object.entries(schemas)).get(name));
  assertEquals(of("Leaf").properties.leaf.maxLength, 10);
  assertEquals(of("Branch").properties.branch.maxItems, 3);
});

Deno.test("createDocument() describes a response as its schema does", () => {
  const success = (path: string) =>
    at(document, "paths", path, "get", "responses", "200", "description");
  assertEquals(success(TREE), "A tree.");
  assertEquals(success("/v2/about"), "Success.");
});

Deno.test("createDocument() refuses two schemas of one name", () => {
  const other = component(v.looseObject({}), "Tree", "Another tree.");
  const twice = endpoints.map((one) =>
    one.operationId === "getAbout" ? { ...one, response: other } : one
  );
  assertThrows(
    () => createDocument({ ...options, endpoints: twice }),
    Error,
    "Two schemas are named Tree",
  );
});

Deno.test("createDocument() refuses an endpoint without a rule", () => {
  const bare = { ...policy, routes: new Map() };
  assertThrows(
    () => createDocument({ ...options, policy: bare }),
    Error,
    "Endpoint without a rule: GET /v2/trees/:tree_id",
  );
});

Deno.test("createDocument() refuses parameters that are not those of the path", () => {
  const spec = {
    method: "GET",
    path: "/v2/about",
    operationId: "getAbout",
    tag: { name: "About", description: "The API itself." },
    summary: "Read",
    description: "…",
    response: v.looseObject({}),
    handle: () => ({ body: {} }),
  } as const;
  const withParams = endpoint({ ...spec, params: v.strictObject({ id: v.string() }) });
  assertThrows(
    () => createDocument({ ...options, endpoints: [withParams] }),
    Error,
    "Path and params of GET /v2/about name different parameters",
  );
  const withText = endpoint({ ...spec, query: v.string() });
  assertThrows(
    () => createDocument({ ...options, endpoints: [withText] }),
    Error,
    "Not an object schema of its own: query of GET /v2/about",
  );
});

Deno.test("serializeDocument() gives the same bytes for the same input", () => {
  const text = serializeDocument(document);
  assertEquals(serializeDocument(createDocument({ ...options })), text);
  assertEquals(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  assertEquals(serializeDocument(createDocument({ ...options, endpoints: [...endpoints] })), text);
});
