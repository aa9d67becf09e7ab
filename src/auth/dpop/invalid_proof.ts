/** The error codes of RFC 9449 section 12.2, and `invalid_token` for a token bound to another key. */
export type ProofErrorCode = "invalid_dpop_proof" | "invalid_token" | "use_dpop_nonce";

/**
 * Thrown for a proof that is refused.
 *
 * INVARIANT: the reason is a sentence of ours with nothing of the proof in it. The client is told it,
 * because it made the proof.
 */
export class InvalidProof extends Error {
  override name = "InvalidProof";

  constructor(reason: string, readonly code: ProofErrorCode = "invalid_dpop_proof") {
    super(reason);
  }
}
