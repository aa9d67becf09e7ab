/**
 * Statements about all tokens of a kind, proven or refuted.
 *
 * The tokens that a statement is about lie between a smallest and a largest one, and one more scope
 * never takes a call away. So "cannot" holds for all exactly when it holds for the largest, "can"
 * exactly when it holds for the smallest: nothing is tried out, and nothing is left out.
 *
 * @module
 */
import { compareMasks, covers, join, type Mask, without } from "../bits.ts";
import { type Formula, isFulfilled } from "./formula.ts";
import type { Invariant } from "./invariant_schema.ts";
import { matching } from "../lint/names.ts";
import { normalize, type NormalPolicy } from "./normal.ts";
import type { PolicyFile } from "../schema.ts";

/** A smallest token of the kind for which a statement is false. */
export interface Counterexample {
  readonly scopes: readonly string[];
  /** The call or the field. */
  readonly target: string;
  readonly effect: "can call" | "cannot call" | "sees" | "does not see";
}

export interface Proof {
  readonly invariant: Invariant;
  /** One for each call and field that refutes it, smallest token first; none where it holds. */
  readonly counterexamples: readonly Counterexample[];
  /** Whether it is about any token, and about any call or field. */
  readonly idle: boolean;
}

/** The tokens between two. */
interface Range {
  readonly least: Mask;
  readonly most: Mask;
}

interface Claim {
  readonly patterns: readonly string[] | undefined;
  readonly targets: ReadonlyMap<string, Formula>;
  readonly refute: (formula: Formula, range: Range) => Mask | undefined;
  readonly effect: Counterexample["effect"];
}

/** Proves each statement of a policy file over all tokens. */
export function proveAll(file: PolicyFile): Proof[] {
  const normal = normalize(file.policy);
  return file.invariants.map((invariant) => prove(invariant, { normal, safe: file.safe }));
}

/** Whether a call only reads: by its method, or because the policy says so. */
export function isRead(route: string, safe: ReadonlySet<string>): boolean {
  return route.startsWith("GET ") || safe.has(route);
}

/** Of these routes, those that a pattern of a statement means. */
export function callsOf(
  pattern: string,
  { routes, safe }: { readonly routes: Iterable<string>; readonly safe: ReadonlySet<string> },
): string[] {
  if (pattern !== "reads" && pattern !== "writes") return matching(pattern, routes);
  return [...routes].filter((route) => isRead(route, safe) === (pattern === "reads"));
}

interface Subject {
  readonly normal: NormalPolicy;
  readonly safe: ReadonlySet<string>;
}

function prove(invariant: Invariant, { normal, safe }: Subject): Proof {
  const { bits, routes, fields } = normal;
  const range = rangeOf(invariant, normal);
  const excepted = new Set(invariant.except?.flatMap((pattern) => select(pattern)));
  const claims = claimsOf(invariant, normal).map((claim) => ({
    ...claim,
    names: [...new Set(claim.patterns?.flatMap((pattern) => select(pattern)))]
      .filter((name) => claim.targets.has(name) && !excepted.has(name)),
  }));
  const found = claims.flatMap(({ names, targets, refute, effect }) =>
    names.flatMap((target) => {
      const token = refute(targets.get(target) ?? [], range);
      return token === undefined ? [] : [{ token, target, effect }];
    })
  );
  const exists = covers(range.most, range.least);
  found.sort((a, b) => compareMasks(a.token, b.token));
  return {
    invariant,
    idle: !exists || claims.every(({ patterns, names }) => !patterns || names.length === 0),
    counterexamples: exists
      ? found.map(({ token, target, effect }) => ({ scopes: bits.names(token), target, effect }))
      : [],
  };

  function select(pattern: string): string[] {
    return [
      ...callsOf(pattern, { routes: routes.keys(), safe }),
      ...matching(pattern, fields.keys()),
    ];
  }
}

function rangeOf({ tokens }: Invariant, { bits, all }: NormalPolicy): Range {
  const known = bits.names(all);
  const maskOf = (patterns: readonly string[]): Mask =>
    bits.mask(patterns.flatMap((pattern) => matching(pattern, known)));
  const most = tokens.only === undefined ? all : maskOf(tokens.only);
  return { least: maskOf(tokens.with ?? []), most: without(most, maskOf(tokens.without ?? [])) };
}

function claimsOf(invariant: Invariant, { routes, fields }: NormalPolicy): Claim[] {
  const { canCall, cannotCall, canSee, cannotSee } = invariant;
  return [
    { patterns: cannotCall, targets: routes, refute: smallestWith, effect: "can call" },
    { patterns: canCall, targets: routes, refute: smallestWithout, effect: "cannot call" },
    { patterns: cannotSee, targets: fields, refute: smallestWith, effect: "sees" },
    { patterns: canSee, targets: fields, refute: smallestWithout, effect: "does not see" },
  ];
}

/** The smallest token of the range that fulfils a rule. */
function smallestWith(formula: Formula, { least, most }: Range): Mask | undefined {
  const tokens = formula.filter((mask) => covers(most, mask)).map((mask) => join(least, mask));
  return tokens.sort(compareMasks)[0];
}

/** The smallest token of the range, if it does not fulfil a rule. */
function smallestWithout(formula: Formula, { least }: Range): Mask | undefined {
  return isFulfilled(formula, least) ? undefined : least;
}
