/**
 * DPoP proofs that were used.
 *
 * @module
 */

/** Belongs to the whole service, like its secrets. */
export interface UsedProofs {
  /**
   * Records that a proof is used; false if it was used before, by any process. May be removed after
   * `expiresTime`; times in milliseconds since the epoch.
   */
  useProof(id: string, expiresTime: number, now: number): Promise<boolean>;
}

export interface UsedProofStore {
  /** Undefined: no other process serves from this database, so that each remembers its own. */
  readonly usedProofs?: UsedProofs;
}
