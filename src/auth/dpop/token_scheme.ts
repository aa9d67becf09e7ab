/**
 * Which tokens may be sent under which scheme.
 *
 * @module
 */
import type { ChallengeContext, TokenScheme } from "../bearer.ts";
import type { Principal } from "../principal.ts";
import { InvalidToken } from "../token_errors.ts";

/**
 * Throws `InvalidToken` if a bound token is sent without a proof, which whoever stole it could do
 * (RFC 9449 section 7.2), or if a token is not bound although it has to be.
 */
export function assertScheme(
  { boundKey }: Pick<Principal, "boundKey">,
  scheme: TokenScheme,
  { dpop }: ChallengeContext,
): void {
  if (boundKey !== undefined && scheme !== "DPoP") {
    throw new InvalidToken("The token is bound to a key and was sent as a bearer token");
  }
  if (boundKey !== undefined) return;
  if (scheme === "DPoP") throw new InvalidToken("The token was sent with DPoP and is not bound");
  if (dpop === "require") throw new InvalidToken("The token is not bound to a key (cnf.jkt)");
}
