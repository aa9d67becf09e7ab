/**
 * Verifies JWT access tokens (RFC 9068), following RFC 8725.
 *
 * @module
 */
import { compactVerify } from "jose/jws/compact/verify";
import type { CompactJWSHeaderParameters } from "jose";
import { AppError } from "../shared/errors.ts";
import { ACCESS_TOKEN_TYPE, checkAccessToken } from "./access_tokens.ts";
import { checkAudience, checkIssuer } from "./claim_checks.ts";
import { type ClaimRules, toPrincipal } from "./claims.ts";
import { checkHeader, parseJwt } from "./compact_jws.ts";
import { InvalidToken } from "./token_errors.ts";
import type { KeySet } from "./keys.ts";
import { rejectionReason } from "./rejection_reason.ts";
import { checkTimes } from "./times.ts";
import type { TokenVerifier } from "./token_verifier.ts";

/** Accepted signature algorithms; all use a public key, none a shared secret. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

export interface JwtOptions extends ClaimRules {
  readonly keys: KeySet;
}

/**
 * Creates the verifier of signed access tokens.
 *
 * It checks form, `typ`, issuer, algorithm, signature, audience, `exp` (required), `nbf` and `iat`,
 * with a tolerance of 30 s. It takes no key or URL from the token itself, and looks for no key
 * unless the token claims to come from the issuer. It does not check scopes, which the policy does,
 * nor revocation.
 */
export function createJwtVerifier(options: JwtOptions): TokenVerifier {
  return async (token, now) => {
    const { header, claims } = parseJwt(token);
    checkHeader(header);
    const type = readType(header);
    if (!options.types.includes(type)) {
      throw new InvalidToken("The typ header is not an accepted type");
    }
    checkIssuer(claims, options.issuer);
    await checkSignature(token, now, options.keys);
    checkAudience(claims, options);
    if (type !== ACCESS_TOKEN_TYPE) checkAccessToken(claims, options);
    if (!claims.has("exp")) throw new InvalidToken("The exp claim is missing");
    return toPrincipal(claims, checkTimes(claims, now), options);
  };
}

/** Returns `typ` in lower case without `application/` (RFC 7515 section 4.1.9), or `absent`. */
function readType(header: ReadonlyMap<string, unknown>): string {
  if (!header.has("typ")) return "absent";
  const type = header.get("typ");
  if (typeof type !== "string" || type.toLowerCase() === "absent") return "";
  return type.toLowerCase().replace(/^application\//, "");
}

async function checkSignature(token: string, now: number, keys: KeySet): Promise<void> {
  const findKey = (header: CompactJWSHeaderParameters): Promise<CryptoKey> =>
    keys.find(header, now);
  try {
    await compactVerify(token, findKey, { algorithms: ALGORITHMS });
  } catch (error) {
    if (error instanceof AppError || error instanceof InvalidToken) throw error;
    throw new InvalidToken(rejectionReason(error), { cause: error });
  }
}
