/**
 * The difference of two policies, by meaning.
 *
 * @module
 */
import type { Policy } from "../schema.ts";
import { ALWAYS, type Formula, gained, isEquivalent, NEVER } from "./formula.ts";
import { createFormulas, normalize } from "./normal.ts";

/** A call or field that some token gains or loses. */
export interface Change {
  readonly kind: "call" | "field";
  /** `METHOD path`, or the field's dotted name. */
  readonly name: string;
  readonly state: "added" | "removed" | "changed";
  /** The smallest tokens that gain it. Every larger token that did not have it gains it too. */
  readonly gains: readonly (readonly string[])[];
  /** The smallest tokens that lose it. */
  readonly losses: readonly (readonly string[])[];
}

export type Effect = "same" | "narrower" | "wider";

/**
 * Returns every call and field that the two policies decide differently, in the new policy's order,
 * followed by those that only the old policy names. The result is exact and complete: it accounts
 * for every token that gains or loses something. An alias that names the same routes as before
 * changes with them, and is left out.
 */
export function diffPolicies(before: Policy, after: Policy): Change[] {
  const toFormula = createFormulas();
  const [old, fresh] = [normalize(before, toFormula), normalize(after, toFormula)];
  const calls = diffTables({
    kind: "call",
    before: old.routes,
    after: fresh.routes,
    absent: NEVER,
  });
  return [
    ...calls.filter(({ name }) =>
      !isSameAlias(before.aliases?.get(name), after.aliases?.get(name))
    ),
    ...diffTables({ kind: "field", before: old.fields, after: fresh.fields, absent: ALWAYS }),
  ];
}

function isSameAlias(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): boolean {
  return before !== undefined && after !== undefined &&
    before.toSorted().join() === after.toSorted().join();
}

/** Returns "wider" if any token gains anything. */
export function effectOf(changes: readonly Change[]): Effect {
  if (changes.length === 0) return "same";
  return changes.some(({ gains }) => gains.length > 0) ? "wider" : "narrower";
}

interface Tables {
  readonly kind: Change["kind"];
  readonly before: ReadonlyMap<string, Formula>;
  readonly after: ReadonlyMap<string, Formula>;
  /** The meaning of a missing rule. */
  readonly absent: Formula;
}

function diffTables({ kind, before, after, absent }: Tables): Change[] {
  const names = [...after.keys(), ...[...before.keys()].filter((name) => !after.has(name))];
  return names.flatMap((name) => {
    const [old, fresh] = [before.get(name) ?? absent, after.get(name) ?? absent];
    if (isEquivalent(old, fresh)) return [];
    return [{
      kind,
      name,
      state: stateOf(before.has(name), after.has(name)),
      gains: gained(old, fresh).map((set) => [...set]),
      losses: gained(fresh, old).map((set) => [...set]),
    }];
  });
}

function stateOf(isInOld: boolean, isInNew: boolean): Change["state"] {
  if (isInOld && isInNew) return "changed";
  return isInNew ? "added" : "removed";
}
