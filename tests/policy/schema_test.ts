import { PolicyError } from "../../src/policy/issue.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { createEditorSchema } from "../../src/policy/editor_schema.ts";
import { accepts } from "./json_schema.ts";

const folder = new URL("../../policy/", import.meta.url);
const readPolicy = (): Promise<string> => Deno.readTextFile(new URL("scopes.json", folder));

interface Tables {
  readonly scopes?: unknown;
  readonly routes?: unknown;
  readonly fields?: unknown;
}

/** A policy without fault, with some of its tables replaced. */
function policyWith(tables: Tables): Record<string, unknown> {
  const scopes = { "a.read": "Read a.", "b.read": "Read b." };
  const routes = { "GET /v2/a": ["a.read"], "GET /v2/b/:id": ["b.read"] };
  return { scopes, routes, fields: {}, ...tables };
}

function issuesOf(text: string): string[] {
  const error = assertThrows(() => parsePolicy(text), PolicyError);
  return error.message.split("\n");
}

/** So many alternatives, each another set of the two scopes or a repetition. */
function alternatives(count: number): string[][] {
  const lists = [["a.read"], ["b.read"], ["a.read", "b.read"]];
  return Array.from({ length: count }, (_, index) => lists[index % lists.length] ?? []);
}

/** Files that are wrong in their shape, which both schemas must see. */
const MISSHAPEN: Readonly<Record<string, unknown>> = {
  "no object": [],
  "no tables": {},
  "no fields": { scopes: {}, routes: {} },
  "another member": { ...policyWith({}), comment: "x" },
  "scopes as a list": policyWith({ scopes: ["a.read", "b.read"] }),
  "an empty description": policyWith({ scopes: { "a.read": "", "b.read": "Read b." } }),
  "an upper-case scope": policyWith({
    scopes: { "A.read": "…" },
    routes: { "GET /v2/a": ["A.read"] },
  }),
  "a scope with a space": policyWith({
    scopes: { "a read": "…" },
    routes: { "GET /v2/a": ["a read"] },
  }),
  "a reserved scope": policyWith({
    scopes: { constructor: "…" },
    routes: { "GET /v2/a": ["constructor"] },
  }),
  "a route without a method": policyWith({ routes: { "/v2/a": ["a.read", "b.read"] } }),
  "a route of an unknown method": policyWith({ routes: { "PUT /v2/a": ["a.read", "b.read"] } }),
  "a trailing slash": policyWith({ routes: { "GET /v2/a/": ["a.read", "b.read"] } }),
  "a doubled slash": policyWith({ routes: { "GET /v2//a": ["a.read", "b.read"] } }),
  "too many alternatives": policyWith({ routes: { "GET /v2/a": { anyOf: alternatives(33) } } }),
  "a wildcard": policyWith({ routes: { "GET /v2/*": ["a.read", "b.read"] } }),
  "dots": policyWith({ routes: { "GET /v2/../a": ["a.read", "b.read"] } }),
  "an empty list": policyWith({ routes: { "GET /v2/a": [], "GET /v2/b": ["a.read", "b.read"] } }),
  "a scope twice": policyWith({ routes: { "GET /v2/a": ["a.read", "b.read", "a.read"] } }),
  "another word than public": policyWith({
    routes: { "GET /v2/a": "open", "GET /v2/b": ["a.read", "b.read"] },
  }),
  "a null rule": policyWith({ routes: { "GET /v2/a": null, "GET /v2/b": ["a.read", "b.read"] } }),
  "no alternatives": policyWith({
    routes: { "GET /v2/a": { anyOf: [] }, "GET /v2/b": ["a.read", "b.read"] },
  }),
  "an empty alternative": policyWith({
    routes: { "GET /v2/a": { anyOf: [["a.read", "b.read"], []] } },
  }),
  "alternatives of scopes": policyWith({
    routes: { "GET /v2/a": { anyOf: ["a.read", "b.read"] } },
  }),
  "allOf": policyWith({ routes: { "GET /v2/a": { allOf: [["a.read", "b.read"]] } } }),
  "anyOf with more": policyWith({
    routes: { "GET /v2/a": { anyOf: [["a.read", "b.read"]], except: ["x"] } },
  }),
  "an empty note": { ...policyWith({}), notes: { "a.read": {} } },
  "a note without a reason": { ...policyWith({}), notes: { "a.read": { because: " " } } },
  "safe as an object": { ...policyWith({}), safe: {} },
  "an invariant without tokens": {
    ...policyWith({}),
    invariants: [{ name: "x", canCall: ["*"] }],
  },
  "an invariant that says nothing": {
    ...policyWith({}),
    invariants: [{ name: "x", tokens: {} }],
  },
  "an invariant of an unknown kind": {
    ...policyWith({}),
    invariants: [{ name: "x", tokens: {}, mayCall: ["*"], canCall: ["*"] }],
  },
  "an invariant about no call": {
    ...policyWith({}),
    invariants: [{ name: "x", tokens: {}, canCall: [] }],
  },
  "a field of one word": policyWith({ fields: { email: ["a.read"] } }),
  "a field with an empty list": policyWith({ fields: { "user.email": [] } }),
};

const WELL_SHAPED: Readonly<Record<string, unknown>> = {
  "invariants": {
    ...policyWith({}),
    safe: ["POST /v2/a"],
    invariants: [{ name: "x", tokens: { only: [], with: [], without: ["*"] }, cannotSee: ["*"] }],
  },
  "notes": {
    ...policyWith({}),
    notes: { "a.read": { owner: "@api" }, "GET /v2/a": { because: "So it was." } },
  },
  "lists and public": policyWith({
    routes: { "GET /v2/a": ["a.read", "b.read"], "POST /v2/b": "public" },
  }),
  "alternatives": policyWith({
    routes: { "DELETE /v2/a/:id": { anyOf: [["a.read"], ["b.read"]] } },
  }),
  "a field": policyWith({ fields: { "user.person.email": { anyOf: [["a.read"]] } } }),
};

Deno.test("parsePolicy() parses the real file completely", async () => {
  const text = await readPolicy();
  const file = JSON.parse(text);
  const { scopes, routes, fields } = parsePolicy(text);
  const aliases = Object.keys(file.aliases);
  assertEquals([routes.size - aliases.length, scopes.size], [22, 9]);
  assertEquals([...scopes], Object.entries(file.scopes));
  assertEquals([...routes.keys()], [...Object.keys(file.routes), ...aliases]);
  assertEquals(routes.get("GET /v2/pages/:page_id/content/markdown"), {
    public: false,
    alternatives: [["pages.read", "blocks.read"]],
  });
  assertEquals(routes.get("GET /v2/openapi/meta"), { public: true, alternatives: [] });
  assertEquals([...fields], [
    ["user.person.email", { public: false, alternatives: [["users.email.read"]] }],
  ]);
});

Deno.test("parsePolicy() keeps alternatives as they are written", () => {
  const anyOf = [["b.read", "a.read"], ["a.read"]];
  const text = JSON.stringify(policyWith({ routes: { "GET /v2/a": { anyOf } } }));
  assertEquals(parsePolicy(text).routes.get("GET /v2/a"), { public: false, alternatives: anyOf });
});

/** The names of a table in all samples, as far as they have the right form. */
function namesIn(table: string, form: RegExp): string[] {
  return [...Object.values(WELL_SHAPED), ...Object.values(MISSHAPEN)].flatMap((policy) => {
    const names = Object.keys(Object(new Map(Object.entries(Object(policy))).get(table)));
    return names.filter((name) => form.test(name));
  });
}

/** An editor's schema that knows every name of the samples, so that only their form can be wrong. */
function sampleSchema(): Readonly<Record<string, unknown>> {
  const scopes = namesIn("scopes", /^(?!constructor$)[a-z.]+$/);
  const routes = namesIn("routes", /^(?:GET|POST|PATCH|DELETE) (?:\/:?[a-z0-9]+)+$/);
  return createEditorSchema({
    scopes: new Map(scopes.map((name) => [name, "What it opens."])),
    routes: new Map([...routes, "POST /v2/a"].map((name) => [name, "What it does."])),
    fields: namesIn("fields", /^[a-z]+(?:\.[a-z]+)+$/),
  });
}

/** A policy with two routes of so many alternatives, one of them the same, and an alias of both. */
function policyWithAlias(count: number): string {
  const anyOf = (name: string) => [
    ["both.read"],
    ...Array.from({ length: count - 1 }, (_, index) => [`${name}${index}.read`]),
  ];
  const [one, other] = [anyOf("one"), anyOf("other")];
  return JSON.stringify({
    scopes: Object.fromEntries([...one, ...other].map(([scope]) => [scope, "What it opens."])),
    routes: { "GET /v2/a": { anyOf: one }, "GET /v2/b": { anyOf: other } },
    fields: {},
    aliases: { "GET /v1/a": ["GET /v2/a", "GET /v2/b", "GET /v2/a"] },
  });
}

Deno.test("an alias of several routes has no alternative that includes another", () => {
  const rule = parsePolicy(policyWithAlias(3)).routes.get("GET /v1/a");
  assertEquals(rule?.alternatives, [
    ["both.read"],
    ["one0.read", "other0.read"],
    ["one0.read", "other1.read"],
    ["one1.read", "other0.read"],
    ["one1.read", "other1.read"],
  ]);
});

Deno.test("an alias whose routes together have too many alternatives is refused with its limit", () => {
  assertEquals(parsePolicy(policyWithAlias(6)).routes.get("GET /v1/a")?.alternatives.length, 26);
  assertEquals(issuesOf(policyWithAlias(32)), [
    "/aliases/GET ~1v1~1a: The routes together have more than 32 alternatives",
  ]);
  assertEquals(issuesOf(policyWithAlias(33)).slice(0, 2), [
    "GET /v2/a /anyOf: anyOf has more than 32 alternatives",
    "GET /v2/b /anyOf: anyOf has more than 32 alternatives",
  ]);
});

Deno.test("the live policy fits scopes.schema.json", async () => {
  const schema = JSON.parse(await Deno.readTextFile(new URL("scopes.schema.json", folder)));
  assert(accepts(schema, JSON.parse(await readPolicy())));
});

Deno.test("parsePolicy() agrees with the schema for editors", () => {
  const schema = sampleSchema();
  for (const [name, policy] of Object.entries(WELL_SHAPED)) {
    assert(accepts(schema, policy), name);
    parsePolicy(JSON.stringify(policy));
  }
  for (const [name, policy] of Object.entries(MISSHAPEN)) {
    assert(!accepts(schema, policy), `The JSON Schema accepts ${name}`);
    assertThrows(() => parsePolicy(JSON.stringify(policy)), PolicyError);
  }
});

Deno.test("parsePolicy() reports all issues at once, each with its place", () => {
  const text = `{
    "scopes": { "a.read": "Read a.", "a.read": "", "b.read": "Read b.", "Bad": "Bad." },
    "routes": {
      "GET /v2/a": ["a.read", "c.read", "c.read"],
      "GET v2/b": [],
      "GET /v2/c": { "anyOf": [["a.read"], []] },
      "GET /v2/c": { "anyOf": [["a.read"], []] },
      "GET /v2/d": 7
    },
    "fields": { "user.email": ["d.read"], "x/y": ["a.read"] }
  }`;
  assertEquals(issuesOf(text), [
    "/scopes/a.read: The name is a duplicate",
    "GET /v2/c: The name is a duplicate",
    "/scopes/a.read: The description is empty",
    "/scopes/Bad: A scope is lower-case words joined by dots, such as pages.read",
    "GET /v2/a: The list has a duplicate scope",
    'GET v2/b: A route is "METHOD /path", such as "GET /v2/pages/:page_id"',
    'GET v2/b: The list is empty; write "public" if no token is needed',
    'GET /v2/c /anyOf/1: The list is empty; write "public" if no token is needed',
    'GET /v2/d: Expected "public", a list of scopes, or {"anyOf": [lists of scopes]}',
    "/fields/x~1y: A field is a dotted name, such as user.person.email",
    'GET /v2/a: Scope "c.read" is not declared under "scopes"',
    '/fields/user.email: Scope "d.read" is not declared under "scopes"',
    "/scopes/b.read: No route or field uses the scope",
    "/scopes/Bad: No route or field uses the scope",
  ]);
});

Deno.test("texts and names of a policy are one line of visible characters", () => {
  const policy = policyWith({
    scopes: { "a.read": "Read\u202e a.", "b.read": "Read b. ❤️" },
  });
  const text = JSON.stringify({
    ...policy,
    notes: {
      "GET /v2/a": { owner: "\x1b[1A\x1b[2K@api", because: "So\n::add-mask::e" },
      "a\n.read": { because: "می\u200cخواهم" },
    },
    invariants: [{ name: "No\u2028body", tokens: {}, cannotCall: ["GET\t/v2/b"] }],
  });
  const detail = "The text is not one line of visible characters";
  assertEquals(issuesOf(text), [
    `/scopes/a.read: ${detail}`,
    `/notes/GET ~1v2~1a/owner: ${detail}`,
    `/notes/GET ~1v2~1a/because: ${detail}`,
    `/notes/a\\u000a.read: ${detail}`,
    `/invariants/0/name: ${detail}`,
    `/invariants/0/cannotCall/0: ${detail}`,
  ]);
});

Deno.test("parsePolicy() rejects names that are special in JavaScript objects", () => {
  const text = '{"scopes": {"__proto__": "x"}, "routes": {"__proto__": "public"}, "fields": {}}';
  assertEquals(issuesOf(text), [
    "/scopes/__proto__: The name is reserved",
    "__proto__: The name is reserved",
    "/scopes/__proto__: No route or field uses the scope",
  ]);
});

Deno.test("parsePolicy() rejects text that is not JSON", () => {
  const [issue] = issuesOf('{"scopes": ');
  assert(issue?.startsWith("The policy is not JSON: "));
});

Deno.test("parsePolicy() counts a scope as used if only a field requires it", () => {
  const fields = { "user.email": ["c.read"] };
  const scopes = { "a.read": "…", "b.read": "…", "c.read": "…" };
  assertEquals(parsePolicy(JSON.stringify(policyWith({ scopes, fields }))).scopes.size, 3);
});
