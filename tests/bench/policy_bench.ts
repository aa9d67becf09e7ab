import { createEngine } from "../../src/policy/engine.ts";
import { parsePolicy } from "../../src/policy/schema.ts";

const text = await Deno.readTextFile(new URL("../../policy/scopes.json", import.meta.url));
const engine = createEngine(parsePolicy(text));
const route = "GET /v2/pages/:page_id/content/markdown";
const reader = new Set(["pages.read", "blocks.read"]);
const grant = engine.grant(reader);
const partial = engine.grant(new Set(["pages.read"]));
const rule = engine.rule(route);

Deno.bench("policy: allow by a compiled rule", () => {
  rule?.decide(grant);
});

Deno.bench("policy: allow by name", () => {
  engine.decide(route, grant);
});

Deno.bench("policy: deny with reasons", () => {
  engine.decide(route, partial);
});

Deno.bench("policy: grant of a new token", () => {
  engine.grant(reader);
});
