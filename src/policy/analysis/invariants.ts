/**
 * Statements about all tokens of a kind, proven or refuted.
 *
 * The tokens that a statement is about lie between a smallest and a largest one, and an additional
 * scope never takes a call away. So "cannot" holds for all of them exactly if it holds for the
 * largest, and "can" exactly if it holds for the smallest: the proof needs no sampling.
 *
 * @module
 */
import { inWords, matching, matchingGrants } from "../lint/names.ts";
import type { PolicyFile } from "../schema.ts";
import { isAcr } from "../../shared/acr.ts";
import { type Formula, isSatisfied } from "./formula.ts";
import type { Invariant } from "./invariant_schema.ts";
import { normalize, type NormalPolicy } from "./normal.ts";
import { compareScopeSets, createScopeSet, type ScopeSet, union } from "./scope_set.ts";

/** A smallest token that refutes a statement. */
export interface Counterexample {
  readonly scopes: readonly string[];
  /** The call or the field. */
  readonly target: string;
  readonly effect: "can call" | "cannot call" | "sees" | "does not see";
}

export interface Proof {
  readonly invariant: Invariant;
  /** One for each call and field that refutes it, smallest token first; empty if it holds. */
  readonly counterexamples: readonly Counterexample[];
  /** True if it matches no token, or no call and no field. */
  readonly idle: boolean;
}

/** All tokens that contain `least` and are contained in `most`. */
interface TokenRange {
  readonly least: ScopeSet;
  readonly most: ScopeSet;
}

interface Claim {
  readonly patterns: readonly string[] | undefined;
  readonly targets: ReadonlyMap<string, Formula>;
  readonly refute: (formula: Formula, range: TokenRange) => ScopeSet | undefined;
  readonly effect: Counterexample["effect"];
}

/** Proves or refutes each statement of a policy file over all tokens. */
export function proveAll(file: Omit<PolicyFile, "notes">): Proof[] {
  const normal = normalize(file.policy);
  return file.invariants.map((invariant) => prove(invariant, { normal, safe: file.safe }));
}

/** Returns a sentence for each statement of a policy file that some token refutes. */
export function falseStatements(file: PolicyFile): string[] {
  return proveAll(file).flatMap(({ invariant, counterexamples: [first] }) =>
    first === undefined ? [] : [describeRefutation(invariant, first)]
  );
}

/** Returns a sentence that names a false statement and the token that refutes it. */
export function describeRefutation(
  { name }: Invariant,
  { scopes, effect, target }: Counterexample,
): string {
  return `"${name}" is false: a token with ${inWords(scopes)} ${effect} ${target}`;
}

/**
 * Returns whether a call only reads: because of its method, or because the policy lists it as safe.
 * Only a POST can be safe; other methods than GET say that they write.
 */
export function isRead(route: string, safe: ReadonlySet<string>): boolean {
  return /^(?:GET|HEAD|OPTIONS|TRACE) /.test(route) ||
    (route.startsWith("POST ") && safe.has(route));
}

/** Returns the routes that a pattern of a statement matches. */
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
  const { routes, fields } = normal;
  const range = rangeOf(invariant, normal);
  const excepted = new Set(invariant.except?.flatMap((pattern) => select(pattern)));
  const claims = claimsOf(invariant, normal).map((claim) => ({
    ...claim,
    names: [...new Set(claim.patterns?.flatMap((pattern) => select(pattern)))]
      .filter((name) => claim.targets.has(name) && !excepted.has(name)),
  }));
  const refutations = claims.flatMap(({ names, targets, refute, effect }) =>
    names.flatMap((target) => {
      const token = refute(targets.get(target) ?? [], range);
      return token === undefined ? [] : [{ token, target, effect }];
    })
  );
  const hasTokens = range.least.isSubsetOf(range.most);
  refutations.sort((a, b) => compareScopeSets(a.token, b.token));
  return {
    invariant,
    idle: !hasTokens || claims.every(({ patterns, names }) => !patterns || names.length === 0),
    counterexamples: hasTokens
      ? refutations.map(({ token, target, effect }) => ({ scopes: [...token], target, effect }))
      : [],
  };

  function select(pattern: string): string[] {
    return [
      ...callsOf(pattern, { routes: routes.keys(), safe }),
      ...matching(pattern, fields.keys()),
    ];
  }
}

function rangeOf({ tokens }: Invariant, { all }: NormalPolicy): TokenRange {
  const scopesOf = (patterns: readonly string[]): ScopeSet =>
    createScopeSet(patterns.flatMap((pattern) => matchingGrants(pattern, all)));
  const most = tokens.only === undefined ? all : scopesOf(boundsOf(tokens.only));
  return {
    least: scopesOf(tokens.with ?? []),
    most: most.difference(scopesOf(tokens.without ?? [])),
  };
}

/**
 * How users sign in is bounded only if a pattern says so: "only scopes to read" is about scopes.
 */
function boundsOf(only: readonly string[]): readonly string[] {
  return only.some(isAcr) ? only : [...only, "acr:*"];
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

/** Returns the smallest token of the range that satisfies a rule. */
function smallestWith(formula: Formula, { least, most }: TokenRange): ScopeSet | undefined {
  const tokens = formula.filter((set) => set.isSubsetOf(most)).map((set) => union(least, set));
  return tokens.sort(compareScopeSets)[0];
}

/** Returns the smallest token of the range if it does not satisfy a rule. */
function smallestWithout(formula: Formula, { least }: TokenRange): ScopeSet | undefined {
  return isSatisfied(formula, least) ? undefined : least;
}
