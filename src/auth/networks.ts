/**
 * Networks from which the service may fetch keys and introspect tokens. Private networks are
 * blocked by default, because services there may trust every client that can reach them.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { lookup } from "node:dns/promises";
import type { Fetch } from "./fetch_json.ts";

/** Networks that are allowed besides public addresses. */
export interface AllowedNetworks {
  /** This machine, as an IP address or `localhost`; for a service that listens on loopback. */
  readonly loopback: boolean;
  /** Every network. */
  readonly privateNetworks: boolean;
  /** Plain http, but only to private addresses: elsewhere anybody on the way could change keys. */
  readonly plainHttp: boolean;
}

/** Resolves a name to all its addresses; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Returns whether an IP address is public unicast; an IPv4-mapped one counts as its IPv4 address.
 */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === "unicast";
}

/**
 * Returns the issue of a URL with a private IP address; names are checked when they are resolved.
 */
export function privateIssue(
  name: string,
  value: string,
  allowed: AllowedNetworks,
): string | undefined {
  const hostname = hostOf(value);
  const address = hostname === "localhost" ? "127.0.0.1" : hostname;
  if (isIpLiteral(address) && isExposed(value, address)) return exposedIssue(name, value);
  if (!isIpLiteral(address) || isAllowed(hostname, address, allowed)) return undefined;
  return `${name} must not be a private address unless RECTO_AUTH_PRIVATE_NETWORK is true: "${value}"`;
}

/**
 * Creates a `fetch` that resolves the name and checks every address first. `fetch` resolves the
 * name again and may get another address; only `--deny-net` prevents that.
 */
export function guardFetch(
  allowed: AllowedNetworks,
  fetch: Fetch = globalThis.fetch,
  resolve: Resolve = resolveAll,
): Fetch {
  return async (url, init) => {
    const isPlain = isPlainHttp(url);
    if (allowed.privateNetworks && !isPlain) return await fetch(url, init);
    const hostname = hostOf(url);
    const addresses = await raceAbort(resolve(hostname), init.signal ?? undefined);
    const exposed = addresses.find((address) => isExposed(url, address));
    if (exposed !== undefined) throw new Error(exposedIssue(`"${hostname}" (${exposed})`, url));
    const forbidden = addresses.find((address) => !isAllowed(hostname, address, allowed));
    if (forbidden !== undefined) {
      throw new Error(
        `"${hostname}" resolves to the private address ${forbidden}; set RECTO_AUTH_PRIVATE_NETWORK=true to allow it`,
      );
    }
    return await fetch(url, init);
  };
}

function isPlainHttp(url: string): boolean {
  return URL.parse(url)?.protocol === "http:";
}

/** Returns whether plain http would leave private networks. */
function isExposed(url: string, address: string): boolean {
  return isPlainHttp(url) && isPublic(address);
}

function exposedIssue(name: string, url: string): string {
  return `${name} must be https, because its address is not private: "${url}"`;
}

function isAllowed(
  hostname: string,
  address: string,
  { loopback, privateNetworks }: AllowedNetworks,
): boolean {
  if (privateNetworks || isPublic(address)) return true;
  // Another name that resolves to loopback may be DNS rebinding.
  const isExplicit = hostname === "localhost" || isIpLiteral(hostname);
  return loopback && isExplicit && ipaddr.process(address).range() === "loopback";
}

/** Returns the host without the brackets of IPv6. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
}

/** `URL` has already normalized all spellings of an IPv4 address. */
function isIpLiteral(hostname: string): boolean {
  return ipaddr.isValid(hostname);
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Stops waiting when the signal aborts; name resolution itself cannot be cancelled. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => {});
  }
}
