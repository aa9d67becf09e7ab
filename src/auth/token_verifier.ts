import type { Principal } from "./principal.ts";

/**
 * Checks one kind of token at the given time (ms since the epoch) and says whose it is.
 *
 * Rejects with `InvalidToken` where the token is at fault, and with `service_unavailable` where the
 * party that could tell is out of reach.
 */
export type TokenVerifier = (token: string, now: number) => Promise<Principal>;

/** A party that must be within reach, so that tokens can be verified. */
export interface TokenSource {
  /** In words for everyone. */
  readonly name: string;
  /** Rejects while no token could be verified. */
  ping(now: number): Promise<void>;
}
