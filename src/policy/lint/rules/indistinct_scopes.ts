/**
 * `indistinct-scopes`: two scopes that have the same effect on every call and field.
 *
 * @module
 */
import type { Formula } from "../../analysis/formula.ts";
import { normalize, type NormalPolicy } from "../../analysis/normal.ts";
import type { PolicyRule } from "./rule.ts";

/** The sets of every rule, with the scopes of each as names. */
type Sets = readonly (readonly string[])[];

export const indistinctScopes: PolicyRule = {
  code: "indistinct-scopes",
  level: "warning",
  on: "policy",
  find({ source, file: { policy } }) {
    const rules = namedRules(normalize(policy));
    const groups = groupByUse(policy.scopes.keys(), rules);
    return groups.flatMap((scopes) =>
      pairsOf(scopes).filter(([a, b]) => rules.every((sets) => isSymmetric(sets, a, b)))
        .map(([a, b]) => ({
          span: source.nameAt(["scopes", b]),
          message: `No call and no field tells "${b}" from "${a}"`,
          hint: "One of them is enough",
        }))
    );
  },
};

function namedRules({ routes, fields }: NormalPolicy): Sets[] {
  const formulas = new Set<Formula>([...routes.values(), ...fields.values()]);
  return [...formulas].map((formula) => formula.map((set) => [...set]));
}

/** Only scopes that stand in as many sets of each rule can be alike; unused ones are no matter here. */
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

/** Whether a rule stays the same with both names exchanged: then either is as good as the other. */
function isSymmetric(sets: Sets, a: string, b: string): boolean {
  const exchange = (scope: string): string => scope === a ? b : scope === b ? a : scope;
  const known = new Set(sets.map((set) => [...set].sort().join(" ")));
  return sets.every((set) => known.has(set.map(exchange).sort().join(" ")));
}
