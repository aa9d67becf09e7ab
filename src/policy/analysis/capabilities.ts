/**
 * The capabilities of a token, and the tokens that have a capability.
 *
 * @module
 */
import { ALWAYS, both, type Formula, isSatisfied, minimize, NEVER } from "./formula.ts";
import type { NormalPolicy } from "./normal.ts";
import type { ScopeSet } from "./scope_set.ts";

export interface Capabilities {
  /** `METHOD path` of the calls that a token can make, in the policy's order. */
  readonly calls: readonly string[];
  /** Guarded fields that it sees, and those that it does not see. */
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** Returns everything that a token can do. */
export function capabilitiesOf({ routes, fields }: NormalPolicy, scopes: ScopeSet): Capabilities {
  const select = (table: ReadonlyMap<string, Formula>, satisfied: boolean): string[] =>
    [...table].filter(([, formula]) => isSatisfied(formula, scopes) === satisfied)
      .map(([name]) => name);
  return {
    calls: select(routes, true),
    shown: select(fields, true),
    hidden: select(fields, false),
  };
}

/** Returns the smallest tokens that can call all of these routes; throws `TooManySetsError`. */
export function smallestFor({ routes }: NormalPolicy, names: readonly string[]): string[][] {
  const formulas = names.map((name) => routes.get(name) ?? NEVER);
  return formulas.reduce(both, ALWAYS).map((set) => [...set]);
}

/**
 * Returns the smallest sets of scopes that a token lacks; an empty list if it lacks nothing, or if
 * no scope would help.
 */
export function lackingFor(formula: Formula, scopes: ScopeSet): Formula {
  if (isSatisfied(formula, scopes)) return NEVER;
  return minimize(formula.map((set) => set.difference(scopes)));
}
