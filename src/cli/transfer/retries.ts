/**
 * When a request is sent again: after `Retry-After`, and after failures that pass.
 *
 * @module
 */
import type { ErrorCode } from "../../shared/errors.ts";

/** Attempts at a request that fails for other reasons than the rate limit. */
const ATTEMPTS = 8;
/** Milliseconds. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;
/** Milliseconds that a server may ask a client to wait. */
const LONGEST_RETRY_AFTER = 10 * 60_000;

const RATE_LIMITED = new Set([429, 529]);
/**
 * A conflict passes as well: other requests changed the same content, or the same key is in use.
 */
const PASSING = new Set([408, 409, 500, 502, 503, 504]);

/** The code of a failure that does not pass, though others with its status may. */
const LASTING: ErrorCode = "data_corrupted";

/** The outcome of one attempt: a status, or undefined if there was no response. */
export interface Attempt {
  readonly status: number | undefined;
  /** The code of an error response. */
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  /** Earlier attempts that failed for other reasons than the rate limit. */
  readonly failures: number;
}

export interface Retry {
  /** Milliseconds to wait. */
  readonly pause: number;
  /** True if all requests wait, not only this one. */
  readonly isForAll: boolean;
  /** True if the attempt counts as a failure; a rate limit never does. */
  readonly isFailure: boolean;
}

/**
 * Returns how to try again, or undefined if another attempt is pointless. `random` is from 0 to 1,
 * so that parallel requests do not come back at once.
 */
export function retryAfter(attempt: Attempt, now: number, random: number): Retry | undefined {
  const { status, code, failures } = attempt;
  const asked = parseRetryAfter(attempt.retryAfter, now);
  if (asked !== undefined && asked > LONGEST_RETRY_AFTER) return undefined;
  if (status !== undefined && RATE_LIMITED.has(status)) {
    return { pause: asked ?? backoff(failures, random), isForAll: true, isFailure: false };
  }
  if (status !== undefined && !PASSING.has(status) || code === LASTING) return undefined;
  if (failures + 1 >= ATTEMPTS) return undefined;
  const pause = asked ?? backoff(failures, random);
  return { pause, isForAll: asked !== undefined, isFailure: true };
}

/** Milliseconds of `Retry-After` (RFC 9110 section 10.2.3): seconds or a date. */
function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

function backoff(failures: number, random: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures) * (0.5 + random / 2);
}
