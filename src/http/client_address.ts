/**
 * Which address a request comes from, through the proxies that are trusted to tell it.
 *
 * @module
 */
import ipaddr from "ipaddr.js";

/** What the server knows of the connection that a request came on. */
export interface Connection {
  readonly remoteAddr: Deno.Addr;
  /** Settles once the answer went out or nobody takes it any more. */
  readonly completed: Promise<void>;
}

/** Addresses and ranges (`10.0.0.0/8`) of proxies. */
export type Proxies = readonly string[];

/** The client of a request, as a key: an IPv4 address, or the /64 network of an IPv6 one. */
export type AddressOf = (
  connection: Connection,
  headers: ReadonlyMap<string, string>,
) => string;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Tells clients apart by their address. Only what a trusted proxy added counts: the lists are read
 * from their end, up to the first address that is none of theirs.
 */
export function createAddressOf(proxies: Proxies): AddressOf {
  const trusted = proxies.map((range) =>
    ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : hostRange(ipaddr.process(range))
  );
  const isTrusted = (address: Address) =>
    trusted.some((range) => address.kind() === range[0].kind() && address.match(range));
  return (connection, headers) => {
    const { remoteAddr } = connection;
    // The service listens on nothing else.
    if (remoteAddr.transport !== "tcp") return "";
    const { hostname } = remoteAddr;
    // It is its own key, and parsing it would take as long as all the rest.
    if (trusted.length === 0 && !hostname.includes(":")) return hostname;
    const socket = parse(hostname);
    if (socket === undefined) return hostname;
    let client = socket;
    if (!isTrusted(socket)) return keyOf(client);
    for (const told of forwarded(headers)) {
      const next = parse(told);
      if (next === undefined) break;
      client = next;
      if (!isTrusted(next)) break;
    }
    return keyOf(client);
  };
}

function hostRange(address: Address): [Address, number] {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** An IPv4-mapped address is the IPv4 address that it maps. */
function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function keyOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  // One subscriber has a whole /64 to choose from.
  return `${address.parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`;
}

/**
 * Addresses that proxies told, the nearest first. A proxy adds to one of the two fields and lets the
 * other pass as a client made it up, so that both together say nothing.
 */
function forwarded(headers: ReadonlyMap<string, string>): string[] {
  const list = headers.get("x-forwarded-for");
  const standard = headers.get("forwarded");
  if (list !== undefined && standard !== undefined) return [];
  const told = list?.split(",") ?? standard?.split(",").map(forOf) ?? [];
  return told.reverse().map(withoutPort);
}

const FOR = /(?:^|;)\s*for=("?)([^";]*)\1\s*(?:;|$)/i;

/** The `for` of one element of `Forwarded` (RFC 7239); empty where it names nobody. */
function forOf(element: string): string {
  return FOR.exec(element)?.[2] ?? "";
}

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

function withoutPort(text: string): string {
  const trimmed = text.trim();
  const [, bracketed, plain] = WITH_PORT.exec(trimmed) ?? [];
  return bracketed ?? plain ?? trimmed;
}
