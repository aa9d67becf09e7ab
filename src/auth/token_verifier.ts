import type { Principal } from "./principal.ts";

/**
 * Verifies one kind of token at `now` (milliseconds since the epoch) and returns its caller.
 *
 * Rejects with `InvalidToken` for an invalid token, and with `service_unavailable` if the issuer
 * cannot be reached.
 */
export type TokenVerifier = (token: string, now: number) => Promise<Principal>;

/** A service that token verification depends on. */
export interface TokenSource {
  /** For readiness reports, which are public. */
  readonly name: string;
  /** Rejects while tokens cannot be verified. */
  ping(now: number): Promise<void>;
}
