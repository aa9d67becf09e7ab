import { errors } from "jose";

/** What is wrong where one of these is there; jose names no others to us. */
const CLAIMS: ReadonlyMap<string, string> = new Map([
  ["typ", "The token's typ is not at+jwt"],
  ["iss", "The token's iss is another issuer's"],
  ["aud", "The token's aud does not name this service"],
  ["sub", "The token's sub is no usable string"],
  ["exp", "The token's exp is no time"],
  ["nbf", "The token's nbf lies in the future"],
]);

/** Says in a sentence of ours why jose or Web Crypto refused a token: theirs may quote it. */
export function rejectionReason(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error);
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return "The token's signature is not of the key that it names";
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return "The token's alg is not allowed";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "Several keys have the token's kid";
  if (error instanceof errors.JWTInvalid) return "The token's payload is no JSON object";
  // Of several classes: a signature of the wrong length, a key that is not one of its algorithm.
  return "The token does not verify";
}

function claimReason({ claim, reason }: errors.JWTClaimValidationFailed): string {
  const wrong = CLAIMS.get(claim);
  if (wrong === undefined) return "A claim of the token is wrong";
  if (reason === "missing") return `The token has no ${claim}`;
  return reason === "invalid" ? `The token's ${claim} is no time` : wrong;
}
