import fc from "fast-check";
import { digestOf, normalText } from "../../src/policy/digest.ts";
import type { Policy, Rule } from "../../src/policy/schema.ts";
import { assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { FIELDS, fulfils, ROUTES, sees, smallPolicies, TOKENS } from "./small.ts";

function isSamePolicy(a: Policy, b: Policy): boolean {
  return TOKENS.every((held) =>
    ROUTES.every((name) =>
      fulfils(a.routes.get(name), held) === fulfils(b.routes.get(name), held)
    ) && FIELDS.every((name) => sees(a, name, held) === sees(b, name, held))
  );
}

function reversed(rules: ReadonlyMap<string, Rule>): Map<string, Rule> {
  return new Map(
    [...rules].reverse().map(([name, rule]) => [name, {
      ...rule,
      // Doubled, turned round, and with a larger alternative that changes nothing.
      alternatives: [...rule.alternatives, ...rule.alternatives]
        .map((list, index) => (index % 2 === 0 ? [...list].reverse() : [...list, "c.read"]))
        .concat(rule.alternatives.map((list) => [...list]))
        .reverse(),
    }]),
  );
}

Deno.test("digestOf() is a SHA-256 in hexadecimal", () => {
  fc.assert(
    fc.property(smallPolicies, (policy) => assertMatch(digestOf(policy), /^[0-9a-f]{64}$/)),
    { numRuns: 10 },
  );
});

Deno.test("digestOf() is equal exactly for equivalent policies", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, (a, b) => {
      assertEquals(digestOf(a) === digestOf(b), isSamePolicy(a, b));
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("digestOf() ignores order, repetition, absorbed alternatives and descriptions", () => {
  fc.assert(
    fc.property(smallPolicies, (policy) => {
      const rewritten = {
        scopes: new Map([...policy.scopes].reverse().map(([name]) => [name, "Other words."])),
        routes: reversed(policy.routes),
        fields: reversed(policy.fields),
      };
      assertEquals(normalText(rewritten), normalText(policy));
      assertEquals(digestOf(rewritten), digestOf(policy));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("digestOf() tells a field that nobody sees from one that everybody sees", () => {
  const policy = (rule: Rule): Policy => ({
    scopes: new Map(),
    routes: new Map(),
    fields: new Map([["user.email", rule]]),
  });
  const open = digestOf(policy({ public: true, alternatives: [] }));
  assertNotEquals(digestOf(policy({ public: false, alternatives: [] })), open);
  assertEquals(digestOf({ scopes: new Map(), routes: new Map(), fields: new Map() }), open);
});
