/**
 * The issuer's public keys, kept fresh.
 *
 * @module
 */
import { createLocalJWKSet, errors } from "jose";
import type { CompactJWSHeaderParameters, LocalJWKSet } from "jose";
import { InvalidToken, unavailable } from "./token_errors.ts";
import type { KeySource } from "./key_sources.ts";
import { usableKeys } from "./usable_keys.ts";

/** No source is asked again sooner than this after a fetch that brought nothing new, ms. */
const COOL_DOWN = 30_000;
/** Keys are asked for again once they are older than this, so that a removed key is forgotten. */
const MAX_AGE = 5 * 60_000;
/** How long the last good keys serve while the source is down. */
const MAX_STALE = 24 * 60 * 60_000;
const TIME_OUT = 2_000;

export interface KeySet {
  /**
   * Finds the key that a token's header names.
   *
   * Rejects with `InvalidToken` where the issuer has no such key, and with `service_unavailable`
   * where that cannot be known because the source is down.
   */
  find(header: CompactJWSHeaderParameters, now: number): Promise<CryptoKey>;
  /** Loads the keys if that is due; rejects with its cause while there are none to verify with. */
  ping(now: number): Promise<void>;
}

/** One question to the source. */
interface KeyFetch {
  readonly startedAt: number;
  succeeded: boolean;
  /** Whether somebody found the key that they looked for: then the next one need not wait. */
  foundKey: boolean;
}

/** The outcome of the last loads: `failure` is set while the source is down. */
interface Loader {
  keys(now: number): LocalJWKSet | undefined;
  isFresh(now: number): boolean;
  failure(): unknown;
  /** Asks the source unless it was asked in vain a moment ago; never rejects. */
  load(now: number): Promise<KeyFetch | undefined>;
}

/**
 * Creates a key set over a source of JWKS documents.
 *
 * A key that is not known is fetched at once, so that a rotation refuses nobody. After a fetch that
 * failed or did not bring that key, the source is left alone for 30 s, however many unknown keys the
 * callers name; one fetch runs at a time, for 2 s at most. (jose's remote set starts its cool-down at
 * a success only, reads the wall clock, and drops its keys when they age while the source is down.)
 */
export function createKeySet(source: KeySource): KeySet {
  const loader = createLoader(source);
  return {
    find: (header, now) => findKey(loader, header, now),
    ping: async (now) => {
      if (!loader.isFresh(now)) markFoundKey(await loader.load(now));
      if (loader.keys(now) === undefined) {
        throw new Error("No keys to verify with", { cause: loader.failure() });
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
      const document = await source(AbortSignal.timeout(TIME_OUT));
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
        // In vain until somebody finds their key: what is asked meanwhile must wait.
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

/** The distance, not the difference: a clock that was set back must not stop all loading. */
function isWithin(span: number, since: number, now: number): boolean {
  return Math.abs(now - since) < span;
}

async function findKey(
  loader: Loader,
  header: CompactJWSHeaderParameters,
  now: number,
): Promise<CryptoKey> {
  const refreshed = loader.isFresh(now) ? undefined : await loader.load(now);
  const known = await match(loader.keys(now), header);
  if (known !== undefined) {
    markFoundKey(refreshed);
    return known;
  }
  const fetched = await loader.load(now);
  const loaded = await match(loader.keys(now), header);
  if (loaded !== undefined) {
    markFoundKey(fetched);
    return loaded;
  }
  if (loader.failure() !== undefined) throw unavailable(COOL_DOWN / 1000, loader.failure());
  throw new InvalidToken("The issuer has no such key");
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
