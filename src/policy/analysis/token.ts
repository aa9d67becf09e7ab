/**
 * Reads the scopes of an access token, without verifying it.
 *
 * @module
 */
import { UsageError } from "../command.ts";
import { ACR_VALUE, scopesIn, toAcr } from "../../shared/acr.ts";
import { toVisible } from "../../shared/visible_text.ts";

export interface TokenClaims {
  /** The scopes, and `acr:VALUE` for how the user signed in. */
  readonly scopes: readonly string[];
  /** Expiry in milliseconds since the epoch; undefined if the token has none. */
  readonly expiresAt: number | undefined;
}

/** Decodes a JWT (RFC 7519), with or without `Bearer `; throws `UsageError`. */
export function readToken(text: string): TokenClaims {
  const claims = claimsOf(text.trim().replace(/^Bearer\s+/i, ""));
  const scope = claims.get("scope") ?? claims.get("scp") ?? "";
  const scopes = Array.isArray(scope) ? scope.map(String) : String(scope).split(" ");
  const expiry = claims.get("exp");
  return {
    scopes: [
      // No policy has scopes of other characters, so that what they open stays the same.
      ...scopesIn(scopes).filter((one) => one !== "").map(toVisible),
      ...[claims.get("acr") ?? []].flat().map(String)
        .filter((value) => ACR_VALUE.test(value)).map(toAcr),
    ],
    expiresAt: typeof expiry === "number" ? expiry * 1_000 : undefined,
  };
}

function claimsOf(token: string): ReadonlyMap<string, unknown> {
  const parts = token.split(".");
  try {
    const payload = parts[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (parts.length === 3 && typeof claims === "object" && claims !== null) {
      return new Map(Object.entries(claims));
    }
  } catch {
    // The same error as for three parts that are no claims.
  }
  throw new UsageError("--token is not a JWT: expected three parts with dots between them");
}
