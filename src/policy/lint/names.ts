/**
 * Matches patterns, and prints sets of scopes in words.
 *
 * @module
 */
import { isAcr } from "../../shared/acr.ts";

/** Returns the names that a pattern matches; `*` matches any characters, including none. */
export function matching(pattern: string, names: Iterable<string>): string[] {
  const [start = "", ...others] = pattern.split("*");
  const end = others.pop();
  if (end === undefined) return [...names].filter((name) => name === pattern);
  return [...names].filter((name) =>
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end) &&
    containsInOrder(name.slice(start.length, name.length - end.length), others)
  );
}

/**
 * Returns the scopes and `acr` values that a pattern of a statement matches. Only a pattern that
 * begins with `acr:` matches `acr` values, so that `*` selects scopes.
 */
export function matchingGrants(pattern: string, names: Iterable<string>): string[] {
  return matching(pattern, [...names].filter((name) => isAcr(name) === isAcr(pattern)));
}

/** Returns whether a text contains these parts in order, without overlaps. */
function containsInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const index = text.indexOf(part, from);
    if (index < 0) return false;
    from = index + part.length;
  }
  return true;
}

/** Returns scopes that are all required, in words. */
export function inWords(scopes: readonly string[]): string {
  return scopes.length === 0 ? "no scope" : scopes.join(" + ");
}

/** Returns alternatives in words. */
export function anyInWords(sets: readonly (readonly string[])[]): string {
  if (sets.length === 0) return "nobody";
  if (sets.some((set) => set.length === 0)) return "everyone, without a token";
  return sets.map(inWords).join(", or ");
}
