/**
 * What tokens can do, and which tokens can do it.
 *
 * @module
 */
import { type Mask, without } from "../bits.ts";
import { both, type Formula, isFulfilled, minimize, NEVER } from "./formula.ts";
import type { NormalPolicy } from "./normal.ts";

export interface Reach {
  /** `METHOD path` of the calls that a token opens, in the policy's order. */
  readonly calls: readonly string[];
  /** Guarded fields that it shows, and those that it does not. */
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** All that a token can do. */
export function reachOf({ routes, fields }: NormalPolicy, held: Mask): Reach {
  const fulfilled = (table: ReadonlyMap<string, Formula>, expected: boolean): string[] =>
    [...table].filter(([, formula]) => isFulfilled(formula, held) === expected)
      .map(([name]) => name);
  return {
    calls: fulfilled(routes, true),
    shown: fulfilled(fields, true),
    hidden: fulfilled(fields, false),
  };
}

/** The smallest tokens that open every one of these routes; throws `TooManySetsError`. */
export function smallestFor({ bits, routes }: NormalPolicy, names: readonly string[]): string[][] {
  const formulas = names.map((name) => routes.get(name) ?? NEVER);
  const all = formulas.reduce(both, [bits.mask([])]);
  return all.map((mask) => bits.names(mask));
}

/** The smallest sets of scopes that a token lacks; none where it lacks nothing, or nothing helps. */
export function lackingFor(formula: Formula, held: Mask): Formula {
  return isFulfilled(formula, held) ? NEVER : minimize(formula.map((mask) => without(mask, held)));
}
