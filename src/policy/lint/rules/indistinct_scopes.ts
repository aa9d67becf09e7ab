/**
 * `indistinct-scopes`: two scopes that have the same effect on every call and field.
 *
 * @module
 */
import type { Formula } from "../../analysis/formula.ts";
import { scopesIn } from "../../../shared/acr.ts";
import { normalize, type NormalPolicy } from "../../analysis/normal.ts";
import type { PolicyRule } from "./rule.ts";

/** The smallest sets of scopes that satisfy a rule. */
type Sets = readonly (readonly string[])[];

export const indistinctScopes: PolicyRule = {
  code: "indistinct-scopes",
  summary: "Two scopes have the same effect on every call and field",
  level: "warning",
  on: "policy",
  find({ source, file: { policy } }) {
    const rules = namedRules(normalize(policy));
    const groups = groupByUse(scopesIn(policy.scopes.keys()), rules);
    return groups.flatMap((scopes) =>
      pairsOf(scopes).filter(([a, b]) => rules.every((sets) => isSymmetric(sets, a, b)))
        .map(([a, b]) => ({
          span: source.nameAt(["scopes", b]),
          message: `"${a}" and "${b}" have the same effect on every call and field`,
          hint: "One of them is enough",
        }))
    );
  },
};

function namedRules({ routes, fields }: NormalPolicy): Sets[] {
  const formulas = new Set<Formula>([...routes.values(), ...fields.values()]);
  return [...formulas].map((formula) => formula.map((set) => [...set]));
}

/** Groups scopes that occur in equally many sets of each rule: only these can be alike. */
function groupByUse(scopes: Iterable<string>, rules: readonly Sets[]): string[][] {
  const counts = new Map<string, string[]>([...scopes].map((scope) => [scope, []]));
  for (const [index, sets] of rules.entries()) {
    for (const scope of sets.flat()) counts.get(scope)?.push(`${index}`);
  }
  const used = [...counts].filter(([, count]) => count.length > 0);
  return [...Map.groupBy(used, ([, count]) => count.join(" ")).values()]
    .map((group) => group.map(([scope]) => scope));
}

function pairsOf(scopes: readonly string[]): [string, string][] {
  return scopes.flatMap((a, index) => scopes.slice(index + 1).map((b): [string, string] => [a, b]));
}

/** Returns whether a rule stays the same if two scopes swap places. */
function isSymmetric(sets: Sets, a: string, b: string): boolean {
  const swap = (scope: string): string => scope === a ? b : scope === b ? a : scope;
  const originals = new Set(sets.map((set) => [...set].sort().join(" ")));
  return sets.every((set) => originals.has(set.map(swap).sort().join(" ")));
}
