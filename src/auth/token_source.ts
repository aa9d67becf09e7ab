/**
 * Where tokens are verified.
 *
 * @module
 */

/** A party that must be within reach, so that tokens can be verified. */
export interface TokenSource {
  /** In words for everyone. */
  readonly name: string;
  /** Rejects while no token could be verified. */
  ping(now: number): Promise<void>;
}
