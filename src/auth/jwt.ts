/**
 * JWT access tokens (RFC 9068), checked as RFC 8725 asks.
 *
 * @module
 */
import { base64url, jwtVerify } from "jose";
import type { CompactJWSHeaderParameters } from "jose";
import { AppError } from "../shared/errors.ts";
import { type ClaimRules, toPrincipal } from "./claims.ts";
import { InvalidToken } from "./token_errors.ts";
import type { KeySet } from "./keys.ts";
import { parseStrictObject } from "./strict_json.ts";
import { rejectionReason } from "./rejection_reason.ts";
import { checkTimes, CLOCK_TOLERANCE } from "./times.ts";
import type { TokenVerifier } from "./token_verifier.ts";

/** What a token may be signed with: a public key proves it, and no shared secret ever does. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** Header members that change what the other parts mean; none is understood here. */
const REFUSED_MEMBERS = ["b64", "crit", "cty", "enc", "zip"];

export interface JwtOptions extends ClaimRules {
  /** Who the token must be for: one of these. */
  readonly audience: string;
  readonly keys: KeySet;
}

/**
 * Creates the verifier of signed access tokens.
 *
 * It checks form, `typ`, algorithm, signature, issuer, audience, `exp` (required), `nbf` and `iat`
 * within 30 s. It reads no key and no address from the token itself. Which scopes open what is the
 * policy's to say; whether a token was revoked before its end is not known here.
 */
export function createJwtVerifier(options: JwtOptions): TokenVerifier {
  return async (token, now) => {
    const payload = checkForm(token);
    await checkSignature(token, now, options);
    const claims = parseStrictObject(payload);
    return toPrincipal(claims, checkTimes(claims, now), options);
  };
}

/** Refuses what is no plain compact JWS of an access token; answers the payload's bytes. */
function checkForm(token: string): Uint8Array {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    throw new InvalidToken("The token has not three parts");
  }
  checkHeader(parseStrictObject(decodeCanonical(header)));
  decodeCanonical(signature);
  return decodeCanonical(payload);
}

function checkHeader(header: ReadonlyMap<string, unknown>): void {
  const refused = REFUSED_MEMBERS.find((member) => header.has(member));
  if (refused !== undefined) throw new InvalidToken(`The token's header has ${refused}`);
  if (typeof header.get("kid") !== "string") throw new InvalidToken("The token names no key");
}

/** One text for each run of bytes, so that two spellings of one signature are not both good. */
function decodeCanonical(part: string): Uint8Array {
  const bytes = decodeBase64Url(part);
  if (part === "" || base64url.encode(bytes) !== part) {
    throw new InvalidToken("A part of the token is not canonical base64url");
  }
  return bytes;
}

function decodeBase64Url(part: string): Uint8Array {
  try {
    return base64url.decode(part);
  } catch (cause) {
    throw new InvalidToken("A part of the token is not base64url", cause);
  }
}

async function checkSignature(token: string, now: number, options: JwtOptions): Promise<void> {
  const findKey = (header: CompactJWSHeaderParameters): Promise<CryptoKey> =>
    options.keys.find(header, now);
  try {
    await jwtVerify(token, findKey, {
      algorithms: ALGORITHMS,
      typ: "at+jwt",
      issuer: options.issuer,
      audience: options.audience,
      requiredClaims: ["exp", "sub"],
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: new Date(now),
    });
  } catch (error) {
    if (error instanceof AppError || error instanceof InvalidToken) throw error;
    throw new InvalidToken(rejectionReason(error), error);
  }
}
