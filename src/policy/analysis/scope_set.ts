/**
 * Sets of scopes. Iterating over one yields its scopes in alphabetical order, which is how they are
 * printed and compared.
 *
 * @module
 */

export type ScopeSet = ReadonlySet<string>;

/** Creates the set of these scopes. */
export function createScopeSet(scopes: Iterable<string>): ScopeSet {
  return new Set([...scopes].sort());
}

/** Returns the scopes of either set. `Set.union()` would not keep them in order. */
export function union(a: ScopeSet, b: ScopeSet): ScopeSet {
  return createScopeSet([...a, ...b]);
}

/** Orders sets by size, then alphabetically. */
export function compareScopeSets(a: ScopeSet, b: ScopeSet): number {
  if (a.size !== b.size) return a.size - b.size;
  const [left, right] = [[...a].join(" "), [...b].join(" ")];
  return left === right ? 0 : left < right ? -1 : 1;
}
