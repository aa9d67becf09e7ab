/**
 * Admits callers whose tokens are bound to a key, by the proof in their request.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { challenge, type ChallengeContext, type DpopMode, readCredentials } from "../bearer.ts";
import type { Principal } from "../principal.ts";
import { InvalidProof } from "./invalid_proof.ts";
import type { Nonces } from "./nonces.ts";
import { createProofChecker, type ProofRequest } from "./proof_checker.ts";
import type { UsedProofs } from "./used_proofs.ts";

export interface ProofGateOptions {
  readonly mode: Exclude<DpopMode, "off">;
  readonly usedProofs: UsedProofs;
  /** Undefined: proofs need no nonce. */
  readonly nonces: Nonces | undefined;
}

/** A request whose token was verified. */
export interface ProvenRequest extends Pick<ProofRequest, "proof" | "method" | "path"> {
  readonly authorization: string | null;
}

/** See `Authenticator.checkProof`. */
export type CheckCallerProof = (
  caller: Principal,
  request: ProvenRequest,
  now: number,
) => Promise<string | undefined>;

/** Creates the check of callers' proofs; without options no token can be bound, so it never runs. */
export function createProofGate(
  context: ChallengeContext,
  options: ProofGateOptions | undefined,
): CheckCallerProof {
  if (options === undefined) return () => Promise.reject(new Error("DPoP is off"));
  const { nonces } = options;
  const checkProof = createProofChecker({ ...options, publicUrl: context.publicUrl });
  return async ({ boundKey = "" }, { authorization, ...request }, now) => {
    const { token } = readCredentials(authorization, context);
    const nonce = nonces?.current(now);
    try {
      const { usedNonce } = await checkProof({ ...request, token, boundKey }, now);
      return usedNonce === nonce ? undefined : nonce;
    } catch (error) {
      throw error instanceof InvalidProof ? refusal(context, error, nonce) : error;
    }
  };
}

/** Returns the 401; with nonces it has a valid one, so that the client can try again. */
function refusal(
  context: ChallengeContext,
  cause: InvalidProof,
  nonce: string | undefined,
): AppError {
  const { code: error, message: description } = cause;
  const isBinding = error === "invalid_token";
  return new AppError("unauthorized", `${isBinding ? "" : "DPoP: "}${description}.`, {
    headers: {
      "WWW-Authenticate": challenge(context, { scheme: "DPoP", error, description }),
      ...(nonce !== undefined && { "DPoP-Nonce": nonce }),
    },
    cause,
    reason: description,
  });
}
