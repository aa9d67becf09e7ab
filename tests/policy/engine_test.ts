import fc from "fast-check";
import { createEngine, type Engine } from "../../src/policy/engine.ts";
import { parsePolicy, type Policy, type Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { heldScopes, policies, SCOPES } from "./arbitrary.ts";
import { smallPolicies, TOKENS } from "./small.ts";

const MARKDOWN = "GET /v2/pages/:page_id/content/markdown";
const PUBLIC = "GET /v2/openapi.json";

async function realEngine(): Promise<Engine> {
  const file = new URL("../../policy/scopes.json", import.meta.url);
  return createEngine(parsePolicy(await Deno.readTextFile(file)));
}

function engineOf(rule: Rule): Engine {
  const scopes = new Map(rule.alternatives.flat().map((scope) => [scope, "…"]));
  return createEngine({ scopes, routes: new Map([["GET /v2/x", rule]]), fields: new Map() });
}

function fulfils(rule: Rule, held: ReadonlySet<string>): boolean {
  return rule.public || rule.alternatives.some((list) => list.every((scope) => held.has(scope)));
}

function slowMissing(rule: Rule, held: ReadonlySet<string>): string[][] {
  return rule.alternatives
    .map((list) => list.filter((scope) => !held.has(scope)).sort())
    .map((list) => ({ list, key: `${list.length} ${list.join(" ")}` }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ list }) => list);
}

function slowHidden(policy: Policy, held: ReadonlySet<string>): string[] {
  return [...policy.fields].filter(([, rule]) => !fulfils(rule, held)).map(([name]) => name);
}

Deno.test("decide() allows a call whose scopes are all held, with its reasons", async () => {
  const engine = await realEngine();
  assertEquals(engine.decide(MARKDOWN, engine.grant(new Set(["blocks.read", "pages.read"]))), {
    effect: "allow",
    route: MARKDOWN,
    public: false,
    required: [["pages.read", "blocks.read"]],
    missing: [],
  });
});

Deno.test("decide() denies a call with the scopes that are missing", async () => {
  const engine = await realEngine();
  assertEquals(engine.decide(MARKDOWN, engine.grant(new Set(["pages.read"]))), {
    effect: "deny",
    route: MARKDOWN,
    public: false,
    required: [["pages.read", "blocks.read"]],
    missing: [["blocks.read"]],
  });
});

Deno.test("decide() allows a public route to a token without scopes", async () => {
  const engine = await realEngine();
  assertEquals(engine.decide(PUBLIC, engine.grant(new Set())), {
    effect: "allow",
    route: PUBLIC,
    public: true,
    required: [],
    missing: [],
  });
});

Deno.test("decide() denies an unknown route to every scope, asking for nothing", async () => {
  const engine = await realEngine();
  const everything = engine.grant(new Set(["pages.read", "pages.write", "users.read"]));
  for (const route of ["GET /v2/pages", "toString", "__proto__", ""]) {
    const required: string[][] = [];
    assertEquals(engine.decide(route, everything), {
      effect: "deny",
      route,
      public: false,
      required,
      missing: required,
    });
  }
});

Deno.test("decide() lists what the alternatives lack, fewest first, then alphabetical", () => {
  const alternatives = [["e", "d", "a"], ["c"], ["b", "a"], ["d", "c", "b"]];
  const engine = engineOf({ public: false, alternatives });
  assertEquals(engine.decide("GET /v2/x", engine.grant(new Set(["a"]))).missing, [
    ["b"],
    ["c"],
    ["d", "e"],
    ["b", "c", "d"],
  ]);
});

Deno.test("decide() treats a grant of another engine as one without scopes", async () => {
  const engine = await realEngine();
  const stranger = (await realEngine()).grant(new Set(["pages.read", "blocks.read"]));
  assertEquals(engine.decide(MARKDOWN, stranger).effect, "deny");
  assertEquals(engine.decide(PUBLIC, stranger).effect, "allow");
});

Deno.test("decide() denies rules with an undeclared scope or an empty list", () => {
  const policy: Policy = {
    scopes: new Map(),
    routes: new Map([
      ["GET /v2/undeclared", { public: false, alternatives: [["x"]] }],
      ["GET /v2/empty", { public: false, alternatives: [[]] }],
      ["GET /v2/none", { public: false, alternatives: [] }],
    ]),
    fields: new Map(),
  };
  const engine = createEngine(policy);
  for (const route of policy.routes.keys()) {
    assertEquals(engine.decide(route, engine.grant(new Set())).effect, "deny", route);
  }
});

Deno.test("rule() returns the same frozen decision whenever it allows", async () => {
  const engine = await realEngine();
  const rule = engine.rule("GET /v2/pages/:page_id");
  const grant = engine.grant(new Set(["pages.read"]));
  const decision = rule?.decide(grant);
  assert(decision !== undefined && Object.isFrozen(decision));
  assert(rule?.decide(grant) === decision);
  assert(engine.decide("GET /v2/pages/:page_id", grant) === decision);
  assertEquals(engine.rule("constructor"), undefined);
});

Deno.test("hiddenFields() includes the e-mail address unless the token has its scope", async () => {
  const engine = await realEngine();
  const others = new Set(["users.read", "pages.read", "search.read"]);
  const hidden = engine.grant(others);
  const shown = engine.grant(new Set(["users.email.read"]));
  assertEquals(engine.hiddenFields(hidden), ["user.person.email"]);
  assertEquals(engine.hiddenFields(shown), []);
  assert(engine.hiddenFields(hidden) === engine.hiddenFields(hidden));
  assertEquals((await realEngine()).hiddenFields(shown), ["user.person.email"]);
});

Deno.test("createEngine() agrees with a plain evaluation of the rules", () => {
  fc.assert(fc.property(policies, heldScopes, (policy, scopes) => {
    const held = new Set(scopes);
    const engine = createEngine(policy);
    const grant = engine.grant(held);
    for (const [route, rule] of policy.routes) {
      const allowed = fulfils(rule, held);
      assertEquals(engine.decide(route, grant), {
        effect: allowed ? "allow" : "deny",
        route,
        public: rule.public,
        required: rule.alternatives,
        missing: allowed ? [] : slowMissing(rule, held),
      });
    }
    assertEquals(engine.hiddenFields(grant), slowHidden(policy, held));
  }));
});

Deno.test("createEngine() never takes a call or a field away for one more scope", () => {
  const scope = fc.constantFrom(...SCOPES);
  fc.assert(fc.property(policies, heldScopes, scope, (policy, scopes, extra) => {
    const engine = createEngine(policy);
    const less = engine.grant(new Set(scopes));
    const more = engine.grant(new Set([...scopes, extra]));
    for (const route of policy.routes.keys()) {
      const before = engine.decide(route, less).effect;
      assert(before === "deny" || engine.decide(route, more).effect === "allow", route);
    }
    const hidden = new Set(engine.hiddenFields(less));
    assert(engine.hiddenFields(more).every((field) => hidden.has(field)));
  }));
});

Deno.test("createEngine() makes the same decision every time", () => {
  fc.assert(fc.property(smallPolicies, (policy) => {
    const engine = createEngine(policy);
    for (const held of [...TOKENS, ...TOKENS]) {
      for (const [route, rule] of policy.routes) {
        const allowed = fulfils(rule, held);
        const { effect, missing } = engine.decide(route, engine.grant(held));
        assertEquals(effect, allowed ? "allow" : "deny");
        assertEquals([...missing], allowed ? [] : slowMissing(rule, held));
      }
    }
  }));
});
