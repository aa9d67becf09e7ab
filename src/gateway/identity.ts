/**
 * The headers that tell a guarded service who calls.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { scopesIn } from "../shared/acr.ts";

/**
 * Names of the headers. A response always has all of them, so that a proxy overwrites those that a
 * client sent.
 */
export const IDENTITY_HEADERS = [
  ...["X-Auth-User", "X-Auth-Type", "X-Auth-Client", "X-Auth-Workspace"],
  ...["X-Auth-Scopes", "X-Auth-Name", "X-Auth-Email"],
] as const;

type IdentityHeader = typeof IDENTITY_HEADERS[number];

/** Returns the headers for a caller; all are empty without one. */
export function identityOf(
  caller: Principal | undefined,
): [name: IdentityHeader, value: string][] {
  const values: Readonly<Record<IdentityHeader, string>> = {
    "X-Auth-User": caller?.userId ?? "",
    "X-Auth-Type": caller?.type ?? "",
    "X-Auth-Client": escaped(caller?.clientId ?? ""),
    "X-Auth-Workspace": escaped(caller?.workspace ?? ""),
    "X-Auth-Scopes": scopesIn(caller?.scopes ?? []).sort().map(escapedScope).join(" "),
    "X-Auth-Name": escaped(caller?.name ?? ""),
    "X-Auth-Email": escaped(caller?.email ?? ""),
  };
  return IDENTITY_HEADERS.map((name) => [name, values[name]]);
}

/** A role may have spaces in its name. The service would take it for several scopes. */
function escapedScope(scope: string): string {
  return escaped(scope).replaceAll(" ", "%20");
}

/** Escapes what a header cannot hold, as in a URL: everything but printable ASCII, and `%` itself. */
function escaped(text: string): string {
  return text.replaceAll(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
}
