/**
 * The rules of routes that have none of their own: they need what other routes need.
 *
 * @module
 */
import { minimize } from "./analysis/formula.ts";
import { createScopeSet, union } from "./analysis/scope_set.ts";
import type { Rule } from "./schema.ts";

/**
 * The most alternatives of a rule: a refused call compares its token with each of them, and an alias of
 * several routes combines each of one with each of the others.
 */
export const MAX_ALTERNATIVES = 32;

/** By the name of an alias, the routes that it stands for. */
type Aliases = ReadonlyMap<string, readonly string[]>;

/**
 * An alias of a route without a rule gets none, so that the server refuses its calls. Aliases of the
 * same routes share one rule.
 */
export function toAliasRules(
  aliases: Aliases,
  rules: ReadonlyMap<string, Rule>,
): Map<string, Rule> {
  const combined = new Map<string, Rule>();
  const found = [...aliases].flatMap(([name, targets]): [string, Rule][] => {
    const own = targets.flatMap((target) => rules.get(target) ?? []);
    const isWhole = own.length === targets.length && !rules.has(name);
    if (!isWhole) return [];
    const key = JSON.stringify(targets);
    return [[name, combined.getOrInsertComputed(key, () => allOf(own))]];
  });
  return new Map(found);
}

/**
 * The rule that a token satisfies if it satisfies all of them; as soon as it has too many alternatives,
 * the rest is left out.
 */
function allOf(rules: readonly Rule[]): Rule {
  // The fewest first, because they absorb what the others multiply.
  const [first, ...rest] = rules.toSorted((a, b) => a.alternatives.length - b.alternatives.length);
  if (first === undefined) return { public: true, alternatives: [] };
  return rest.reduce((all, rule) => hasTooMany(all.alternatives) ? all : bothOf(all, rule), first);
}

/** The rule that a token satisfies if it satisfies both, without alternatives that include another. */
function bothOf(one: Rule, other: Rule): Rule {
  if (one.public) return other;
  if (other.public) return one;
  const sets = one.alternatives.map(createScopeSet);
  const others = other.alternatives.map(createScopeSet);
  const pairs = sets.flatMap((set) => others.map((more) => union(set, more)));
  const both = minimize(pairs, MAX_ALTERNATIVES + 1);
  return { public: false, alternatives: both.map((set) => [...set]) };
}

/** Returns whether a rule has more alternatives than it may have. */
export function hasTooMany(alternatives: Rule["alternatives"]): boolean {
  return alternatives.length > MAX_ALTERNATIVES;
}

/** An alias only reads if all routes that it stands for do so although they are no GET. */
export function withSafeAliases(safe: ReadonlySet<string>, aliases: Aliases): ReadonlySet<string> {
  const more = [...aliases].filter(([name, targets]) =>
    name.startsWith("POST ") && targets.every((target) => safe.has(target))
  );
  return safe.union(new Set(more.map(([name]) => name)));
}
