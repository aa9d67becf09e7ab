/**
 * Which networks the service may ask for keys and verdicts: an address in its own network could be a
 * service that trusts whoever reaches it.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { lookup } from "node:dns/promises";
import type { Fetch } from "./fetch_json.ts";

/** What is open beside public addresses. */
export interface AllowedNetworks {
  /** This machine, by a literal address or as `localhost`: for a service that serves it alone. */
  readonly loopback: boolean;
  /** Every network. */
  readonly privateNetworks: boolean;
}

/** Brings every address of a name; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Whether an IP literal is a public unicast address; an IPv4-mapped one is what it maps. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === "unicast";
}

/** Says that a URL names a private address by a literal; names are judged once they are resolved. */
export function privateIssue(
  name: string,
  value: string,
  reach: AllowedNetworks,
): string | undefined {
  const hostname = hostOf(value);
  const address = hostname === "localhost" ? "127.0.0.1" : hostname;
  if (!isIpLiteral(address) || isAllowed(hostname, address, reach)) return undefined;
  return `${name} must not be a private address unless RECTO_AUTH_PRIVATE_NETWORK is true: "${value}"`;
}

/**
 * A `fetch` that resolves the name and looks at every address before it asks. What resolves it again
 * to connect may hear another answer: `--deny-net` alone holds then.
 */
export function guardFetch(
  reach: AllowedNetworks,
  fetch: Fetch = globalThis.fetch,
  resolve: Resolve = resolveAll,
): Fetch {
  if (reach.privateNetworks) return fetch;
  return async (url, init) => {
    const hostname = hostOf(url);
    const addresses = await raceAbort(resolve(hostname), init.signal ?? undefined);
    const refused = addresses.find((address) => !isAllowed(hostname, address, reach));
    if (refused !== undefined) {
      throw new Error(
        `"${hostname}" is the private address ${refused}; RECTO_AUTH_PRIVATE_NETWORK=true allows it`,
      );
    }
    return await fetch(url, init);
  };
}

function isAllowed(
  hostname: string,
  address: string,
  { loopback, privateNetworks }: AllowedNetworks,
): boolean {
  if (privateNetworks || isPublic(address)) return true;
  // A name elsewhere that leads back to this machine is what rebinding looks like.
  const isMeant = hostname === "localhost" || isIpLiteral(hostname);
  return loopback && isMeant && ipaddr.process(address).range() === "loopback";
}

/** Without the brackets that a URL puts around IPv6. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
}

/** URL has written every form of an IPv4 address in one way by now. */
function isIpLiteral(hostname: string): boolean {
  return ipaddr.isValid(hostname);
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Resolving cannot be stopped, but need not be waited for. */
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
