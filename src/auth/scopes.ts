/**
 * Reads what a token may be used for: its scopes, and how its user signed in.
 *
 * @module
 */
import { type Claims, findFirstClaim } from "./claim_path.ts";
import { ACR_VALUE, isAcr, toAcr } from "../shared/acr.ts";
import { InvalidToken } from "./token_errors.ts";
import type { TokenRules } from "./token_rules.ts";

/**
 * Returns the scopes of the first scope claim that the token has; none if it has none.
 *
 * A text is split at spaces (RFC 6749 section 3.3). Each entry of a list is one scope. Of an object,
 * as Zitadel sends for roles, each member's name is one. Names that are no well-formed text, which no
 * policy can name, are left out. Throws `InvalidToken` for anything else.
 */
export function readScopes(
  claims: Claims,
  { scopeClaims, scopePrefix }: Pick<TokenRules, "scopeClaims" | "scopePrefix">,
): ReadonlySet<string> {
  const names = toNames(findFirstClaim(claims, scopeClaims)).filter((name) => name.isWellFormed());
  if (scopePrefix === "") return new Set(names);
  return new Set(
    names.filter((name) => name.startsWith(scopePrefix))
      .map((name) => name.slice(scopePrefix.length)),
  );
}

/**
 * Returns what the policy decides by: the scopes, and an `acr:VALUE` for each authentication context
 * class of the token (RFC 9470). A scope that looks like one does not count, because issuers grant
 * scopes on request.
 */
export function readGrants(
  claims: Claims,
  rules: Pick<TokenRules, "scopeClaims" | "scopePrefix" | "acrClaims">,
): ReadonlySet<string> {
  const scopes = [...readScopes(claims, rules)].filter((scope) => !isAcr(scope));
  return new Set([...scopes, ...readAcr(findFirstClaim(claims, rules.acrClaims)).map(toAcr)]);
}

/** A text is one value, even with spaces. Entra ID has a list of them in `acrs`. */
function readAcr(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  // Many issuers set values that no policy can name; they must not make a token invalid.
  return values.filter((one) => typeof one === "string").filter((one) => ACR_VALUE.test(one));
}

function toNames(value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return value.split(" ").filter((name) => name !== "");
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value;
  if (isRoleMap(value)) return Object.keys(value);
  throw new InvalidToken("The claim with the scopes is not a string or a list of strings");
}

/** Each role with the organizations that granted it; `{"pages.write": false}` grants nothing. */
function isRoleMap(value: unknown): value is Record<string, object> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((member) => typeof member === "object" && member !== null);
}
