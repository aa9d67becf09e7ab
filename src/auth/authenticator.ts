/**
 * Authenticates the caller by the `Authorization` header.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { upTo } from "../shared/cache_limit.ts";
import { isSignedJwt } from "./compact_jws.ts";
import {
  challenge,
  type ChallengeContext,
  type ChallengeOptions,
  invalidToken,
  normalizeCredentials,
  readCredentials,
} from "./bearer.ts";
import { createProofGate, type ProofGateOptions, type ProvenRequest } from "./dpop/proof_gate.ts";
import { assertScheme } from "./dpop/token_scheme.ts";
import { InvalidToken } from "./token_errors.ts";
import type { Principal } from "./principal.ts";
import type { TokenVerifier } from "./token_verifier.ts";

/** Milliseconds for which a verified token is not verified again. */
const MAX_CACHED = 60_000;

export interface AuthenticatorOptions {
  /** The origin that challenges name. */
  readonly publicUrl: string;
  /** Verifies JWTs, and every token if there is no other verifier. */
  readonly jwt?: TokenVerifier;
  /** Verifies opaque tokens, and every token if there is no other verifier. */
  readonly opaque?: TokenVerifier;
  /** Undefined: tokens bound to a key are refused. */
  readonly dpop?: ProofGateOptions;
  /** Maximum number of cached tokens; default 10,000. */
  readonly cacheSize?: number;
}

export interface Authenticator {
  /** Finds the caller if the token was verified recently; `now` in milliseconds since the epoch. */
  findCached(authorization: string | null, now: number): Principal | undefined;
  /** Returns whether a bearer token was valid when it was last verified, however long ago. */
  isCached(authorization: string | null): boolean;
  /**
   * Returns the caller: synchronously if the token was verified recently.
   *
   * Throws or rejects with `unauthorized`, `invalid_request` or `service_unavailable`.
   */
  authenticate(authorization: string | null, now: number): Principal | Promise<Principal>;
  /**
   * Checks the proof of a caller whose token is bound to a key, and returns the nonce for the next
   * one if the client should use another. Rejects with `unauthorized` or `service_unavailable`.
   */
  checkProof(caller: Principal, request: ProvenRequest, now: number): Promise<string | undefined>;
  /** Returns the value of `WWW-Authenticate`, for errors thrown elsewhere. */
  challenge(options?: ChallengeOptions): string;
}

interface CachedPrincipal {
  readonly principal: Principal;
  readonly checkedAt: number;
  readonly goodUntil: number;
}

/**
 * Creates the authenticator over one or two verifiers.
 *
 * A verified token is cached until it expires, for 60 s at most; concurrent calls with the same new
 * token share one verification. Throws if there is no verifier.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const context: ChallengeContext = { publicUrl: options.publicUrl, dpop: options.dpop?.mode };
  const verifyOnce = shareCalls(selectVerifier(options));
  // Keyed by the whole field, so that different tokens never share an entry; all spellings of one
  // share one, or a caller could fill the cache with a single token.
  const cache = new LRUCache<string, CachedPrincipal>(upTo(options.cacheSize ?? 10_000));
  const verify = async (field: string | null, now: number): Promise<Principal> => {
    const { scheme, token } = readCredentials(field, context);
    const key = keyOf(field);
    const principal = await verifyOnce(token, now).then((verified) => {
      assertScheme(verified, scheme, context);
      return verified;
    }).catch((error: unknown) => {
      if (!(error instanceof InvalidToken)) throw error;
      if (key !== undefined) cache.delete(key);
      throw invalidToken(context, error, scheme);
    });
    const goodUntil = Math.min(principal.expiresAt, now + MAX_CACHED);
    if (key !== undefined && goodUntil > now) {
      cache.set(key, { principal, checkedAt: now, goodUntil });
    }
    return principal;
  };
  const recall = (authorization: string | null, now: number): Principal | undefined => {
    const key = keyOf(authorization);
    const entry = key === undefined ? undefined : cache.get(key);
    if (entry === undefined) return undefined;
    // If the clock was set back, the token must be verified again.
    return entry.checkedAt <= now && now < entry.goodUntil ? entry.principal : undefined;
  };
  return {
    findCached: recall,
    isCached: (authorization) => {
      const key = keyOf(authorization);
      const entry = key === undefined ? undefined : cache.peek(key);
      return entry !== undefined && entry.principal.boundKey === undefined;
    },
    checkProof: createProofGate(context, options.dpop),
    authenticate: (authorization, now) => recall(authorization, now) ?? verify(authorization, now),
    challenge: (challengeOptions) => challenge(context, challengeOptions),
  };
}

function keyOf(authorization: string | null): string | undefined {
  return authorization === null ? undefined : normalizeCredentials(authorization.trim());
}

function selectVerifier({ jwt, opaque }: AuthenticatorOptions): TokenVerifier {
  if (jwt !== undefined && opaque !== undefined) {
    return (token, now) => isSignedJwt(token) ? jwt(token, now) : opaque(token, now);
  }
  const only = jwt ?? opaque;
  if (only === undefined) throw new Error("An authenticator needs a verifier");
  return only;
}

/** Shares one verification between concurrent calls for the same token. */
function shareCalls(verify: TokenVerifier): TokenVerifier {
  const pending = new Map<string, Promise<Principal>>();
  return (token, now) => {
    const running = pending.get(token);
    if (running !== undefined) return running;
    const verifying = verify(token, now).finally(() => pending.delete(token));
    pending.set(token, verifying);
    return verifying;
  };
}
