import fc from "fast-check";
import { digestOf } from "../../src/policy/digest.ts";
import { PolicyError } from "../../src/policy/issue.ts";
import { compareRoutes, formatPolicy } from "../../src/policy/lint/format.ts";
import { printJson } from "../../src/policy/lint/print_json.ts";
import { parsePolicy, parsePolicyFile, type Policy, type Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { SCOPES, smallPolicies } from "./small.ts";

function rawRule({ public: isPublic, alternatives }: Rule): unknown {
  return isPublic ? "public" : { anyOf: alternatives };
}

/** A file of a policy as no formatter left it; it declares what is used, and no more. */
function textOf(policy: Policy, turn = (entries: [string, unknown][]) => entries): string {
  const rules = [...policy.routes.values(), ...policy.fields.values()];
  const used = new Set(rules.flatMap((rule) => rule.alternatives).flat());
  const table = (rules: Policy["routes"]): Record<string, unknown> =>
    Object.fromEntries(turn([...rules].map(([name, rule]) => [name, rawRule(rule)])));
  return JSON.stringify({
    fields: table(policy.fields),
    routes: table(policy.routes),
    scopes: Object.fromEntries(SCOPES.filter((scope) => used.has(scope)).map((one) => [one, "…"])),
  });
}

Deno.test("formatPolicy() preserves decisions and is idempotent", () => {
  fc.assert(
    fc.property(smallPolicies, (policy) => {
      const text = textOf(policy);
      const formatted = formatPolicy(text);
      assertEquals(digestOf(parsePolicy(formatted)), digestOf(parsePolicy(text)));
      assertEquals(formatPolicy(formatted), formatted);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("formatPolicy() returns the same text for every order of routes, fields and scopes", () => {
  const turned = (policy: Policy): Policy => {
    const turn = (rules: Policy["routes"]): Policy["routes"] =>
      new Map([...rules].map(([name, rule]) => [name, {
        ...rule,
        alternatives: rule.alternatives.map((list) => [...list].reverse()).reverse(),
      }]));
    return { ...policy, routes: turn(policy.routes), fields: turn(policy.fields) };
  };
  fc.assert(fc.property(smallPolicies, (policy) => {
    const other = textOf(turned(policy), (entries) => entries.reverse());
    assertEquals(formatPolicy(other), formatPolicy(textOf(policy)));
  }));
});

Deno.test("formatPolicy() keeps statements and calls that only read", () => {
  const text = JSON.stringify({
    invariants: [{ name: "x", tokens: { only: ["*"] }, cannotCall: ["writes"] }],
    safe: ["POST /v2/b", "POST /v2/a"],
    fields: {},
    routes: { "POST /v2/b": "public", "POST /v2/a": "public" },
    scopes: {},
  });
  const { safe, invariants } = parsePolicyFile(formatPolicy(text));
  assertEquals([...safe], ["POST /v2/a", "POST /v2/b"]);
  assertEquals(invariants, parsePolicyFile(text).invariants);
});

Deno.test("formatPolicy() keeps redundant alternatives", () => {
  const routes = { "GET /v2/a": { anyOf: [["a.read", "b.read"], ["a.read"], ["a.read"]] } };
  const text = JSON.stringify({
    scopes: { "a.read": "…", "b.read": "…" },
    routes,
    fields: {},
  });
  assertEquals(JSON.parse(formatPolicy(text)).routes, {
    "GET /v2/a": { anyOf: [["a.read"], ["a.read"], ["a.read", "b.read"]] },
  });
});

Deno.test("formatPolicy() rejects an invalid policy", () => {
  assertThrows(() => formatPolicy("{}"), PolicyError);
});

Deno.test("compareRoutes() sorts by path, then by method; literal segments first", () => {
  const sorted = [
    "POST /v2/a",
    "GET /v2/a/me",
    "GET /v2/a/:id",
    "PATCH /v2/a/:id",
    "DELETE /v2/a/:id",
    "GET /v2/a/:id/b",
    "GET /v2/b",
    "POST /v2/b",
  ];
  assertEquals([...sorted].reverse().sort(compareRoutes), sorted);
});

Deno.test("formatPolicy() writes what deno fmt leaves alone", async () => {
  const long = Array.from({ length: 12 }, (_, index) => `quite.a.long.scope${index}.read`);
  const policy = {
    scopes: Object.fromEntries(long.map((scope) => [scope, `What ${scope} opens.`.repeat(5)])),
    routes: {
      "GET /v2/a": long,
      "GET /v2/b": { anyOf: long.map((scope) => [scope]) },
      "GET /v2/c": { anyOf: [[long[0]], long.slice(1, 5)] },
    },
    fields: {},
    invariants: [{ name: "x", tokens: { only: long, without: [] }, cannotCall: ["*"] }],
  };
  const text = formatPolicy(JSON.stringify(policy));
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, text);
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const args = ["fmt", "--check", "--config", config, file];
    const { success } = await new Deno.Command(Deno.execPath(), { args, stderr: "null" }).output();
    assert(success, text);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("printJson() prints every value as JSON", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.boolean(), (value, spread) => {
    const text = printJson(value, { spread: () => spread });
    assertEquals(JSON.stringify(JSON.parse(text)), JSON.stringify(value));
  }));
});
