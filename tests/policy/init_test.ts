import { createPolicy } from "../../src/policy/init.ts";
import { hasOwnRule, parsePolicyFile } from "../../src/policy/schema.ts";
import { createRouteTable, routeTableIssues } from "../../src/policy/routes/route_table.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";

const OAUTH = {
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl: "/t", scopes: { "orders:read": "Read orders." } } },
};

interface Sample {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly security?: unknown;
  readonly servers?: unknown;
}

function init(sample: Sample) {
  const components = {
    securitySchemes: { o: OAUTH, b: { type: "http", scheme: "bearer" }, k: { type: "apiKey" } },
  };
  const { text, notices } = createPolicy({
    document: { openapi: "3.1.0", components, ...sample },
    service: "shop",
  });
  const file = parsePolicyFile(text);
  assertEquals(file.service, "shop");
  return { routes: JSON.parse(text).routes, scopes: JSON.parse(text).scopes, notices, file };
}

const get = (security: unknown) => ({ get: { security } });

Deno.test("policy init takes the scopes of each operation, with their descriptions", () => {
  const { routes, scopes, notices } = init({
    paths: {
      "/orders": get([{ o: ["orders:read"] }]),
      "/both": get([{ o: ["orders:read", "admin"] }]),
      "/either": get([{ o: ["orders:read"] }, { b: ["admin"] }]),
      "/with-key": get([{ o: ["orders:read"], k: [] }]),
      "/repeated": get([{ o: ["admin"] }, { b: ["admin"] }]),
    },
  });
  assertEquals(routes, {
    "GET /orders": ["orders:read"],
    "GET /both": ["orders:read", "admin"],
    "GET /either": { anyOf: [["orders:read"], ["admin"]] },
    "GET /with-key": ["orders:read"],
    "GET /repeated": ["admin"],
  });
  assertEquals(scopes, { "admin": "Allows admin.", "orders:read": "Read orders." });
  assertEquals(notices, ["GET /with-key: the document also asks for k, which no rule can"]);
});

Deno.test("policy init opens a route only if the document says that it is open", () => {
  const { routes, notices } = init({
    security: [{ o: ["orders:read"] }],
    paths: {
      "/open": get([]),
      "/optional": get([{}, { o: ["orders:read"] }]),
      "/default": { get: {} },
      "/any-token": get([{ b: [] }]),
      "/key": get([{ k: [] }]),
      "/some": get([{ o: ["orders:read"] }, { b: [] }]),
      "/v1/items/{id}": { put: { security: [{ b: [] }] } },
    },
  });
  assertEquals(routes, {
    "GET /open": "public",
    "GET /optional": "public",
    "GET /default": ["orders:read"],
    "GET /any-token": ["any-token:read"],
    "GET /key": ["key:read"],
    "GET /some": ["some:read"],
    "PUT /v1/items/:id": ["items:write"],
  });
  assertEquals(notices.length, 4);
  const { routes: silent } = init({ paths: { "/none": { get: {} } } });
  assertEquals(silent, { "GET /none": ["none:read"] });
});

Deno.test("policy init writes each kind of path as a pattern, after that of the server", () => {
  const security = [{ o: ["orders:read"] }];
  const { routes } = init({
    servers: [{ url: "https://api.test/base/" }],
    paths: Object.fromEntries(
      ["/a/{user-id}", "/b/{id}.json", "/c:batch", "/d/{x}/{y}", "/e(f)", "/", "/g/{1}"]
        .map((path) => [path, get(security)]),
    ),
  });
  assertEquals(Object.keys(routes), [
    ...["GET /base/a/:user_id", "GET /base/b/:id.json", "GET /base/c\\:batch", "GET /base/d/:x/:y"],
    ...["GET /base/e\\(f\\)", "GET /base/", "GET /base/g/:_1"],
  ]);
});

Deno.test("policy init keeps parameters from matching the literals beside them, and nothing else", () => {
  const security = [{ o: ["orders:read"] }];
  const words = ["me", "self", "m", "a.b", "m-1", "~x"];
  const { file, notices } = init({
    paths: Object.fromEntries(["{id}", ...words].map((word) => [`/users/${word}`, get(security)])),
  });
  assertEquals(notices, []);
  const names = [...file.policy.routes.keys()];
  assertEquals(routeTableIssues(names), []);
  const { find } = createRouteTable(names);
  for (const word of words) assertEquals(find("GET", `/users/${word}`), `GET /users/${word}`);
  const others = [
    "x",
    "mee",
    "mf",
    "sel",
    "selff",
    "s",
    "a",
    "a.",
    "a.bc",
    "m-",
    "m-2",
    "m-11",
    "~",
    "~xy",
    "%C3%A9",
    "1",
  ];
  for (const word of others) assertMatch(find("GET", `/users/${word}`) ?? "none", /:id/, word);
});

Deno.test("policy init says which routes overlap, if no parameter can be narrowed for sure", () => {
  const security = [{ o: ["orders:read"] }];
  const { notices } = init({ paths: { "/a/{x}/c": get(security), "/a/b/{y}": get(security) } });
  assertEquals(notices.length, 1);
  assertMatch(notices[0] ?? "", /overlaps with .* for example at \/a\/b\/c/);
});

Deno.test("policy init reads a document of Recto itself", async () => {
  const document = JSON.parse(await Deno.readTextFile("spec/openapi.json"));
  const { text } = createPolicy({ document, service: "recto" });
  const { routes } = parsePolicyFile(text).policy;
  const own = parsePolicyFile(await Deno.readTextFile("policy/scopes.json")).policy;
  for (const [route, rule] of own.routes) {
    if (!hasOwnRule(own, route)) continue;
    const found = [...routes].find(([name]) => name.replaceAll(/\([^/]*\)(?=\/|$)/g, "") === route);
    assert(found !== undefined, route);
    assertEquals(found[1], rule, route);
  }
});
