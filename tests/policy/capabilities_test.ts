import fc from "fast-check";
import { NEVER } from "../../src/policy/analysis/formula.ts";
import { normalize } from "../../src/policy/analysis/normal.ts";
import { capabilitiesOf, lackingFor, smallestFor } from "../../src/policy/analysis/capabilities.ts";
import { parseCall, resolveRoute } from "../../src/policy/analysis/resolve.ts";
import { assertEquals } from "../assert.ts";
import { fulfils, inOrder, ROUTES, SCOPES, smallest, smallPolicies, TOKENS } from "./small.ts";

const RUNS = { numRuns: 2_000 };

Deno.test("capabilitiesOf() lists what every token can call and see", () => {
  fc.assert(
    fc.property(smallPolicies, fc.constantFrom(...TOKENS), (policy, held) => {
      const { calls, shown, hidden } = capabilitiesOf(normalize(policy), held);
      const open = (rules: typeof policy.routes): string[] =>
        [...rules].filter(([, rule]) => fulfils(rule, held)).map(([name]) => name);
      assertEquals(calls, open(policy.routes));
      assertEquals(shown, open(policy.fields));
      assertEquals(new Set([...shown, ...hidden]), new Set(policy.fields.keys()));
    }),
    RUNS,
  );
});

Deno.test("smallestFor() returns the smallest tokens for any set of calls", () => {
  fc.assert(
    fc.property(smallPolicies, fc.subarray([...ROUTES]), (policy, names) => {
      assertEquals(
        smallestFor(normalize(policy), names),
        smallest((held) => names.every((name) => fulfils(policy.routes.get(name), held))),
      );
    }),
    RUNS,
  );
});

Deno.test("lackingFor() returns the smallest sets of scopes that a token lacks", () => {
  fc.assert(
    fc.property(smallPolicies, fc.constantFrom(...TOKENS), (policy, held) => {
      const { routes } = normalize(policy);
      for (const name of ROUTES) {
        const rule = policy.routes.get(name);
        const lacking = lackingFor(routes.get(name) ?? NEVER, held);
        const added = smallest((more) =>
          more.isDisjointFrom(held) && fulfils(rule, new Set([...held, ...more]))
        );
        const expected = fulfils(rule, held) ? [] : added;
        assertEquals(inOrder(lacking.map((set) => [...set])), expected);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("lackingFor() returns scopes with which the token passes", () => {
  fc.assert(fc.property(smallPolicies, fc.subarray([...SCOPES]), (policy, held) => {
    const { routes } = normalize(policy);
    for (const [name, rule] of policy.routes) {
      for (const set of lackingFor(routes.get(name) ?? NEVER, new Set(held))) {
        assertEquals(fulfils(rule, new Set([...held, ...set])), true);
      }
    }
  }));
});

const TABLE = ["GET /v2/users/:id", "GET /v2/users/me", "GET /v2/:kind/me", "POST /v2/users"];

Deno.test("resolveRoute() finds the route of a call, literal segments first", () => {
  const found = (text: string): string | undefined => {
    const call = parseCall(text);
    return call && resolveRoute(TABLE, call);
  };
  assertEquals(found("GET /v2/users/5c6a"), "GET /v2/users/:id");
  assertEquals(found("get /v2/users/me?x=1"), "GET /v2/users/me");
  assertEquals(found("HEAD /v2/users/:id"), "GET /v2/users/:id");
  assertEquals(found("GET /v2/pages/me"), "GET /v2/:kind/me");
  assertEquals(found("POST /v2/users"), "POST /v2/users");
  for (const none of ["POST /v2/users/", "GET /v2/users/", "PUT /v2/users", "GET", "x /y z"]) {
    assertEquals(found(none), undefined, none);
  }
});
