/**
 * Finds the policy's route for a call.
 *
 * @module
 */
import { createRouteTable, type RouteTable } from "../routes/route_table.ts";
import { isPlain, splitRoute } from "../routes/route_pattern.ts";
import { isSafePath } from "../routes/safe_path.ts";

/** A call as a person types it. */
export interface Call {
  readonly method: string;
  /** A real path, such as `/v2/pages/5c6a`, or that of a route; without the query. */
  readonly path: string;
}

/** Parses `GET /v2/pages/5c6a`; undefined if the text is not a method and a path. */
export function parseCall(text: string): Call | undefined {
  const [, method, path] = /^\s*([A-Za-z]+)\s+(\/[^\s?#]*)\S*\s*$/.exec(text) ?? [];
  if (method === undefined || path === undefined) return undefined;
  // Clients resolve dot segments, also escaped ones, before they send a path.
  return { method: method.toUpperCase(), path: new URL(`http://host${path}`).pathname };
}

/** Tables are compiled once for each policy that a command reads. */
let cached: { readonly names: string; readonly table: RouteTable } | undefined;

function tableOf(routes: readonly string[]): RouteTable {
  const names = routes.join("\n");
  if (cached?.names !== names) cached = { names, table: createRouteTable(routes) };
  return cached.table;
}

/** Returns whether some route is none of Recto's own: the gateway finds them by a table. */
function areOfService(routes: readonly string[]): boolean {
  return routes.some((route) =>
    !/^(?:GET|POST|PATCH|DELETE) /.test(route) || route.endsWith("/") ||
    !isPlain(splitRoute(route).path)
  );
}

/**
 * Returns the route that serves a call, as the policy names it; literal segments win over
 * parameters.
 */
export function resolveRoute(routes: Iterable<string>, call: Call): string | undefined {
  if (hasNeedlessEscape(call.path)) return undefined;
  // The server handles HEAD like GET.
  const method = call.method === "HEAD" ? "GET" : call.method;
  const segments = call.path.split("/");
  const names = [...routes];
  if (areOfService(names)) {
    return isSafePath(call.path) ? tableOf(names).find(call.method, call.path) : undefined;
  }
  const candidates = names.filter((route) => {
    const [own, path = ""] = route.split(" ");
    return own === method && matches(path.split("/"), segments);
  });
  return candidates.find((route) => route === `${method} ${call.path}`) ??
    candidates.sort((a, b) => specificity(b) - specificity(a))[0];
}

/** The server does not know a path that escapes a character which needs no escape. */
function hasNeedlessEscape(path: string): boolean {
  const escapes = path.match(/%[0-9A-Fa-f]{2}/g) ?? [];
  return escapes.some((escape) => {
    const code = Number.parseInt(escape.slice(1), 16);
    return code < 0x20 || code === 0x7f || /[\w\-.~/\\]/.test(String.fromCharCode(code));
  });
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => {
    const segment = segments[index] ?? "";
    return part.startsWith(":") ? segment !== "" : part === segment;
  });
}

/** A binary number whose first segments count most. */
function specificity(route: string): number {
  return route.split("/").reduce((sum, part) => sum * 2 + (part.startsWith(":") ? 0 : 1), 0);
}
