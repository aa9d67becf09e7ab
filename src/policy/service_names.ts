/**
 * Names of scopes and routes in policies that guard another service than Recto, which the gateway
 * decides by.
 *
 * @module
 */
import { ACR_VALUE } from "../shared/acr.ts";
import { pathIssue } from "./routes/route_table.ts";
import { isPlain, splitRoute } from "./routes/route_pattern.ts";
import { isSafePath } from "./routes/safe_path.ts";

/** Name of a guarded service, for the log and for people. */
export const SERVICE = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** Any scope of RFC 6749 section 3.3, without the wildcards and separators of these tools. */
export function isServiceScope(name: string): boolean {
  return ACR_VALUE.test(name);
}

const METHOD = /^[A-Z][A-Z-]{0,31}$/;

/** Returns what is wrong with a route; undefined if it is valid. */
export function serviceRouteIssue(route: string): string | undefined {
  const { method, path } = splitRoute(route);
  if (!METHOD.test(method) || !path.startsWith("/") || path.includes(" ")) {
    return 'A route is "METHOD /path", such as "PUT /orders/:id"';
  }
  const issue = pathIssue(path);
  if (issue !== undefined) return issue;
  const example = path.replaceAll(/:\w+/g, "x");
  return isPlain(path) && !isSafePath(example)
    ? "No request is allowed with such a path: it has an empty or dot segment, or a needless escape"
    : undefined;
}
