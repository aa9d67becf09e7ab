/**
 * The issuer's public keys: cached and refreshed.
 *
 * @module
 */
import * as errors from "jose/errors";
import { createLocalJWKSet } from "jose/jwks/local";
import type { CompactJWSHeaderParameters, LocalJWKSet } from "jose";
import { InvalidToken, unavailable } from "./token_errors.ts";
import type { KeySource } from "./key_sources.ts";
import { usableKeys } from "./usable_keys.ts";

/** Milliseconds before the next fetch after one that failed or did not bring the key looked for. */
const COOL_DOWN = 30_000;
/** Milliseconds after which keys are fetched again, so that removed keys stop working. */
const MAX_AGE = 5 * 60_000;
/** Milliseconds for which cached keys are used while the source is down. */
const MAX_STALE = 24 * 60 * 60_000;
const TIMEOUT = 2_000;

export interface KeySet {
  /**
   * Returns the key that a token's header names.
   *
   * Rejects with `InvalidToken` if the issuer has no such key, and with `service_unavailable` if
   * the source is down.
   */
  find(header: CompactJWSHeaderParameters, now: number): Promise<CryptoKey>;
  /** Loads the keys if they are stale; rejects while there are no usable keys. */
  ping(now: number): Promise<void>;
}

/** One fetch from the source. */
interface KeyFetch {
  readonly startedAt: number;
  succeeded: boolean;
  /** True if a caller found the key they needed in it; the next fetch then need not wait. */
  foundKey: boolean;
}

/** The cached keys; `failure` is set while the source is down. */
interface Loader {
  keys(now: number): LocalJWKSet | undefined;
  isFresh(now: number): boolean;
  failure(): unknown;
  /** Fetches from the source, unless it cools down; never rejects. */
  load(now: number): Promise<KeyFetch | undefined>;
}

/**
 * Creates a key set over a source of JWKS documents.
 *
 * An unknown key is fetched at once, so that a key rotation fails no request. After a fetch that
 * failed or did not bring the key, the next one waits 30 s, however many unknown keys callers send;
 * one fetch runs at a time, for 2 s at most. (jose's remote set starts its cool-down after
 * successes only, reads the wall clock, and drops expired keys while the source is down.)
 */
export function createKeySet(source: KeySource): KeySet {
  const loader = createLoader(source);
  return {
    find: (header, now) => findKey(loader, header, now),
    ping: async (now) => {
      if (!loader.isFresh(now)) markFoundKey(await loader.load(now));
      if (loader.keys(now) === undefined) {
        throw new Error("No keys to verify tokens with", { cause: loader.failure() });
      }
    },
  };
}

function createLoader(source: KeySource): Loader {
  let cached: { readonly keys: LocalJWKSet; readonly loadedAt: number } | undefined;
  let failure: unknown;
  let last: KeyFetch | undefined;
  let pending: Promise<KeyFetch> | undefined;
  const isCachedFor = (age: number, now: number): boolean =>
    cached !== undefined && isWithin(age, cached.loadedAt, now);
  const isCooling = (now: number): boolean =>
    last !== undefined && !last.foundKey && isWithin(COOL_DOWN, last.startedAt, now);
  const ask = async (fetch: KeyFetch): Promise<KeyFetch> => {
    try {
      const document = await source(AbortSignal.timeout(TIMEOUT));
      cached = { keys: createLocalJWKSet(usableKeys(document)), loadedAt: fetch.startedAt };
      failure = undefined;
      fetch.succeeded = true;
    } catch (error) {
      failure = error;
    } finally {
      pending = undefined;
    }
    return fetch;
  };
  return {
    keys: (now) => isCachedFor(MAX_STALE, now) ? cached?.keys : undefined,
    isFresh: (now) => isCachedFor(MAX_AGE, now),
    failure: () => failure,
    load: (now) => {
      if (pending === undefined && !isCooling(now)) {
        // Counts as unsuccessful until a caller finds their key; fetches wait meanwhile.
        last = { startedAt: now, succeeded: false, foundKey: false };
        pending = ask(last);
      }
      return pending ?? Promise.resolve(undefined);
    },
  };
}

function markFoundKey(fetch: KeyFetch | undefined): void {
  if (fetch?.succeeded) fetch.foundKey = true;
}

/** Uses the absolute difference, so that a clock that was set back does not stop all loading. */
function isWithin(age: number, since: number, now: number): boolean {
  return Math.abs(now - since) < age;
}

async function findKey(
  loader: Loader,
  header: CompactJWSHeaderParameters,
  now: number,
): Promise<CryptoKey> {
  const refreshed = loader.isFresh(now) ? undefined : await loader.load(now);
  const cachedKey = await match(loader.keys(now), header);
  if (cachedKey !== undefined) {
    markFoundKey(refreshed);
    return cachedKey;
  }
  const fetched = await loader.load(now);
  const loaded = await match(loader.keys(now), header);
  if (loaded !== undefined) {
    markFoundKey(fetched);
    return loaded;
  }
  if (loader.failure() !== undefined) throw unavailable(COOL_DOWN / 1000, loader.failure());
  throw new InvalidToken("The issuer has no key with this kid", { hint: "unknown_key" });
}

async function match(
  keys: LocalJWKSet | undefined,
  header: CompactJWSHeaderParameters,
): Promise<CryptoKey | undefined> {
  try {
    return await keys?.(header);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    throw error;
  }
}
