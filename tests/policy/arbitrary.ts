/**
 * Random policies and tokens.
 *
 * @module
 */
import fc from "fast-check";
import type { Policy, Rule } from "../../src/policy/schema.ts";

/** More than fit into two words of bits. */
export const SCOPES: readonly string[] = Array.from({ length: 70 }, (_, i) => `scope${i}.read`);

export const heldScopes: fc.Arbitrary<string[]> = fc.subarray([...SCOPES, "unheard.of"]);

const scopeList = fc.subarray([...SCOPES], { minLength: 1, maxLength: 3 });

const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.constant({ public: true, alternatives: [] }),
  fc.array(scopeList, { minLength: 1, maxLength: 4 }).map((alternatives) => ({
    public: false,
    alternatives,
  })),
);

function rules(name: string): fc.Arbitrary<Map<string, Rule>> {
  return fc.array(rule, { maxLength: 6 }).map((list) =>
    new Map(list.map((entry, index) => [`${name}${index}`, entry]))
  );
}

export const policies: fc.Arbitrary<Policy> = fc.record({
  scopes: fc.constant(new Map(SCOPES.map((scope) => [scope, "What it opens."]))),
  routes: rules("GET /v2/thing"),
  fields: rules("thing.field"),
});
