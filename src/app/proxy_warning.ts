/**
 * The warning of a service that others can reach and that knows no proxy in front of it.
 *
 * @module
 */
import { type Config, isLoopback } from "../config/config.ts";

const WARNING =
  "RECTO_TRUSTED_PROXIES is not set: behind a proxy, all clients count as one address; " +
  "without a proxy, slow clients keep their connections";

/**
 * Returns the warning; undefined if a proxy is known, or if only this machine can reach the
 * service. Recto has no TLS, so an https URL shows that a proxy on this machine is in front.
 */
export function proxyWarning(
  { host, publicUrl, trustedProxies }: Pick<Config, "host" | "publicUrl" | "trustedProxies">,
): string | undefined {
  const isReachable = !isLoopback(host) || publicUrl?.startsWith("https:") === true;
  return isReachable && trustedProxies.length === 0 ? WARNING : undefined;
}
