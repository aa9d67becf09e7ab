/**
 * Authentication context class references (`acr`), which say how a user signed in (RFC 9470).
 *
 * A policy names one as `acr:VALUE` beside scopes. A token has it because of its `acr` claim, never
 * because of a scope of that name.
 *
 * @module
 */

const PREFIX = "acr:";

/** Matches the values that a policy accepts after `acr:`: no wildcards or separators of lists. */
export const ACR_VALUE = /^[\x21\x23-\x29\x2b\x2d-\x5b\x5d-\x7b\x7d\x7e]+$/;

/** Returns whether a name in a policy is an `acr:VALUE`. */
export function isAcr(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Returns the name of a value in policies: `acr:VALUE`. */
export function toAcr(value: string): string {
  return PREFIX + value;
}

/** Returns the scopes among names in a policy. */
export function scopesIn(names: Iterable<string>): string[] {
  return [...names].filter((name) => !isAcr(name));
}

/** Returns the `acr` values among names in a policy, without `acr:`. */
export function acrValuesIn(names: Iterable<string>): string[] {
  return [...names].filter(isAcr).map((name) => name.slice(PREFIX.length));
}
