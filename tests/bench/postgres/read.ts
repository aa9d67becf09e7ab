/**
 * Compares page reads per second with a bare `Deno.serve` that runs the same single-row select with
 * the same driver and sends the same bytes. The two run in turns, because machines are noisy.
 *
 * @module
 */
import { startCluster } from "../../postgres/cluster.ts";
import { createPage, load, TRANSPORT } from "../http.ts";
import { median, report } from "../measure.ts";
import { baseUrl, mint, startProcess, startRecto } from "../processes.ts";
import { freePort } from "../../support/ports.ts";

const ROUNDS = 11;
const AIM = 0.5;
/** Connections of the service, and how many of them its single reads share. */
const CONNECTIONS = 10;
const SHARED = 5;

export async function benchPostgresRead(print: (line: string) => void): Promise<void> {
  await using cluster = await startCluster({ fsync: true });
  await using recto = await startRecto({
    DATABASE_URL: cluster.url,
    RECTO_DATABASE_CONNECTIONS: String(CONNECTIONS),
  });
  const token = await mint(recto.dataDir, "pages.read pages.write");
  const id = await createPage(recto.port, token);
  const url = `${baseUrl(recto.port)}/v2/pages/${id}`;
  const authorization = `Bearer ${token}`;
  const sample = await fetch(url, { headers: { authorization } });
  const body = await sample.text();
  const headers = [...sample.headers].filter(([field]) => !TRANSPORT.has(field));
  await using bare = await startBareSelect({ url: cluster.url, id, body, headers });
  const bareUrl = `${baseUrl(bare.port)}/v2/pages/${id}`;
  const fields = [`authorization: ${authorization}`];
  const rates = { ours: [] as number[], bare: [] as number[] };
  // Two warm-up rounds: code that is not yet compiled is slower.
  for (let round = 0; round < 2; round++) {
    await load(url, fields);
    await load(bareUrl, fields);
  }
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await load(url, fields));
    rates.bare.push(await load(bareUrl, fields));
  }
  const [ours, other] = [median(rates.ours), median(rates.bare)];
  const value = ours / other;
  print(report("GET /v2/pages/:page_id, authorized, from PostgreSQL", {
    value,
    unit: "of a bare select",
    aim: `>= ${AIM}`,
    met: value >= AIM,
  }));
  print(`     ours ${ours.toFixed(0)}/s, bare with the same select ${other.toFixed(0)}/s`);
}

interface Answer {
  /** URL of the database. */
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly headers: readonly (readonly string[])[];
}

async function startBareSelect(
  answer: Answer,
): Promise<AsyncDisposable & { readonly port: number }> {
  const port = freePort();
  const options = JSON.stringify({ ...answer, connections: SHARED, workspace: "default" });
  const child = await startProcess([
    ...["run", "--no-prompt", "--allow-net=127.0.0.1"],
    ...["--allow-env=PGAPPNAME,PGTARGETSESSIONATTRS", "tests/bench/postgres/bare_select.ts"],
    ...[String(port), options],
  ], { port });
  return { port, [Symbol.asyncDispose]: child[Symbol.asyncDispose] };
}
