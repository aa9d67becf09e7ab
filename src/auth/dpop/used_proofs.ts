/**
 * The proofs that were used, so that none is used twice (RFC 9449 section 11.1).
 *
 * @module
 */
import { unavailable } from "../token_errors.ts";

export interface UsedProofs {
  /**
   * Records that a proof is used; false if it was used before. Times in milliseconds since the
   * epoch; after `expiresTime` the proof is refused for its age.
   */
  useProof(id: string, expiresTime: number, now: number): Promise<boolean> | boolean;
}

/** Takes 55 MB. One is remembered for two minutes, in which four cores check fewer. */
const MAX_PROOFS = 500_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Creates the record of one process. If it is full, proofs are refused with `service_unavailable`,
 * because one that is dropped early could be used again.
 */
export function createUsedProofs(limit = MAX_PROOFS): UsedProofs {
  // In the order of use, which nearly is that of expiry: what cannot be removed yet soon can.
  const expiries = new Map<string, number>();
  const removeExpired = (now: number): void => {
    for (const [id, expiresTime] of expiries) {
      if (expiresTime > now) return;
      expiries.delete(id);
    }
  };
  return {
    useProof: (id, expiresTime, now) => {
      removeExpired(now);
      if (expiries.has(id)) return false;
      if (expiries.size >= limit) {
        throw unavailable(RETRY_AFTER_SECONDS, new Error("Too many DPoP proofs are remembered"));
      }
      expiries.set(id, expiresTime);
      return true;
    },
  };
}
