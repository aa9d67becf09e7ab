import * as errors from "jose/errors";

/**
 * Returns why jose or Web Crypto rejected a signature, in our own words: their messages may quote
 * the token.
 */
export function rejectionReason(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return "The signature does not match the key that kid names";
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return "The alg header is not allowed";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "Several keys have this kid";
  // Several classes: a signature of the wrong length, or a key of another algorithm.
  return "The token cannot be verified";
}
