/**
 * `bench peers`: requests a second of Recto, of a bare `Deno.serve`, of Hono with `jose` and
 * `node:sqlite`, and of Directus, on the same rows, in turns.
 *
 * @module
 */
import { machineLoad } from "./machine.ts";
import { median } from "./measure.ts";
import { startBare, TRANSPORT } from "./http.ts";
import { startDirectusPeer } from "./peers/directus.ts";
import { startHonoPeer } from "./peers/hono.ts";
import { type CaseName, CASES, type Peer, type PeerRequest } from "./peers/peer.ts";
import { startRectoPeer } from "./peers/recto.ts";
import { baseUrl } from "./processes.ts";
import { type Loaded, loadWith } from "./wrk.ts";

const ROWS = 5_000;
const ROUNDS = 3;
const SECONDS = 1;
const CONNECTIONS = 32;
/** Clients that insert rows at once. */
const WRITERS = [16, 64];

/** Requests a second that one core is to reach, and the part of a bare server. */
const AIMS: Readonly<Record<CaseName, number>> = {
  "page, authorized": 25_000,
  "row of a database": 12_000,
  "one block": 20_000,
  "children, one block": 14_000,
  "user": 20_000,
  "database": 15_000,
  "Markdown of a small page": 12_000,
  "query: filter, sort, 25 rows": 2_000,
  "query: first 25 rows": 3_000,
  "search, two words": 1_500,
  "insert a row": 1_500,
};
const BARE_AIM = 0.6;

export async function benchPeers(print: (line: string) => void): Promise<void> {
  print(`load of the machine: ${await machineLoad()}`);
  await using recto = await startRectoPeer(ROWS);
  await using hono = await startHonoPeer(ROWS);
  await using directus = await startDirectusPeer(ROWS, print);
  const peers = [recto, hono, directus];
  // First, because rows that were inserted are indexed in the background.
  await compareBare(print, recto);
  print(
    row(["requests a second", ...peers.map(({ name }) => name), "to Hono", "to Directus", "aim"]),
  );
  for (const name of CASES) {
    const all = name === "insert a row" ? WRITERS : [CONNECTIONS];
    for (const connections of all) {
      const rates = await compare(peers, name, connections);
      const label = all.length === 1 ? name : `${name}, ${connections} clients`;
      const [own, other, last] = rates;
      const aim = name === "insert a row" && connections === 64 ? 2_500 : AIMS[name];
      print(row([label, ...rates.map(whole), ratio(own, other), ratio(own, last), whole(aim)]));
    }
  }
}

/** Returns the rates of one case, in the order of the peers; `NaN` where there is no counterpart. */
async function compare(
  peers: readonly Peer[],
  name: CaseName,
  connections: number,
): Promise<number[]> {
  const rates = peers.map((): number[] => []);
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, peer] of peers.entries()) {
      const request = peer.requests[name];
      if (request === undefined) continue;
      const { rate, failures } = await loadPeer(peer, request, connections);
      if (failures > 0) throw new Error(`${peer.name}, ${name}: ${failures} requests failed`);
      // Code that is not yet compiled is slower.
      if (round >= 0) rates[index]?.push(rate);
    }
  }
  return rates.map(median);
}

function loadPeer(
  { origin, headers }: Pick<Peer, "origin" | "headers">,
  { method, path, body }: PeerRequest,
  connections: number,
): Promise<Loaded> {
  const text = body === undefined ? "nil" : `[==[${JSON.stringify(body)}]==]`;
  // As the path of a request, because `wrk` would send that of its URL for GET alone.
  const script = `request = function() return wrk.format("${method}", "${path}", nil, ${text}) end`;
  return loadWith({ url: origin, headers, connections, seconds: SECONDS, script });
}

/** Compares a page with a bare `Deno.serve` that sends the same bytes. */
async function compareBare(print: (line: string) => void, recto: Peer): Promise<void> {
  const name = "page, authorized";
  const path = recto.requests[name]?.path ?? "/";
  const sample = await fetch(recto.origin + path, { headers: recto.headers });
  const body = await sample.text();
  const headers = [...sample.headers].filter(([field]) => !TRANSPORT.has(field));
  await using server = await startBare({ body, headers });
  const bare = {
    name: "bare",
    origin: baseUrl(server.port),
    headers: recto.headers,
    requests: { [name]: { method: "GET", path } },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const [own = NaN, other = NaN] = await compare([recto, bare], name, CONNECTIONS);
  print(
    `page beside a bare Deno.serve with the same bytes: ${whole(own)} to ${whole(other)}, ${
      ratio(own, other)
    } (aim ${BARE_AIM})`,
  );
}

function row([first = "", ...others]: readonly string[]): string {
  return first.padEnd(30) + others.map((one) => one.padStart(12)).join("");
}

function whole(rate: number): string {
  return Number.isNaN(rate) ? "–" : rate.toFixed(0);
}

function ratio(own = NaN, other = NaN): string {
  const value = own / other;
  return Number.isNaN(value) ? "–" : value.toFixed(2);
}
