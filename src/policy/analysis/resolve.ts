/**
 * Which route of the policy a call is.
 *
 * @module
 */

/** A call as a person writes it. */
export interface Call {
  readonly method: string;
  /** A real path, such as `/v2/pages/5c6a`, or that of a route; what follows `?` is left out. */
  readonly path: string;
}

/** Reads `GET /v2/pages/5c6a`; undefined where it is no method and path. */
export function parseCall(text: string): Call | undefined {
  const [, method, path] = /^\s*([A-Za-z]+)\s+(\/[^\s?#]*)\S*\s*$/.exec(text) ?? [];
  if (method === undefined || path === undefined) return undefined;
  return { method: method.toUpperCase(), path };
}

/** The route that serves a call, as the policy names it; a named segment yields to a literal one. */
export function resolveRoute(routes: Iterable<string>, call: Call): string | undefined {
  // HEAD is answered as GET is.
  const method = call.method === "HEAD" ? "GET" : call.method;
  const segments = call.path.split("/");
  const fitting = [...routes].filter((route) => {
    const [own, path = ""] = route.split(" ");
    return own === method && fits(path.split("/"), segments);
  });
  return fitting.find((route) => route === `${method} ${call.path}`) ??
    fitting.sort((a, b) => literalness(b) - literalness(a))[0];
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => {
    const segment = segments[index] ?? "";
    return part.startsWith(":") ? segment !== "" : part === segment;
  });
}

/** As a binary number: the first segments count most. */
function literalness(route: string): number {
  return route.split("/").reduce((sum, part) => sum * 2 + (part.startsWith(":") ? 0 : 1), 0);
}
