/**
 * `deno task search`: measures the quality of search.
 *
 * @module
 */
import { openLocalIssuer } from "../auth/local_issuer.ts";
import { boot } from "../app/boot.ts";
import { readConfig } from "../config/config.ts";
import { createLog } from "../shared/log.ts";
import { readCollection } from "./search/collection.ts";
import { type Call, evaluate, loadPages, type Way } from "./search/evaluation.ts";
import type { Measures } from "./search/measures.ts";

const USAGE = `Usage: deno task search eval DIR

Loads the test collection in DIR into a temporary service, runs its queries over the API, and prints
nDCG@10, MAP and recall@100 of keyword, semantic and hybrid search.
`;
const SCOPES = "pages.read pages.write blocks.write search.read";

/** Measures with a temporary database, which is deleted afterwards. */
async function evaluateFolder(folder: string): Promise<ReadonlyMap<Way, Measures>> {
  const collection = await readCollection(folder);
  const data = await Deno.makeTempDir({ prefix: "recto-search-" });
  const environment = new Map([["RECTO_DATA_DIR", data], ["RECTO_RATE_LIMIT", "off"], [
    "RECTO_LOG_LEVEL",
    "off",
  ]]);
  const config = readConfig((name) => environment.get(name));
  const log = createLog({ level: "off", write: () => {}, now: Date.now });
  const { app, publicUrl } = await boot(config, log);
  try {
    const issuer = await openLocalIssuer({ folder: data });
    const token = await issuer.mint({ scope: SCOPES, ttlSeconds: 86_400, now: Date.now() });
    const call = caller({ handler: app.handler, origin: publicUrl, token });
    const documentIds = await loadPages(call, collection.documents);
    const { signal } = new AbortController();
    while (await app.indexing.step(signal));
    return await evaluate(call, collection, documentIds);
  } finally {
    await app.close();
    await Deno.remove(data, { recursive: true });
  }
}

interface CallerOptions {
  readonly handler: (request: Request) => Response | Promise<Response>;
  readonly origin: string;
  readonly token: string;
}

function caller({ handler, origin, token }: CallerOptions): Call {
  return async (route, body) => {
    const [method = "", path = ""] = route.split(" ");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await handler(new Request(`${origin}${path}`, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}

function toTable(measured: ReadonlyMap<Way, Measures>): string {
  const lines = [...measured].map(([way, { ndcg10, averagePrecision, recall100 }]) => {
    const figures = [ndcg10, averagePrecision, recall100].map((one) => one.toFixed(3).padStart(9));
    return `${way.padEnd(9)}${figures.join("")}\n`;
  });
  return `           nDCG@10      MAP   rec@100\n${lines.join("")}`;
}

async function main(args: readonly string[]): Promise<number> {
  const [command, folder, ...more] = args;
  const isValid = command === "eval" && folder !== undefined && more.length === 0;
  const text = isValid ? toTable(await evaluateFolder(folder)) : USAGE;
  await (isValid ? Deno.stdout : Deno.stderr).write(new TextEncoder().encode(text));
  return isValid ? 0 : 2;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
