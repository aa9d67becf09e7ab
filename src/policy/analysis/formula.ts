/**
 * Rules as monotone boolean functions, each in its one minimal normal form.
 *
 * A rule knows scopes, "all of" and "any of", and nothing that takes away. So the smallest sets of
 * scopes that fulfil it say all there is to say: two rules mean the same exactly when these sets are
 * the same, and every question about all tokens is answered by looking at these sets alone.
 *
 * @module
 */
import { compareMasks, covers, join, type Mask, meets, singles, without } from "../bits.ts";

/**
 * The smallest sets of scopes that fulfil a rule, of which none holds another, in the order of
 * {@linkcode compareMasks}. No set at all is a rule that nobody fulfils; the empty set alone is
 * "public".
 */
export type Formula = readonly Mask[];

/** Nobody fulfils it: a route without a rule. */
export const NEVER: Formula = [];

/** Past this many sets an answer helps nobody, and would take long to find. */
const LIMIT = 10_000;

/** A question whose exact answer has too many parts to be of use. */
export class TooManySetsError extends Error {
  constructor() {
    super(`The answer has more than ${LIMIT.toLocaleString("en")} sets of scopes`);
    this.name = "TooManySetsError";
  }
}

/** The normal form of "any of these sets". */
export function minimize(masks: readonly Mask[]): Formula {
  if (masks.length < 2) return masks;
  const minimal: Mask[] = [];
  for (const mask of [...masks].sort(compareMasks)) {
    if (!isFulfilled(minimal, mask)) minimal.push(mask);
  }
  return minimal;
}

/** Whether a token that holds these scopes fulfils the rule. */
export function isFulfilled(formula: Formula, held: Mask): boolean {
  return formula.some((mask) => covers(held, mask));
}

/** Whether everyone who fulfils `a` fulfils `b`. */
export function implies(a: Formula, b: Formula): boolean {
  return a === b || a.every((mask) => isFulfilled(b, mask));
}

/** Whether the same tokens fulfil both. */
export function isSame(a: Formula, b: Formula): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every((mask, index) => mask.every((word, at) => word === b[index]?.[at]));
}

/**
 * The smallest tokens that fulfil `after` and not `before`. A token that does holds one of the
 * smallest sets of `after`; that set does not fulfil `before` either, which only grows with a token.
 */
export function gained(before: Formula, after: Formula): Formula {
  return after.filter((mask) => !isFulfilled(before, mask));
}

/** The rule that asks for both; throws `TooManySetsError`. */
export function both(a: Formula, b: Formula): Formula {
  refuseTooMany(a.length * b.length);
  return minimize(a.flatMap((mask) => b.map((other) => join(mask, other))));
}

/**
 * The largest sets of scopes that a rule still refuses, out of `all` scopes; throws
 * `TooManySetsError`. Each leaves out one of the smallest sets that meet every set of the formula.
 */
export function largestRefused(formula: Formula, all: Mask): Mask[] {
  return smallestMeeting(formula, without(all, all)).map((mask) => without(all, mask));
}

/** Berge's way: meet one set after the other, and keep what is smallest each time. */
function smallestMeeting(formula: Formula, nothing: Mask): Formula {
  let found: Formula = [nothing];
  for (const mask of formula) {
    const next: Mask[] = [];
    for (const one of found) {
      if (meets(one, mask)) next.push(one);
      else next.push(...singles(mask).map((single) => join(one, single)));
      refuseTooMany(next.length);
    }
    found = minimize(next);
  }
  return found;
}

function refuseTooMany(count: number): void {
  if (count > LIMIT) throw new TooManySetsError();
}
