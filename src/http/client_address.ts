/**
 * The client address of a request, as reported by trusted proxies.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

/** The connection of a request. */
export interface Connection {
  readonly remoteAddr: Deno.Addr;
  /** Settles once the response was sent or the client is gone. */
  readonly completed: Promise<void>;
}

/** Addresses and ranges (`10.0.0.0/8`) of proxies. */
export type Proxies = readonly string[];

/**
 * Returns the client of a request as a key: an IPv4 address, or the /64 network of an IPv6 address.
 */
export type AddressOf = (
  connection: Connection,
  headers: ReadonlyMap<string, string>,
) => string;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Creates the test whether a connection comes from one of these proxies. */
export function createIsProxy(
  proxies: Proxies,
): (connection: Pick<Connection, "remoteAddr">) => boolean {
  const trusted = rangesOf(proxies);
  const known = new LRUCache<string, boolean>({ max: 1_000 });
  return ({ remoteAddr }) => {
    if (remoteAddr.transport !== "tcp") return false;
    const { hostname } = remoteAddr;
    // Moving the entry to the front, as get() does, costs more than finding it.
    const cached = known.peek(hostname);
    if (cached !== undefined) return cached;
    const address = parse(hostname);
    const isTrusted = address !== undefined && isIn(trusted, address);
    known.set(hostname, isTrusted);
    return isTrusted;
  };
}

type Range = ReturnType<typeof ipaddr.parseCIDR>;

function rangesOf(proxies: Proxies): Range[] {
  return proxies.map((range) =>
    ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : hostRange(ipaddr.process(range))
  );
}

function isIn(ranges: readonly Range[], address: Address): boolean {
  return ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
}

/**
 * Creates the lookup. Only addresses that a trusted proxy added count: the lists are read from the
 * end, up to the first address that is not a trusted proxy.
 */
export function createAddressOf(proxies: Proxies): AddressOf {
  const trusted = rangesOf(proxies);
  const isTrusted = (address: Address) => isIn(trusted, address);
  return (connection, headers) => {
    const { remoteAddr } = connection;
    // The service listens on TCP only.
    if (remoteAddr.transport !== "tcp") return "";
    const { hostname } = remoteAddr;
    // An IPv4 address is its own key; parsing it would cost 4 % of the cheapest request.
    if (trusted.length === 0 && !hostname.includes(":")) return hostname;
    const socket = parse(hostname);
    if (socket === undefined) return hostname;
    let client = socket;
    if (!isTrusted(socket)) return clientKey(client);
    for (const listed of forwarded(headers)) {
      const next = parse(listed);
      if (next === undefined) break;
      client = next;
      if (!isTrusted(next)) break;
    }
    return clientKey(client);
  };
}

function hostRange(address: Address): [Address, number] {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** An IPv4-mapped address is the IPv4 address that it maps. */
function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function clientKey(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  // One subscriber can use any address of a /64.
  return `${address.parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`;
}

/** Proxies that a request passes at most. What is listed before them is what a client sent. */
const MOST_PROXIES = 32;

/**
 * Returns the addresses that proxies added, the nearest first. A proxy adds to one of the two
 * fields and passes the other one on as the client sent it, so a request with both is not trusted.
 */
function* forwarded(headers: ReadonlyMap<string, string>): Generator<string> {
  const list = headers.get("x-forwarded-for");
  const standard = headers.get("forwarded");
  if (list !== undefined && standard !== undefined) return;
  for (const element of fromEnd(list ?? standard ?? "")) {
    yield withoutPort(list === undefined ? forOf(element) : element);
  }
}

/** Yields the last elements of a list, without reading those before them. */
function* fromEnd(list: string): Generator<string> {
  let end = list.length;
  for (let count = 0; count < MOST_PROXIES && end >= 0; count++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    yield list.slice(comma + 1, end);
    end = comma;
  }
}

/** Returns the `for` parameter of one element of `Forwarded` (RFC 7239); empty if there is none. */
function forOf(element: string): string {
  for (const parameter of element.split(";")) {
    const equals = parameter.indexOf("=");
    if (parameter.slice(0, Math.max(equals, 0)).trim().toLowerCase() !== "for") continue;
    return unquoted(parameter.slice(equals + 1).trim());
  }
  return "";
}

function unquoted(text: string): string {
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  return isQuoted ? text.slice(1, -1) : text;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

function withoutPort(text: string): string {
  const trimmed = text.trim();
  const [, bracketed, plain] = WITH_PORT.exec(trimmed) ?? [];
  return bracketed ?? plain ?? trimmed;
}
