/**
 * Nonces that clients put into their DPoP proofs (RFC 9449 section 9).
 *
 * @module
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";

export interface Nonces {
  /** Returns the nonce to give to clients; `now` in milliseconds since the epoch. */
  current(now: number): string;
  /** Returns when a nonce stops being valid; undefined if it is not valid now. */
  expiry(nonce: string, now: number): number | undefined;
}

/** Milliseconds between two nonces. */
const STEP = 60_000;
const LENGTH = 22;
/** The next one as well: another process, whose clock is ahead, may have given it out. */
const VALID_STEPS = [0, -1, 1];

/**
 * Creates nonces that follow from the time and a key, so that processes with one key share them and
 * nothing has to be stored. Each is current for a minute and valid for another one.
 */
export function createNonces(key: Uint8Array): Nonces {
  const cache = new LRUCache<number, string>({ max: 4 });
  const nonceOf = (step: number): string => {
    const cached = cache.get(step);
    if (cached !== undefined) return cached;
    const nonce = createHmac("sha256", key).update(`dpop nonce ${step}`).digest("base64url");
    cache.set(step, nonce.slice(0, LENGTH));
    return nonce.slice(0, LENGTH);
  };
  return {
    current: (now) => nonceOf(Math.floor(now / STEP)),
    expiry: (nonce, now) => {
      const step = VALID_STEPS.map((offset) => Math.floor(now / STEP) + offset)
        .find((one) => isSame(nonce, nonceOf(one)));
      return step === undefined ? undefined : (step + 2) * STEP;
    },
  };
}

const encoder = new TextEncoder();

/** In constant time, so that nobody can find the next nonce byte by byte. */
function isSame(given: string, nonce: string): boolean {
  const [one, other] = [encoder.encode(given), encoder.encode(nonce)];
  return one.length === other.length && timingSafeEqual(one, other);
}
