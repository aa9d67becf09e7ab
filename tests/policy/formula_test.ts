import fc from "fast-check";
import { createBits, type Mask } from "../../src/policy/bits.ts";
import {
  both,
  type Formula,
  gained,
  implies,
  isFulfilled,
  isSame,
  largestRefused,
  minimize,
  NEVER,
  TooManySetsError,
} from "../../src/policy/analysis/formula.ts";
import { normalize } from "../../src/policy/analysis/normal.ts";
import type { Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { all, bits, fulfils, largest, rule, SCOPES, smallest, TOKENS } from "./small.ts";

const RUNS = { numRuns: 2_000 };

function formulaOf(rule: Rule): Formula {
  const lists = rule.public ? [[]] : rule.alternatives;
  return minimize(lists.map((list) => bits.mask(list)));
}

function named(masks: readonly Mask[]): string[][] {
  return masks.map((mask) => bits.names(mask));
}

Deno.test("minimize() keeps the smallest sets that fulfil a rule, in one order", () => {
  fc.assert(
    fc.property(
      rule,
      (one) => assertEquals(named(formulaOf(one)), smallest((held) => fulfils(one, held))),
    ),
    RUNS,
  );
});

Deno.test("isFulfilled() answers for every token as the rule reads", () => {
  fc.assert(
    fc.property(rule, (one) => {
      for (const held of TOKENS) {
        assertEquals(isFulfilled(formulaOf(one), bits.mask(held)), fulfils(one, held));
      }
    }),
    RUNS,
  );
});

Deno.test("largestRefused() gives the largest tokens that a rule refuses", () => {
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

Deno.test("largestRefused() is everything for a rule that nobody fulfils, nothing for a public one", () => {
  assertEquals(named(largestRefused(NEVER, all)), [[...SCOPES]]);
  assertEquals(largestRefused([bits.mask([])], all), []);
});

Deno.test("gained() gives the smallest tokens that only the second rule lets through", () => {
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

Deno.test("implies() and isSame() say what every token says", () => {
  fc.assert(
    fc.property(rule, rule, (a, b) => {
      const [first, second] = [formulaOf(a), formulaOf(b)];
      const implied = TOKENS.every((held) => !fulfils(a, held) || fulfils(b, held));
      const same = TOKENS.every((held) => fulfils(a, held) === fulfils(b, held));
      assertEquals(implies(first, second), implied);
      assertEquals(isSame(first, second), same);
    }),
    RUNS,
  );
});

Deno.test("both() gives the smallest tokens that fulfil two rules", () => {
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

Deno.test("largestRefused() gives up where the answer would be endless", () => {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const pairs = Array.from({ length: 20 }, (_, index) => [`s${2 * index}`, `s${2 * index + 1}`]);
  const wide = createBits(names);
  const formula = minimize(pairs.map((pair) => wide.mask(pair)));
  assertThrows(() => largestRefused(formula, wide.mask(names)), TooManySetsError);
});

Deno.test("the largest refused sets and the smallest allowed ones say the same, past one word", () => {
  const names = Array.from({ length: 70 }, (_, index) => `s${index}`);
  const wide = createBits(names);
  const everything = wide.mask(names);
  const lists = fc.array(fc.subarray(names, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
  fc.assert(fc.property(lists, (some) => {
    const formula = minimize(some.map((list) => wide.mask(list)));
    const refused = largestRefused(formula, everything);
    assert(refused.every((mask) => !isFulfilled(formula, mask)));
    const complements = minimize(refused.map((mask) => wide.mask(wide.lacking(everything, mask))));
    const back = largestRefused(complements, everything)
      .map((mask) => wide.mask(wide.lacking(everything, mask)));
    assertEquals(new Set(minimize(back).map(String)), new Set(formula.map(String)));
  }));
});

Deno.test("normalize() makes equal rules one value, whatever a scope is called", () => {
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
  assert(!isSame(routes.get("GET /a") ?? NEVER, routes.get("GET /b") ?? NEVER));
});
