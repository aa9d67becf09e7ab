import { findDrift } from "../../src/policy/drift.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assertEquals } from "../assert.ts";

const policy = parsePolicy(JSON.stringify({
  scopes: { "a.read": "Read a." },
  routes: { "GET /v2/a": ["a.read"], "GET /v2/b": "public" },
  fields: {},
}));
const policyFile = "policy/scopes.json";

Deno.test("findDrift() finds nothing if both have the same routes, in any order", () => {
  assertEquals(findDrift({ policy, policyFile, routes: ["GET /v2/b", "GET /v2/a"] }), []);
});

Deno.test("findDrift() reports which side lacks a route, and what to do", () => {
  const routes = ["GET /v2/a", "POST /v2/a", "GET /v2/a/", "POST /v2/a"];
  assertEquals(findDrift({ policy, policyFile, routes }), [
    'Endpoint "POST /v2/a" has no rule: add "POST /v2/a" to "routes" in policy/scopes.json',
    'Endpoint "GET /v2/a/" has no rule: add "GET /v2/a/" to "routes" in policy/scopes.json',
    'Rule "GET /v2/b" has no endpoint: remove it from "routes" in policy/scopes.json, or declare the endpoint',
  ]);
});
