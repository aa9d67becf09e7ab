/**
 * From the `Authorization` header to the caller.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { challenge, type ChallengeOptions, invalidToken, readBearer } from "./bearer.ts";
import { InvalidToken } from "./token_errors.ts";
import type { Principal } from "./principal.ts";
import type { TokenVerifier } from "./token_verifier.ts";

/** How long a verified token is not checked again, ms. */
const MAX_CACHED = 60_000;

export interface AuthenticatorOptions {
  /** The origin that challenges name. */
  readonly publicUrl: string;
  /** Checks JWTs, and every token where there is no other verifier. */
  readonly jwt?: TokenVerifier;
  /** Checks opaque tokens, and every token where there is no other verifier. */
  readonly opaque?: TokenVerifier;
  /** How many verified tokens are kept; default 10 000. */
  readonly cacheSize?: number;
}

export interface Authenticator {
  /** Who calls at `now` (ms since the epoch), where the token was verified a moment ago. */
  findCached(authorization: string | null, now: number): Principal | undefined;
  /** Whether the token was good when it was last verified, however long ago. */
  isCached(authorization: string | null): boolean;
  /**
   * Says who calls at `now`, at once where the token was verified a moment ago.
   *
   * Throws or rejects with `unauthorized`, `invalid_request` or `service_unavailable`.
   */
  authenticate(authorization: string | null, now: number): Principal | Promise<Principal>;
  /** Writes the value of `WWW-Authenticate`, for a refusal made elsewhere. */
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
 * A verified token is trusted without another check until it ends, for 60 s at most; calls that
 * bring one new token together cause one check. Throws where no verifier is given.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { publicUrl } = options;
  const verifyOnce = shareCalls(selectVerifier(options));
  // Keyed by the whole field: whatever differs between two tokens, they never share an entry.
  const cache = new LRUCache<string, CachedPrincipal>({ max: options.cacheSize ?? 10_000 });
  const verify = async (field: string | null, now: number): Promise<Principal> => {
    const token = readBearer(field, publicUrl);
    const principal = await verifyOnce(token, now).catch((error: unknown) => {
      if (!(error instanceof InvalidToken)) throw error;
      if (field !== null) cache.delete(field);
      throw invalidToken(publicUrl, error);
    });
    const goodUntil = Math.min(principal.expiresAt, now + MAX_CACHED);
    if (field !== null && goodUntil > now) {
      cache.set(field, { principal, checkedAt: now, goodUntil });
    }
    return principal;
  };
  const recall = (authorization: string | null, now: number): Principal | undefined => {
    const entry = authorization === null ? undefined : cache.get(authorization);
    if (entry === undefined) return undefined;
    // A clock that was set back must not prolong the trust in a token.
    return entry.checkedAt <= now && now < entry.goodUntil ? entry.principal : undefined;
  };
  return {
    findCached: recall,
    isCached: (authorization) => authorization !== null && cache.has(authorization),
    authenticate: (authorization, now) => recall(authorization, now) ?? verify(authorization, now),
    challenge: (challengeOptions) => challenge(publicUrl, challengeOptions),
  };
}

function selectVerifier({ jwt, opaque }: AuthenticatorOptions): TokenVerifier {
  if (jwt !== undefined && opaque !== undefined) {
    return (token, now) => isJwtShaped(token) ? jwt(token, now) : opaque(token, now);
  }
  const only = jwt ?? opaque;
  if (only === undefined) throw new Error("An authenticator needs a verifier");
  return only;
}

/** Three parts, the first of which is an object in base64url. */
function isJwtShaped(token: string): boolean {
  return token.startsWith("ey") && token.split(".").length === 3;
}

/** Lets calls for one token that come while it is being checked wait for that check. */
function shareCalls(verify: TokenVerifier): TokenVerifier {
  const flights = new Map<string, Promise<Principal>>();
  return (token, now) => {
    const running = flights.get(token);
    if (running !== undefined) return running;
    const flight = verify(token, now).finally(() => flights.delete(token));
    flights.set(token, flight);
    return flight;
  };
}
