/**
 * Rules as monotone boolean functions, each in its one minimal normal form.
 *
 * A rule consists of scopes, "all of" and "any of"; it has no negation. So the smallest sets of scopes
 * that satisfy a rule describe it completely: two rules are equivalent exactly when these sets are
 * equal, and any question about all tokens can be answered from these sets alone.
 *
 * @module
 */
import { compareScopeSets, type ScopeSet, union } from "./scope_set.ts";

/**
 * The smallest sets of scopes that satisfy a rule, none a subset of another, ordered by
 * {@linkcode compareScopeSets}. An empty list is a rule that no token satisfies; a list of only the
 * empty set is "public".
 */
export type Formula = readonly ScopeSet[];

/** No token satisfies it: a route without a rule. */
export const NEVER: Formula = [];

/** Every request satisfies it, with or without a token. */
export const ALWAYS: Formula = [new Set()];

/** More sets than this are no use to a reader and take long to compute. */
const LIMIT = 10_000;

/** The exact answer to a question consists of too many sets. */
export class TooManySetsError extends Error {
  constructor() {
    super(`The answer has more than ${LIMIT.toLocaleString("en")} sets of scopes`);
    this.name = "TooManySetsError";
  }
}

/** Returns the normal form of "any of these sets", at most `most` sets of it. */
export function minimize(sets: readonly ScopeSet[], most = Infinity): Formula {
  if (sets.length < 2) return sets;
  const minimal: ScopeSet[] = [];
  for (const set of [...sets].sort(compareScopeSets)) {
    if (minimal.length >= most) break;
    if (!isSatisfied(minimal, set)) minimal.push(set);
  }
  return minimal;
}

/** Returns whether a token with these scopes satisfies the rule. */
export function isSatisfied(formula: Formula, scopes: ScopeSet): boolean {
  return formula.some((set) => set.isSubsetOf(scopes));
}

/** Returns whether every token that satisfies `a` satisfies `b`. */
export function implies(a: Formula, b: Formula): boolean {
  return a === b || a.every((set) => isSatisfied(b, set));
}

/** Returns whether the same tokens satisfy both. */
export function isEquivalent(a: Formula, b: Formula): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((set, index) => isEqual(set, b[index]));
}

function isEqual(a: ScopeSet, b: ScopeSet | undefined): boolean {
  return b !== undefined && a.size === b.size && a.isSubsetOf(b);
}

/**
 * Returns the smallest tokens that satisfy `after` and not `before`. Such a token contains one of the
 * smallest sets of `after`, and as a larger token satisfies no less, that set does not satisfy
 * `before` either.
 */
export function gained(before: Formula, after: Formula): Formula {
  return after.filter((set) => !isSatisfied(before, set));
}

/** Returns the rule that requires both; throws `TooManySetsError`. */
export function both(a: Formula, b: Formula): Formula {
  checkCount(a.length * b.length);
  return minimize(a.flatMap((set) => b.map((other) => union(set, other))));
}

/**
 * Returns the largest subsets of `all` that a rule refuses; throws `TooManySetsError`. Each leaves out
 * one minimal hitting set of the formula.
 */
export function largestRefused(formula: Formula, all: ScopeSet): ScopeSet[] {
  return minimalHittingSets(formula).map((set) => all.difference(set));
}

/** Berge's algorithm: extends the hitting sets by one set of the formula at a time. */
function minimalHittingSets(formula: Formula): Formula {
  let hitting: Formula = ALWAYS;
  for (const set of formula) {
    const next: ScopeSet[] = [];
    for (const one of hitting) {
      if (!one.isDisjointFrom(set)) next.push(one);
      else next.push(...[...set].map((scope) => union(one, new Set([scope]))));
      checkCount(next.length);
    }
    hitting = minimize(next);
  }
  return hitting;
}

function checkCount(count: number): void {
  if (count > LIMIT) throw new TooManySetsError();
}
