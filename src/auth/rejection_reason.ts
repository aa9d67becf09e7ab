import { errors } from "jose";

/** Reasons by claim, if the claim is present but wrong; jose reports no others. */
const CLAIMS: ReadonlyMap<string, string> = new Map([
  ["typ", "The typ header is not at+jwt"],
  ["iss", "The iss claim names another issuer"],
  ["aud", "The aud claim does not name this service"],
  ["sub", "The sub claim is not a valid string"],
  ["exp", "The exp claim is not a valid time"],
  ["nbf", "The nbf claim is in the future"],
]);

/**
 * Returns why jose or Web Crypto rejected a token, in our own words: their messages may quote it.
 */
export function rejectionReason(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error);
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return "The signature does not match the key that kid names";
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return "The alg header is not allowed";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "Several keys have this kid";
  if (error instanceof errors.JWTInvalid) return "The payload is not a JSON object";
  // Several classes: a signature of the wrong length, or a key of another algorithm.
  return "The token cannot be verified";
}

function claimReason({ claim, reason }: errors.JWTClaimValidationFailed): string {
  const wrong = CLAIMS.get(claim);
  if (wrong === undefined) return "A claim is invalid";
  if (reason === "missing") return `The ${claim} claim is missing`;
  return reason === "invalid" ? `The ${claim} claim is not a valid time` : wrong;
}
