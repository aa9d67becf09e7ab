import type { Principal } from "./principal.ts";

/**
 * Checks one kind of token at the given time (ms since the epoch) and says whose it is.
 *
 * Rejects with `InvalidToken` where the token is at fault, and with `service_unavailable` where the
 * party that could tell is out of reach.
 */
export type TokenVerifier = (token: string, now: number) => Promise<Principal>;
