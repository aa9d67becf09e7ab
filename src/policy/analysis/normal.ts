/**
 * A policy as formulas: what it decides, and nothing of how it is written.
 *
 * @module
 */
import { type Bits, createBits, type Mask } from "../bits.ts";
import { scopesOf } from "../engine.ts";
import { type Formula, minimize } from "./formula.ts";
import type { Policy, Rule } from "../schema.ts";

export interface NormalPolicy {
  readonly bits: Bits;
  /** Every scope that counts. */
  readonly all: Mask;
  readonly routes: ReadonlyMap<string, Formula>;
  readonly fields: ReadonlyMap<string, Formula>;
}

/** Gives each of several policies its normal form, over the scopes of them all. */
export function normalizeAll(policies: readonly Policy[]): NormalPolicy[] {
  const scopes = new Set(policies.flatMap((policy) => [...scopesOf(policy)]));
  const bits = createBits(scopes);
  const all = bits.mask(scopes);
  const toFormula = createReader(bits);
  return policies.map(({ routes, fields }) => ({
    bits,
    all,
    routes: toFormulas(routes, toFormula),
    fields: toFormulas(fields, toFormula),
  }));
}

/** Gives a policy its normal form. */
export function normalize(policy: Policy): NormalPolicy {
  const [normal] = normalizeAll([policy]);
  if (normal === undefined) throw new Error("One policy has one normal form");
  return normal;
}

function toFormulas(
  rules: ReadonlyMap<string, Rule>,
  toFormula: (rule: Rule) => Formula,
): Map<string, Formula> {
  return new Map([...rules].map(([name, rule]) => [name, toFormula(rule)]));
}

/** Many routes have the same rule: each is worked out once, and equal ones are one value. */
function createReader(bits: Bits): (rule: Rule) => Formula {
  const known = new Map<string, Formula>();
  return (rule) => {
    const key = rule.public ? "*" : rule.alternatives.map((list) => list.join(" ")).join("|");
    const formula = known.get(key) ?? read(rule, bits);
    known.set(key, formula);
    return formula;
  };
}

function read(rule: Rule, bits: Bits): Formula {
  if (rule.public) return [bits.mask([])];
  // As in the engine, an empty list opens nothing: only "public" does.
  const lists = rule.alternatives.filter((list) => list.length > 0);
  return minimize(lists.map((list) => bits.mask(list)));
}
