/**
 * Policies of so few scopes that every token can be tried: the slow, obvious answers.
 *
 * @module
 */
import fc from "fast-check";
import { createScopeSet } from "../../src/policy/analysis/scope_set.ts";
import type { Policy, Rule } from "../../src/policy/schema.ts";

export const SCOPES: readonly string[] = [
  ...["a.read", "a.write", "b.read", "b.write", "acr:mfa", "acr:phr"],
];
export const ROUTES: readonly string[] = [
  "GET /v2/a/:id",
  "PATCH /v2/a/:id",
  "POST /v2/b",
  "GET /v2/c",
];
export const FIELDS: readonly string[] = ["thing.secret", "thing.owner.email"];

/** Every token that there can be, as a set of its scopes. */
export const TOKENS: readonly ReadonlySet<string>[] = Array.from(
  { length: 1 << SCOPES.length },
  (_, index) => new Set(SCOPES.filter((_, position) => (index >> position) & 1)),
);

export const all = createScopeSet(SCOPES);

const scopeList = fc.subarray([...SCOPES], { minLength: 1 });

export const rule: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ public: true, alternatives: [] }) },
  {
    weight: 8,
    arbitrary: fc.array(scopeList, { minLength: 1, maxLength: 5 })
      .map((alternatives) => ({ public: false, alternatives })),
  },
);

function table(names: readonly string[]): fc.Arbitrary<Map<string, Rule>> {
  return fc.subarray([...names]).chain((chosen) =>
    fc.tuple(...chosen.map(() => rule)).map((rules) =>
      new Map(chosen.map((name, index) => [name, rules[index] ?? CLOSED]))
    )
  );
}

const CLOSED: Rule = { public: false, alternatives: [] };

/** Policies over the same scopes and over some of the same routes and fields. */
export const smallPolicies: fc.Arbitrary<Policy> = fc.record({
  scopes: fc.constant(new Map(SCOPES.map((scope) => [scope, "What it opens."]))),
  routes: table(ROUTES),
  fields: table(FIELDS),
});

/** Returns the decision of a rule, read word for word; without a rule, false. */
export function fulfils(rule: Rule | undefined, held: ReadonlySet<string>): boolean {
  if (rule === undefined) return false;
  return rule.public || rule.alternatives.some((list) => list.every((scope) => held.has(scope)));
}

/** Returns whether a token sees a field; one without a rule is seen by all. */
export function sees(policy: Policy, field: string, held: ReadonlySet<string>): boolean {
  const rule = policy.fields.get(field);
  return rule === undefined || fulfils(rule, held);
}

/** The minimal tokens that satisfy a question: no smaller one does. */
export function smallest(question: (held: ReadonlySet<string>) => boolean): string[][] {
  return keep(TOKENS.filter(question), (other, token) => other.isSubsetOf(token));
}

/** The maximal tokens that satisfy a question: no larger one does. */
export function largest(question: (held: ReadonlySet<string>) => boolean): string[][] {
  return keep(TOKENS.filter(question), (other, token) => token.isSubsetOf(other));
}

function keep(
  tokens: readonly ReadonlySet<string>[],
  beats: (other: ReadonlySet<string>, token: ReadonlySet<string>) => boolean,
): string[][] {
  const kept = tokens.filter((token) =>
    !tokens.some((other) => other !== token && beats(other, token))
  );
  return inOrder(kept.map((token) => [...token].sort()));
}

/** Sets in one order, so that two lists of them can be compared. */
export function inOrder(sets: readonly (readonly string[])[]): string[][] {
  return sets.map((set) => [...set].sort())
    .sort((a, b) => a.length - b.length || (a.join(" ") < b.join(" ") ? -1 : 1));
}
