import { InvalidToken } from "./token_errors.ts";

/** Tolerated difference to the issuer's clock, in seconds. */
export const CLOCK_TOLERANCE = 30;

/** The last second that a `Date` can represent. */
const LAST_SECOND = 8.64e12;

/**
 * Checks `exp`, `nbf` and `iat` if present, and returns when the token expires, in milliseconds
 * since the epoch; `Infinity` without `exp`. Throws `InvalidToken`.
 */
export function checkTimes(claims: ReadonlyMap<string, unknown>, now: number): number {
  const seconds = now / 1000;
  const exp = readTime(claims, "exp");
  if (exp !== undefined && exp <= seconds - CLOCK_TOLERANCE) {
    throw new InvalidToken("The token has expired", { hint: "expired" });
  }
  for (const claim of ["nbf", "iat"]) {
    const start = readTime(claims, claim);
    if (start !== undefined && start > seconds + CLOCK_TOLERANCE) {
      throw new InvalidToken(`The ${claim} claim is in the future`, { hint: "not_yet_valid" });
    }
  }
  return exp === undefined ? Infinity : exp * 1000;
}

function readTime(claims: ReadonlyMap<string, unknown>, claim: string): number | undefined {
  const value = claims.get(claim);
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !(value >= 0 && value <= LAST_SECOND)) {
    throw new InvalidToken(`The ${claim} claim is not a valid time`);
  }
  return value;
}
