/**
 * Checks the URLs of issuer, keys and introspection endpoint.
 *
 * @module
 */

import { type AllowedNetworks, privateIssue } from "./networks.ts";

/** The configured URLs; absent ones are not checked. */
export interface AuthUrls {
  readonly issuer?: string;
  readonly jwksUrl?: string;
  readonly jwksFile?: string;
  readonly introspectionUrl?: string;
}

/** Returns one sentence for each issue of the configured URLs. */
export function authUrlIssues(urls: AuthUrls, allowed: AllowedNetworks): readonly string[] {
  const callsIssuer = urls.jwksUrl === undefined && urls.jwksFile === undefined &&
    urls.introspectionUrl === undefined;
  // An issuer without requests to it is only a name, such as "urn:example:issuer".
  const checked: readonly (readonly [string, string | undefined])[] = [
    ["RECTO_AUTH_ISSUER", callsIssuer ? urls.issuer : undefined],
    ["RECTO_AUTH_JWKS_URL", urls.jwksUrl],
    ["RECTO_AUTH_INTROSPECTION_URL", urls.introspectionUrl],
  ];
  return checked.flatMap(([name, url]) =>
    (url === undefined ? undefined : urlIssue(name, url) ?? privateIssue(name, url, allowed)) ?? []
  );
}

/**
 * Returns the issue of a URL: not https (or http on loopback), credentials, or a fragment. The
 * message never quotes credentials.
 */
export function urlIssue(name: string, value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null) return `${name} must be an absolute URL: "${value}"`;
  if (url.username !== "" || url.password !== "") return `${name} must not contain credentials`;
  if (url.hash !== "") return `${name} must not have a fragment: "${value}"`;
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && isLoopback(url.hostname)) return undefined;
  return `${name} must be https, or http on loopback: "${value}"`;
}

/** `URL` normalizes IPv4 addresses, so these three spellings are complete. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
