/**
 * Verifies JWT access tokens (RFC 9068), following RFC 8725.
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

/** Accepted signature algorithms; all use a public key, none a shared secret. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** Header members that change the meaning of other parts; none is supported. */
export const UNSUPPORTED_MEMBERS = ["b64", "crit", "cty", "enc", "zip"];

export interface JwtOptions extends ClaimRules {
  /** The audience that tokens must name. */
  readonly audience: string;
  readonly keys: KeySet;
}

/**
 * Creates the verifier of signed access tokens.
 *
 * It checks form, `typ`, algorithm, signature, issuer, audience, `exp` (required), `nbf` and `iat`,
 * with a tolerance of 30 s. It takes no key or URL from the token itself. It does not check scopes,
 * which the policy does, nor revocation.
 */
export function createJwtVerifier(options: JwtOptions): TokenVerifier {
  return async (token, now) => {
    const payload = checkForm(token);
    await checkSignature(token, now, options);
    const claims = parseStrictObject(payload);
    return toPrincipal(claims, checkTimes(claims, now), options);
  };
}

/** Checks that the token is a plain compact JWS, and returns the bytes of its payload. */
function checkForm(token: string): Uint8Array {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    throw new InvalidToken("The token does not have three parts");
  }
  checkHeader(parseStrictObject(decodeCanonical(header)));
  decodeCanonical(signature);
  return decodeCanonical(payload);
}

function checkHeader(header: ReadonlyMap<string, unknown>): void {
  const unsupported = UNSUPPORTED_MEMBERS.find((member) => header.has(member));
  if (unsupported !== undefined) {
    throw new InvalidToken(`The ${unsupported} header is not supported`);
  }
  if (typeof header.get("kid") !== "string") throw new InvalidToken("The kid header is missing");
}

/**
 * Decodes base64url; rejects a second spelling of the same bytes, so that a token has only one
 * form.
 */
export function decodeCanonical(part: string): Uint8Array {
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
