/**
 * Finds claims by name, also inside objects: `realm_access.roles`.
 *
 * @module
 */

/** The claims of a token; a `Map`, because their names come from outside. */
export type Claims = ReadonlyMap<string, unknown>;

/**
 * Returns the claim at a path; undefined if there is none.
 *
 * Dots separate the names of nested objects, unless a name itself contains them, as
 * `https://recto.example/workspace` does: the longest name that exists wins.
 */
export function findClaim(claims: Claims, path: string): unknown {
  return claims.has(path) ? claims.get(path) : findInside(path, (name) => claims.get(name));
}

function findInside(path: string, get: (name: string) => unknown): unknown {
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const found = findMember(get(path.slice(0, dot)), path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function findMember(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  return findClaim(members, path);
}

/** Returns the first of these claims that the token has; undefined if it has none. */
export function findFirstClaim(claims: Claims, paths: readonly string[]): unknown {
  return paths.map((path) => findClaim(claims, path)).find((value) => value !== undefined);
}
