/**
 * Checks of issuer and audience, which JWTs and introspected tokens share.
 *
 * @module
 */
import { type Claims, findClaim } from "./claim_path.ts";
import { InvalidToken } from "./token_errors.ts";
import type { TokenRules } from "./token_rules.ts";

/** Throws `InvalidToken` unless `iss` is exactly this issuer. */
export function checkIssuer(claims: Claims, issuer: string): void {
  if (!claims.has("iss")) throw new InvalidToken("The iss claim is missing");
  if (claims.get("iss") !== issuer) {
    throw new InvalidToken("The iss claim names another issuer", { hint: "unknown_issuer" });
  }
}

type AudienceRules = Pick<TokenRules, "audiences" | "audienceClaim">;

/** Throws `InvalidToken` unless the token is meant for this service. */
export function checkAudience(claims: Claims, rules: AudienceRules): void {
  const audience = readAudience(claims, rules);
  if (audience === undefined) throw new InvalidToken(`The ${rules.audienceClaim} claim is missing`);
  if (namedAudiences(audience, rules).length > 0) return;
  const claim = claims.has("aud") ? "aud" : rules.audienceClaim;
  throw new InvalidToken(`The ${claim} claim does not name this service`, {
    hint: "wrong_audience",
  });
}

/** Returns `aud`, or without it the claim that stands for it; undefined if there is neither. */
export function readAudience(claims: Claims, { audienceClaim }: AudienceRules): unknown {
  return claims.has("aud") ? claims.get("aud") : findClaim(claims, audienceClaim);
}

/** Returns which of our audiences a claim names: a text, or entries of a list (RFC 7519 4.1.3). */
export function namedAudiences(claim: unknown, { audiences }: AudienceRules): string[] {
  const named: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return audiences.filter((audience) => named.includes(audience));
}
