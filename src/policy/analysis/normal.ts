/**
 * A policy as formulas: what it decides, regardless of how it is written.
 *
 * @module
 */
import type { Policy, Rule } from "../schema.ts";
import { ALWAYS, type Formula, minimize } from "./formula.ts";
import { createScopeSet, type ScopeSet } from "./scope_set.ts";

export interface NormalPolicy {
  /** Every scope that the policy declares or uses. */
  readonly all: ScopeSet;
  readonly routes: ReadonlyMap<string, Formula>;
  readonly fields: ReadonlyMap<string, Formula>;
  /** The routes whose formulas are those of other routes. */
  readonly aliases?: NonNullable<Policy["aliases"]>;
}

/** Returns a policy's normal form. */
export function normalize(policy: Policy, toFormula = createFormulas()): NormalPolicy {
  return {
    all: scopesOf(policy),
    routes: toFormulas(policy.routes, toFormula),
    fields: toFormulas(policy.fields, toFormula),
    ...(policy.aliases && { aliases: policy.aliases }),
  };
}

/** Returns the scopes that a policy declares or uses. */
function scopesOf({ scopes, routes, fields }: Policy): ScopeSet {
  const rules = [...routes.values(), ...fields.values()];
  const used = rules.flatMap((rule) => rule.alternatives.flat());
  return createScopeSet(new Set([...scopes.keys(), ...used]));
}

function toFormulas(
  rules: ReadonlyMap<string, Rule>,
  toFormula: (rule: Rule) => Formula,
): Map<string, Formula> {
  return new Map([...rules].map(([name, rule]) => [name, toFormula(rule)]));
}

/** Converts rules, and caches their formulas because many routes have the same rule. */
export function createFormulas(): (rule: Rule) => Formula {
  const cache = new Map<string, Formula>();
  return (rule) => {
    const key = rule.public ? "*" : rule.alternatives.map((list) => list.join(" ")).join("|");
    const formula = cache.get(key) ?? toFormula(rule);
    cache.set(key, formula);
    return formula;
  };
}

function toFormula(rule: Rule): Formula {
  if (rule.public) return ALWAYS;
  // As in the engine, an empty list opens nothing: only "public" does.
  return minimize(rule.alternatives.filter((list) => list.length > 0).map(createScopeSet));
}
