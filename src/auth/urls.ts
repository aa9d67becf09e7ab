/**
 * Checks the URLs of issuer, keys and introspection endpoint.
 *
 * @module
 */

import { type AllowedNetworks, privateIssue } from "./networks.ts";

/** The configured URLs; absent ones are not checked. */
export interface AuthUrls {
  /** Absent if no keys are looked for in its metadata. */
  readonly issuer?: string;
  readonly jwksUrl?: string;
  readonly jwksFile?: string;
  readonly introspectionUrl?: string;
}

/** Returns one sentence for each issue of the configured URLs. */
export function authUrlIssues(urls: AuthUrls, allowed: AllowedNetworks): readonly string[] {
  const callsIssuer = urls.jwksUrl === undefined && urls.jwksFile === undefined;
  // An issuer without requests to it is only a name, such as "urn:example:issuer".
  const checked: readonly (readonly [string, string | undefined])[] = [
    ["RECTO_AUTH_ISSUER", callsIssuer ? urls.issuer : undefined],
    ["RECTO_AUTH_JWKS_URL", urls.jwksUrl],
    ["RECTO_AUTH_INTROSPECTION_URL", urls.introspectionUrl],
  ];
  return checked.flatMap(([name, url]) =>
    url === undefined
      ? []
      : urlIssue(name, url, allowed.plainHttp) ?? privateIssue(name, url, allowed) ?? []
  );
}

/**
 * Returns the issue of a URL: not https (or http on loopback), credentials, or a fragment. The
 * message never quotes credentials. `guardFetch` checks that plain http stays in private networks.
 */
export function urlIssue(name: string, value: string, plainHttp = false): string | undefined {
  const url = URL.parse(value);
  if (url === null) return `${name} must be an absolute URL: "${value}"`;
  if (url.username !== "" || url.password !== "") return `${name} must not contain credentials`;
  if (url.hash !== "") return `${name} must not have a fragment: "${value}"`;
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && (plainHttp || isLoopback(url.hostname))) return undefined;
  const hint = plainHttp ? "" : "; RECTO_AUTH_PLAIN_HTTP=true allows http in private networks";
  return `${name} must be https, or http on loopback${hint}: "${value}"`;
}

/** `URL` normalizes IPv4 addresses, so these three spellings are complete. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
