/**
 * A certificate of a policy: everything that it decides, in a form that others can verify without this
 * code. `policy/verify_certificate.mjs` does.
 *
 * @module
 */
import { digestOf } from "../digest.ts";
import type { PolicyFile } from "../schema.ts";
import { type Formula, largestRefused } from "./formula.ts";
import { type Counterexample, proveAll } from "./invariants.ts";
import type { Invariant } from "./invariant_schema.ts";
import { normalize } from "./normal.ts";
import type { ScopeSet } from "./scope_set.ts";

/** The boundary of a rule: a token is allowed exactly if it contains one of the sets of `allowed`. */
export interface CertifiedRule {
  /** The smallest tokens that are allowed, each as its scopes. */
  readonly allowed: readonly (readonly string[])[];
  /** The largest tokens that are refused, each by the scopes that it lacks. */
  readonly refusedAllBut: readonly (readonly string[])[];
}

export interface CertifiedStatement {
  readonly statement: Invariant;
  readonly holds: boolean;
  /** A smallest token that refutes it; undefined if it holds. */
  readonly counterexample?: Counterexample;
}

export interface Certificate {
  /** Version of the format. */
  readonly certificate: 1;
  /** Digest of what the policy decides. */
  readonly digest: string;
  /** Every scope that a token can have. */
  readonly scopes: readonly string[];
  readonly routes: Readonly<Record<string, CertifiedRule>>;
  readonly fields: Readonly<Record<string, CertifiedRule>>;
  readonly statements: readonly CertifiedStatement[];
}

/** Certifies a policy file; throws `TooManySetsError`. */
export function certify(file: PolicyFile): Certificate {
  const { all, routes, fields } = normalize(file.policy);
  return {
    certificate: 1,
    digest: digestOf(file.policy),
    scopes: [...all],
    routes: certifyRules(routes, all),
    fields: certifyRules(fields, all),
    statements: proveAll(file).map(({ invariant, counterexamples: [counterexample] }) => ({
      statement: invariant,
      holds: counterexample === undefined,
      ...(counterexample && { counterexample }),
    })),
  };
}

function certifyRules(
  formulas: ReadonlyMap<string, Formula>,
  all: ScopeSet,
): Record<string, CertifiedRule> {
  return Object.fromEntries([...formulas].map(([name, formula]) => [name, {
    allowed: formula.map((set) => [...set]),
    refusedAllBut: largestRefused(formula, all).map((set) => [...all.difference(set)]),
  }]));
}
