/**
 * Which addresses the service may ask for keys and verdicts.
 *
 * @module
 */

import { type AllowedNetworks, privateIssue } from "./networks.ts";

/** The addresses of a configuration, by their role; absent ones are not judged. */
export interface AuthUrls {
  readonly issuer?: string;
  readonly jwksUrl?: string;
  readonly jwksFile?: string;
  readonly introspectionUrl?: string;
}

/** Lists what is wrong with the configured addresses, one sentence each; empty when all is well. */
export function authUrlIssues(urls: AuthUrls, reach: AllowedNetworks): readonly string[] {
  const asksIssuer = urls.jwksUrl === undefined && urls.jwksFile === undefined &&
    urls.introspectionUrl === undefined;
  // An issuer that is never asked is only a name, such as "urn:example:issuer".
  const judged: readonly (readonly [string, string | undefined])[] = [
    ["RECTO_AUTH_ISSUER", asksIssuer ? urls.issuer : undefined],
    ["RECTO_AUTH_JWKS_URL", urls.jwksUrl],
    ["RECTO_AUTH_INTROSPECTION_URL", urls.introspectionUrl],
  ];
  return judged.flatMap(([name, url]) =>
    (url === undefined ? undefined : urlIssue(name, url) ?? privateIssue(name, url, reach)) ?? []
  );
}

/**
 * Says what is wrong with one address: not https (or http on loopback), credentials, a fragment.
 *
 * An address with credentials is never quoted.
 */
export function urlIssue(name: string, value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null) return `${name} must be an absolute URL: "${value}"`;
  if (url.username !== "" || url.password !== "") return `${name} must carry no credentials`;
  if (url.hash !== "") return `${name} must have no fragment: "${value}"`;
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && isLoopback(url.hostname)) return undefined;
  return `${name} must be https, or http on loopback: "${value}"`;
}

/** URL writes every form of an IPv4 address in one way, so three spellings are all there are. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
