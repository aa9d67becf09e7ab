/**
 * The comparison of the statements of two policy files: does one guarantee what the other did?
 *
 * @module
 */
import type { Invariant } from "./invariant_schema.ts";
import { isAcr } from "../../shared/acr.ts";

const CLAIMS = ["canCall", "cannotCall", "canSee", "cannotSee"] as const;

/**
 * Returns whether statements guarantee everything that an earlier one did, under every policy and
 * for calls and scopes that do not exist yet. Compares the patterns as they are written, so a
 * statement that is put differently may count as weaker, but a weaker one never as equal.
 */
export function isCovered(old: Invariant, statements: readonly Invariant[]): boolean {
  return CLAIMS.every((claim) =>
    (old[claim] ?? []).every((pattern) =>
      statements.some((one) => one[claim]?.includes(pattern) === true && isBroader(one, old))
    )
  );
}

/** Returns whether a statement is about all tokens of another one, with no more exceptions. */
function isBroader({ tokens, except }: Invariant, old: Invariant): boolean {
  return isSubset(tokens.with, old.tokens.with) && isSubset(tokens.without, old.tokens.without) &&
    isSubset(except, old.except) &&
    (tokens.only === undefined ||
      (old.tokens.only !== undefined && isSubset(old.tokens.only, tokens.only) &&
        boundsAcr(tokens.only) <= boundsAcr(old.tokens.only)));
}

/** Without a pattern of `acr` values, `only` allows all of them. */
function boundsAcr(only: readonly string[]): number {
  return Number(only.some(isAcr));
}

function isSubset(part: readonly string[] = [], whole: readonly string[] = []): boolean {
  return part.every((one) => whole.includes(one));
}
