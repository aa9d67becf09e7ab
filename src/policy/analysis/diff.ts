/**
 * What changes between two policies, by meaning.
 *
 * @module
 */
import type { Mask } from "../bits.ts";
import { type Formula, gained, isSame, NEVER } from "./formula.ts";
import { normalizeAll } from "./normal.ts";
import type { Policy } from "../schema.ts";

/** One call or field that some token gains or loses. */
export interface Change {
  readonly kind: "call" | "field";
  /** `METHOD path`, or the field's dotted name. */
  readonly name: string;
  readonly state: "added" | "removed" | "changed";
  /** The smallest tokens that can now and could not before; every larger one that could not can. */
  readonly gains: readonly (readonly string[])[];
  /** The smallest tokens that could before and cannot now. */
  readonly losses: readonly (readonly string[])[];
}

export type Effect = "same" | "narrower" | "wider";

/**
 * Every call and field for which two policies decide differently, in the new policy's order; what only
 * the old one names comes last. Exact and complete: no token that changes sides is left out.
 */
export function diffPolicies(before: Policy, after: Policy): Change[] {
  const [old, fresh] = normalizeAll([before, after]);
  if (old === undefined || fresh === undefined) return [];
  const names = (mask: Mask): string[] => fresh.bits.names(mask);
  const everyone: Formula = [fresh.bits.mask([])];
  return [
    ...diffTables({ kind: "call", before: old.routes, after: fresh.routes, absent: NEVER, names }),
    ...diffTables({
      kind: "field",
      before: old.fields,
      after: fresh.fields,
      absent: everyone,
      names,
    }),
  ];
}

/** Wider as soon as one token gains anything. */
export function effectOf(changes: readonly Change[]): Effect {
  if (changes.length === 0) return "same";
  return changes.some(({ gains }) => gains.length > 0) ? "wider" : "narrower";
}

interface Tables {
  readonly kind: Change["kind"];
  readonly before: ReadonlyMap<string, Formula>;
  readonly after: ReadonlyMap<string, Formula>;
  /** What the absence of a rule means. */
  readonly absent: Formula;
  readonly names: (mask: Mask) => string[];
}

function diffTables({ kind, before, after, absent, names }: Tables): Change[] {
  const known = [...after.keys(), ...[...before.keys()].filter((name) => !after.has(name))];
  return known.flatMap((name) => {
    const [was, is] = [before.get(name) ?? absent, after.get(name) ?? absent];
    if (isSame(was, is)) return [];
    return [{
      kind,
      name,
      state: stateOf(before.has(name), after.has(name)),
      gains: gained(was, is).map(names),
      losses: gained(is, was).map(names),
    }];
  });
}

function stateOf(wasThere: boolean, isThere: boolean): Change["state"] {
  if (wasThere && isThere) return "changed";
  return isThere ? "added" : "removed";
}
