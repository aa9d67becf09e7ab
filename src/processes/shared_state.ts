/**
 * The state that the parent keeps for all processes: the buckets of the rate limits, and used
 * proofs.
 *
 * @module
 */
import { createUsedProofs } from "../auth/dpop/used_proofs.ts";
import { type Buckets, createBuckets } from "../http/rate_limit.ts";
import { AppError } from "../shared/errors.ts";
import type { LimitName, ParentCalls } from "./calls.ts";

export type SharedState = Pick<ParentCalls, "take" | "refund" | "useProof">;

export function createSharedState(): SharedState {
  const proofs = createUsedProofs();
  const buckets = new Map<LimitName, Buckets>();
  return {
    take: (limit, rate, key, count) => {
      const own = buckets.get(limit) ?? createBuckets(rate);
      buckets.set(limit, own);
      return own.take(key, performance.now(), count);
    },
    refund: (limit, key, count) => buckets.get(limit)?.refund(key, count),
    useProof: async (id, expiresTime, now) => {
      try {
        return await proofs.useProof(id, expiresTime, now);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return null;
      }
    },
  };
}
