/**
 * Compares requests per second of the real server and of a bare `Deno.serve` that sends the same
 * bytes: status, header fields and body. The two run in turns, because machines are noisy.
 *
 * @module
 */
import { median, report } from "./measure.ts";
import { processorTime } from "./processor_time.ts";
import {
  baseUrl,
  createKey,
  mint,
  type RunningProcess,
  startProcess,
  startRecto,
} from "./processes.ts";
import { freePort } from "../support/ports.ts";

const ROUNDS = 11;
/** How long one load takes. */
export const SECONDS = 1;
const CONNECTIONS = 32;
/** Set by the transport on both sides. */
export const TRANSPORT = new Set(["date", "content-length"]);

export async function benchHttp(print: (line: string) => void): Promise<void> {
  await using recto = await startRecto();
  const token = await mint(recto.dataDir, "pages.read pages.write");
  const page = await createPage(recto.port, token);
  await compare(print, {
    name: "GET /v2/pages/:page_id, authorized, from SQLite",
    url: `${baseUrl(recto.port)}/v2/pages/${page}`,
    token,
    aim: 0.6,
  });
  await compareCredentials(print, {
    name: "GET /v2/pages/:page_id with an API key",
    url: `${baseUrl(recto.port)}/v2/pages/${page}`,
    pid: recto.pid,
    token,
    key: await createKey(recto.dataDir, "pages.read"),
  });
  await compareSurfaces(print, {
    name: "GET /v1/pages/:page_id",
    base: baseUrl(recto.port),
    path: `pages/${page}`,
    pid: recto.pid,
    token,
  });
  await compare(print, {
    name: "GET /v2/openapi/meta",
    url: `${baseUrl(recto.port)}/v2/openapi/meta`,
    token: undefined,
    aim: 0.85,
  });
}

/** Creates a page at the top of the workspace and returns its ID. */
export async function createPage(port: number, token: string): Promise<string> {
  const response = await fetch(`${baseUrl(port)}/v2/pages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      parent: { workspace: true },
      properties: { title: [{ text: { content: "A page to read" } }] },
    }),
  });
  const { id } = await response.json();
  return id;
}

interface Comparison {
  readonly name: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly aim: number;
}

async function compare(
  print: (line: string) => void,
  { name, url, token, aim }: Comparison,
): Promise<void> {
  const headers = token === undefined ? [] : [`authorization: Bearer ${token}`];
  const sample = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const body = await sample.text();
  const sent = [...sample.headers].filter(([field]) => !TRANSPORT.has(field));
  const path = new URL(url).pathname;
  await using same = await startBare({ body, headers: sent });
  await using least = await startBare({ body, headers: [["content-type", "application/json"]] });
  const rates = { ours: [] as number[], same: [] as number[], least: [] as number[] };
  // Two warm-up rounds: code that is not yet compiled is slower.
  for (let round = 0; round < 2; round++) await load(url, headers);
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await load(url, headers));
    rates.same.push(await load(`${baseUrl(same.port)}${path}`, headers));
    rates.least.push(await load(`${baseUrl(least.port)}${path}`, headers));
  }
  const [ours, other, bodyOnly] = [median(rates.ours), median(rates.same), median(rates.least)];
  const value = ours / other;
  print(report(name, { value, unit: "of the bare server", aim: `>= ${aim}`, met: value >= aim }));
  print(
    `     ours ${ours.toFixed(0)}/s, bare with the same bytes ${other.toFixed(0)}/s; ` +
      `bare with the body and its type alone ${bodyOnly.toFixed(0)}/s (${
        (ours / bodyOnly).toFixed(2)
      })`,
  );
}

interface Side {
  readonly url: string;
  readonly headers: readonly string[];
}

interface Medians {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of the server's processor time for each. */
  readonly cost: number;
}

const NONE: Medians = { rate: NaN, cost: NaN };

/** Loads both sides in turns, after two rounds that do not count. */
async function takeTurns(pid: number, pair: readonly Side[]): Promise<Medians[]> {
  const sides = pair.map((side) => ({ ...side, rates: [] as number[], costs: [] as number[] }));
  for (let round = -2; round < ROUNDS; round++) {
    // Neither is always the first of its round.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = await processorTime(pid);
      const rate = await load(side.url, side.headers);
      const spent = await processorTime(pid) - before;
      if (round < 0) continue;
      side.rates.push(rate);
      side.costs.push(spent / (rate * SECONDS));
    }
  }
  return sides.map(({ rates, costs }) => ({ rate: median(rates), cost: median(costs) }));
}

interface SurfaceComparison {
  readonly name: string;
  readonly base: string;
  /** Below `/v1` and `/v2`. */
  readonly path: string;
  readonly pid: number;
  readonly token: string;
}

/** The share of `/v2` that `/v1` must reach in the version that both speak. */
const SURFACE_AIM = 0.9;

/** Sends the same request to `/v1` and `/v2`, and to `/v1` in a version that is translated. */
async function compareSurfaces(
  print: (line: string) => void,
  { name, base, path, pid, token }: SurfaceComparison,
): Promise<void> {
  const side = (surface: string, version: string): Side => ({
    url: `${base}/${surface}/${path}`,
    headers: [`authorization: Bearer ${token}`, `notion-version: ${version}`],
  });
  const [own = NONE, same = NONE, newest = NONE] = await takeTurns(pid, [
    side("v2", "2022-06-28"),
    side("v1", "2022-06-28"),
    side("v1", "2026-03-11"),
  ]);
  const value = same.rate / own.rate;
  const met = value >= SURFACE_AIM;
  print(report(name, { value, unit: "of /v2", aim: `>= ${SURFACE_AIM}`, met }));
  print(
    `     /v2 ${own.rate.toFixed(0)}/s, /v1 ${same.rate.toFixed(0)}/s (${
      (own.cost / same.cost).toFixed(2)
    } by processor time); translated to 2026-03-11 ${newest.rate.toFixed(0)}/s`,
  );
}

interface CredentialComparison {
  readonly name: string;
  readonly url: string;
  /** Process of the server. */
  readonly pid: number;
  /** A JWT, which the server has cached after the first request. */
  readonly token: string;
  readonly key: string;
}

/** Ratio by which two equal loads may differ. */
const NOISE = 0.03;

/**
 * Sends the same request with an API key and with a cached JWT in turns. Compares the processor
 * time of the server, which other work on the machine changes less than the rate.
 */
async function compareCredentials(
  print: (line: string) => void,
  { name, url, pid, token, key }: CredentialComparison,
): Promise<void> {
  const [byKey, byToken] = await takeTurns(
    pid,
    [key, token].map((credential) => ({ url, headers: [`authorization: Bearer ${credential}`] })),
  );
  const { rate: keyRate, cost: keyCost } = byKey ?? NONE;
  const { rate: tokenRate, cost: tokenCost } = byToken ?? NONE;
  const value = keyCost / tokenCost;
  const aim = 1 + NOISE;
  print(report(name, { value, unit: "of the time of a JWT", aim: `<= ${aim}`, met: value <= aim }));
  print(
    `     API key ${keyRate.toFixed(0)}/s and ${keyCost.toFixed(1)} µs of processor time each, ` +
      `JWT ${tokenRate.toFixed(0)}/s and ${tokenCost.toFixed(1)} µs`,
  );
}

interface BareAnswer {
  readonly body: string | null;
  readonly headers: readonly (readonly string[])[];
  /** True if the server reads the header fields of each request. */
  readonly isReading?: boolean;
}

/** Starts the reference server with one response. */
export async function startBare(
  answer: BareAnswer,
): Promise<RunningProcess & { readonly port: number }> {
  const port = freePort();
  const args = ["run", "--no-prompt", "--allow-net=127.0.0.1", "tests/bench/bare.ts"];
  return { port, ...await startProcess([...args, String(port), JSON.stringify(answer)], { port }) };
}

/** Returns the requests per second that `wrk` counts; throws if any response is an error. */
export async function load(url: string, headers: readonly string[]): Promise<number> {
  const args = [
    `-t1`,
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    ...headers.flatMap((one) => ["-H", one]),
  ];
  const { stdout } = await new Deno.Command("wrk", { args: [...args, url] }).output();
  const text = new TextDecoder().decode(stdout);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(text)?.[1];
  if (rate === undefined || /Non-2xx|Socket errors/.test(text)) throw new Error(text);
  return Number(rate);
}
