/**
 * Tells access tokens from ID tokens and from everything else that an issuer signs.
 *
 * INVARIANT: no setting lets an ID token pass. It proves to a client who has signed in, and reaches
 * places that an access token never does (RFC 9068 section 4, RFC 8725 section 3.12).
 *
 * @module
 */
import { namedAudiences, readAudience } from "./claim_checks.ts";
import { type Claims, findClaim, findFirstClaim } from "./claim_path.ts";
import { InvalidToken } from "./token_errors.ts";
import type { ClaimCondition, TokenRules } from "./token_rules.ts";

/** The type that only access tokens have (RFC 9068 section 2.1). */
export const ACCESS_TOKEN_TYPE = "at+jwt";

/** Claims that only tokens for another purpose have. */
const FOREIGN_CLAIMS: readonly string[] = [
  // ID tokens: OpenID Connect Core 2 and 3.3.2.11, FAPI 1, self-issued ones, Hydra, Cognito.
  ...["nonce", "at_hash", "c_hash", "s_hash", "sub_jwk", "rat", "cognito:username"],
  // Logout tokens and security events (RFC 8417), DPoP proofs (RFC 9449), responses of
  // introspection (RFC 9701), and requests to the issuer (RFC 9101).
  ...["events", "htm", "htu", "token_introspection", "response_type", "redirect_uri"],
];

/** Values of claims that issuers name the purpose of a token with; others are refused. */
const PURPOSES: readonly (readonly [claim: string, values: readonly string[]])[] = [
  // Keycloak: "ID", "Refresh", "Offline", "Logout".
  ["typ", ["bearer", "dpop", "at+jwt"]],
  // Cognito and Hydra: "id", "refresh_token".
  ["token_use", ["access", "access_token"]],
  // Introspection (RFC 7662 section 2.2).
  ["token_type", ["bearer", "dpop", "access_token"]],
];

/** Throws `InvalidToken` if claims show that a token is not an access token. */
export function rejectOtherTokens(claims: Claims): void {
  const foreign = FOREIGN_CLAIMS.find((claim) => claims.has(claim));
  if (foreign !== undefined) {
    throw new InvalidToken(`The ${foreign} claim shows that it is not an access token`);
  }
  for (const [claim, values] of PURPOSES) {
    const value = claims.get(claim);
    if (value === undefined) continue;
    if (typeof value === "string" && values.includes(value.toLowerCase())) continue;
    throw new InvalidToken(`The ${claim} claim shows that it is not an access token`);
  }
}

/**
 * Checks a JWT whose `typ` is shared with ID tokens. Throws `InvalidToken` unless it has the
 * markers, nothing that access tokens never have, and a client other than the audience.
 */
export function checkAccessToken(claims: Claims, rules: TokenRules): void {
  rejectOtherTokens(claims);
  const isMarked = rules.markers.length > 0 &&
    rules.markers.every((conditions) => conditions.some((condition) => isMet(claims, condition)));
  if (!isMarked) throw new InvalidToken("The token lacks a claim of RECTO_AUTH_TOKEN_MARKERS");
  const client = findFirstClaim(claims, rules.clientClaims);
  if (typeof client !== "string" || client === "") {
    throw new InvalidToken("The token does not name its client");
  }
  checkAudienceIsNotClient(claims, client, rules);
}

function isMet(claims: Claims, { claim, value }: ClaimCondition): boolean {
  const found = findClaim(claims, claim);
  return value === undefined ? found !== undefined && found !== null : found === value;
}

/** An ID token is meant for its client (OpenID Connect Core section 2). */
function checkAudienceIsNotClient(claims: Claims, client: unknown, rules: TokenRules): void {
  // Without `aud` the client itself may be what the operator allows.
  if (!claims.has("aud")) return;
  const clients = [client, claims.get("azp"), claims.get("client_id")];
  if (namedAudiences(readAudience(claims, rules), rules).some((one) => !clients.includes(one))) {
    return;
  }
  throw new InvalidToken("The aud claim names the client itself, as in an ID token");
}
