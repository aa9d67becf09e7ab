import fc from "fast-check";
import {
  ALWAYS,
  both,
  type Formula,
  gained,
  implies,
  isEquivalent,
  isSatisfied,
  largestRefused,
  minimize,
  NEVER,
  TooManySetsError,
} from "../../src/policy/analysis/formula.ts";
import { normalize } from "../../src/policy/analysis/normal.ts";
import { createScopeSet, type ScopeSet } from "../../src/policy/analysis/scope_set.ts";
import type { Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { all, fulfils, largest, rule, SCOPES, smallest, TOKENS } from "./small.ts";

const RUNS = { numRuns: 2_000 };

function formulaOf(rule: Rule): Formula {
  const lists = rule.public ? [[]] : rule.alternatives;
  return minimize(lists.map(createScopeSet));
}

function named(sets: readonly ScopeSet[]): string[][] {
  return sets.map((set) => [...set]);
}

Deno.test("minimize() returns the smallest sets that satisfy a rule, in a fixed order", () => {
  fc.assert(
    fc.property(
      rule,
      (one) => assertEquals(named(formulaOf(one)), smallest((held) => fulfils(one, held))),
    ),
    RUNS,
  );
});

Deno.test("isSatisfied() agrees with the rule on every token", () => {
  fc.assert(
    fc.property(rule, (one) => {
      for (const held of TOKENS) {
        assertEquals(isSatisfied(formulaOf(one), held), fulfils(one, held));
      }
    }),
    RUNS,
  );
});

Deno.test("largestRefused() returns the largest tokens that a rule refuses", () => {
  fc.assert(
    fc.property(rule, (one) => {
      const refused = named(largestRefused(formulaOf(one), all));
      const expected = largest((held) => !fulfils(one, held));
      assertEquals(new Set(refused.map(String)), new Set(expected.map(String)));
      assertEquals(refused.length, expected.length);
    }),
    RUNS,
  );
});

Deno.test("largestRefused() returns all scopes for an unsatisfiable rule, nothing for a public one", () => {
  assertEquals(named(largestRefused(NEVER, all)), [[...SCOPES].sort()]);
  assertEquals(largestRefused(ALWAYS, all), []);
});

Deno.test("gained() returns the smallest tokens that only the second rule allows", () => {
  fc.assert(
    fc.property(rule, rule, (before, after) => {
      assertEquals(
        named(gained(formulaOf(before), formulaOf(after))),
        smallest((held) => fulfils(after, held) && !fulfils(before, held)),
      );
    }),
    RUNS,
  );
});

Deno.test("implies() and isEquivalent() agree with every token", () => {
  fc.assert(
    fc.property(rule, rule, (a, b) => {
      const [first, second] = [formulaOf(a), formulaOf(b)];
      const implied = TOKENS.every((held) => !fulfils(a, held) || fulfils(b, held));
      const same = TOKENS.every((held) => fulfils(a, held) === fulfils(b, held));
      assertEquals(implies(first, second), implied);
      assertEquals(isEquivalent(first, second), same);
    }),
    RUNS,
  );
});

Deno.test("both() returns the smallest tokens that satisfy two rules", () => {
  fc.assert(
    fc.property(rule, rule, (a, b) => {
      assertEquals(
        named(both(formulaOf(a), formulaOf(b))),
        smallest((held) => fulfils(a, held) && fulfils(b, held)),
      );
    }),
    RUNS,
  );
});

Deno.test("largestRefused() throws if the result has too many sets", () => {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const pairs = Array.from({ length: 20 }, (_, index) => [`s${2 * index}`, `s${2 * index + 1}`]);
  const formula = minimize(pairs.map(createScopeSet));
  assertThrows(() => largestRefused(formula, createScopeSet(names)), TooManySetsError);
});

Deno.test("the largest refused sets determine the smallest allowed ones, with many scopes", () => {
  const names = Array.from({ length: 70 }, (_, index) => `s${index}`);
  const everything = createScopeSet(names);
  const lists = fc.array(fc.subarray(names, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
  fc.assert(fc.property(lists, (some) => {
    const formula = minimize(some.map(createScopeSet));
    const refused = largestRefused(formula, everything);
    assert(refused.every((set) => !isSatisfied(formula, set)));
    const complements = minimize(refused.map((set) => everything.difference(set)));
    const back = largestRefused(complements, everything).map((set) => everything.difference(set));
    assertEquals(named(minimize(back)), named(formula));
  }));
});

Deno.test("normalize() makes equal rules one value, even if a scope is called public", () => {
  const policy = {
    scopes: new Map([["public", "…"], ["x", "…"]]),
    routes: new Map<string, Rule>([
      ["GET /a", { public: true, alternatives: [] }],
      ["GET /b", { public: false, alternatives: [["public"]] }],
      ["GET /c", { public: false, alternatives: [["public"]] }],
      ["GET /d", { public: false, alternatives: [[]] }],
    ]),
    fields: new Map(),
  };
  const { routes } = normalize(policy);
  assert(routes.get("GET /b") === routes.get("GET /c"));
  assertEquals([...routes.values()].map((formula) => formula.length), [1, 1, 1, 0]);
  assert(!isEquivalent(routes.get("GET /a") ?? NEVER, routes.get("GET /b") ?? NEVER));
});
