/**
 * Clients that append to one page and read it, and the outcome of their requests.
 *
 * @module
 */
import { paragraph, text, textsOf } from "../../api/driver.ts";
import { baseUrl } from "../../bench/processes.ts";

export interface LoadOptions {
  readonly ports: readonly number[];
  readonly token: string;
  readonly clients: number;
}

export interface Load {
  /**
   * Lets each client finish its request; refused requests are repeated until they are acknowledged.
   */
  stop(): Promise<Outcome>;
}

export interface Outcome {
  readonly acknowledged: number;
  /** Number of acknowledged blocks that some process does not return. */
  readonly lost: number;
  /** Number of blocks that exist more than once. */
  readonly doubled: number;
  /** Milliseconds of the request that waited the longest. */
  readonly longest: number;
  /** Refused requests by status, and those of `/readyz` by theirs. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Time of the last request that was refused or took more than three seconds. */
  readonly last: number;
}

/** Milliseconds between two attempts, and between two requests to `/readyz`. */
const PAUSE = 50;
const PROBE = 250;
/** Time limit of a request in milliseconds; longer than the service's own. */
const PATIENCE = 40_000;
const SLOW = 3_000;
/** Milliseconds after which a request that is refused again and again ends the trial. */
const LIMIT = 120_000;

interface Told {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- as in the tests of the API
  readonly json: any;
}

/** Creates the page, then starts the clients. */
export async function startLoad({ ports, token, clients }: LoadOptions): Promise<Load> {
  const refusals = new Map<string, number>();
  const texts: string[] = [];
  let [longest, last, isOver] = [0, 0, false];
  const ask = async (port: number, route: string, init: RequestInit = {}): Promise<Told> => {
    const start = performance.now();
    const told = await send(port, route, token, init);
    const now = performance.now();
    longest = Math.max(longest, now - start);
    if (told.status === 200 && now - start < SLOW) return told;
    last = now;
    if (told.status !== 200) count(refusals, `${told.status === 0 ? "cut" : told.status}`);
    return told;
  };
  const insist = (client: number, route: string, init: RequestInit): Promise<Told> => {
    let attempt = client;
    return untilAnswered(route, () => ask(ports[attempt++ % ports.length] ?? 0, route, init));
  };
  const parent = { workspace: true };
  const made = await insist(0, "POST /v2/pages", {
    body: JSON.stringify({ parent, properties: { title: text("Faults") } }),
  });
  const route = `/v2/blocks/${made.json.id}/children`;
  const work = async (_: unknown, client: number): Promise<void> => {
    for (let piece = 0; !isOver; piece++) {
      const own = `${client}.${piece}`;
      const body = JSON.stringify({ children: [paragraph(own)] });
      await insist(client + piece, `PATCH ${route}`, {
        body,
        headers: { "idempotency-key": crypto.randomUUID() },
      });
      texts.push(own);
      await insist(client + piece, `GET /v2/pages/${made.json.id}`, {});
    }
  };
  const probe = async (port: number): Promise<void> => {
    for (; !isOver; await pause(PROBE)) {
      const { status } = await send(port, "GET /readyz", token);
      if (status !== 200) count(refusals, `readyz ${status}`);
    }
  };
  const working = Promise.all([...Array.from({ length: clients }, work), ...ports.map(probe)]);
  return {
    async stop() {
      isOver = true;
      await working;
      const outcome = { longest, last };
      const seen = await Promise.all(
        ports.map((port) => listOf((query) => ask(port, `GET ${route}${query}`))),
      );
      const known = new Set(texts);
      const lost = seen.map((all) => known.difference(new Set(all)).size);
      const doubled = seen.map((all) => all.length - new Set(all).size);
      return {
        acknowledged: texts.length,
        lost: Math.max(...lost),
        doubled: Math.max(...doubled),
        ...outcome,
        refusals,
      };
    },
  };
}

async function send(
  port: number,
  route: string,
  token: string,
  { headers, ...init }: RequestInit = {},
): Promise<Told> {
  const [method = "", path = ""] = route.split(" ");
  try {
    const answer = await fetch(`${baseUrl(port)}${path}`, {
      ...init,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...Object.fromEntries(new Headers(headers)),
      },
      signal: AbortSignal.timeout(PATIENCE),
    });
    return { status: answer.status, json: await answer.json() };
  } catch {
    return { status: 0, json: undefined };
  }
}

/** Repeats a request until it succeeds. Throws after two minutes, with the last refusal. */
async function untilAnswered(route: string, ask: () => Promise<Told>): Promise<Told> {
  const end = performance.now() + LIMIT;
  while (true) {
    const told = await ask();
    if (told.status === 200) return told;
    if (performance.now() > end) {
      throw new Error(`${route} is still refused: ${told.status} ${JSON.stringify(told.json)}`);
    }
    await pause(PAUSE);
  }
}

/** Reads the texts of all blocks of a list. */
async function listOf(ask: (query: string) => Promise<Told>): Promise<string[]> {
  const all: string[] = [];
  for (let query = "?page_size=100";;) {
    const { json } = await untilAnswered(`GET …${query}`, () => ask(query));
    all.push(...textsOf(json.results));
    if (!json.has_more) return all;
    query = `?page_size=100&start_cursor=${json.next_cursor}`;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
