/**
 * `bench processes`: compares a service of one to four processes, on SQLite, on PostgreSQL, and on
 * PostgreSQL as servers of their own behind nginx: requests a second, the time within which 99 of 100
 * are answered, and memory. As many bare servers show how far reads can scale beside `wrk`. Clients
 * with pauses send about as many requests to one process as to four, so their times can be compared.
 * `--only TEXT` leaves out those whose name does not contain it.
 *
 * @module
 */
import { DatabaseClient, loadRows, pageIds } from "./rows.ts";
import { machineLoad, type Memory, memoryOf } from "./machine.ts";
import { startBalancer } from "./nginx.ts";
import { baseUrl, mint, rectoArgs, rectoEnv, startProcess } from "./processes.ts";
import { type Load, type Loaded, loadWith, requestScript } from "./wrk.ts";
import { TRANSPORT } from "./http.ts";
import { freePort } from "../support/ports.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { MEMBER, MEMBER_FLAGS } from "../../src/config/processes.ts";
import { startCluster } from "../postgres/cluster.ts";

const MOST = 4;
const ROWS = 1_000;
const SECONDS = 2;
/** Code that is not yet compiled is slower, and each process compiles its own. */
const WARM_UP = 3;
/** Pages that are read and changed. */
const PAGES = 64;
const CONNECTIONS = 64;
/** Milliseconds between two requests of a client that leaves some of the machine idle. */
const PAUSE = 25;
/** Megabytes of a process that is not the first. */
const FURTHER_MEMORY = 120;
const START_TIME = 60_000;

interface Service extends AsyncDisposable {
  readonly port: number;
  /** Process IDs of those that serve. */
  readonly pids: readonly number[];
}

interface Work {
  readonly name: string;
  readonly path: string;
  readonly script?: string;
  /** True if each process has as many clients, not all together. */
  readonly isEach?: boolean;
}

type Cell = Loaded & { readonly name: string };

type StartService = (
  processes: number,
  dataDir: string,
  env: Readonly<Record<string, string>>,
) => Promise<Service>;

interface Setup {
  readonly name: string;
  readonly start: StartService;
  readonly isPostgres: boolean;
}

const SETUPS: readonly Setup[] = [
  { name: "SQLite", start: startService, isPostgres: false },
  { name: "PostgreSQL", start: startService, isPostgres: true },
  { name: "PostgreSQL behind nginx", start: startServers, isPostgres: true },
];

export interface ProcessBenchOptions {
  /** A part of the names of the setups to measure; default: all. */
  readonly only?: string;
}

export async function benchProcesses(
  print: (line: string) => void,
  { only = "" }: ProcessBenchOptions = {},
): Promise<void> {
  print(`load of the machine: ${await machineLoad()}`);
  for (const setup of SETUPS.filter(({ name }) => name.includes(only))) {
    let first: Measured | undefined;
    for (let processes = 1; processes <= MOST; processes++) {
      const measured = await measure(setup, processes);
      first ??= measured;
      print(`${setup.name}, ${processes} ${processes === 1 ? "process" : "processes"}`);
      for (const line of linesOf(measured, first)) print(`     ${line}`);
    }
  }
}

interface Measured {
  readonly cells: readonly Cell[];
  /** Requests a second of as many bare servers. */
  readonly bare: number;
  readonly memory: readonly Memory[];
}

/** Measures on data of its own, because a database that has grown is written more slowly. */
async function measure({ start, isPostgres }: Setup, processes: number): Promise<Measured> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const env = isPostgres
    ? { DATABASE_URL: opened.use(await startCluster({ fsync: true })).url }
    : {};
  const service = opened.use(await start(processes, dataDir, env));
  const authorization = `Bearer ${await mint(dataDir, ALL_SCOPES)}`;
  const works = await makeWorks(new DatabaseClient(baseUrl(service.port), authorization));
  const cells = await measureWorks(service, works, authorization);
  const memory = await Promise.all(service.pids.map(memoryOf));
  const sample = await sampleOf(`${baseUrl(service.port)}${works[0]?.path}`, authorization);
  return { cells, memory, bare: await bareRate(processes, sample) };
}

async function makeWorks(client: DatabaseClient): Promise<readonly Work[]> {
  const database = await loadRows(client, ROWS);
  const ids = await pageIds(client, PAGES);
  const change = `wrk.format("PATCH", "/v2/pages/" .. ids[n % ${PAGES} + 1], nil, ` +
    `'{"icon":{"type":"emoji","emoji":"🦉"}}')`;
  const read = `wrk.format("GET", "/v2/pages/" .. ids[n % ${PAGES} + 1])`;
  const query = `wrk.format("POST", "/v2/databases/${database}/query", nil, ` +
    `'{"filter":{"property":"Kind","select":{"equals":"A"}},` +
    `"sorts":[{"property":"Number","direction":"descending"}],"page_size":25}')`;
  const insert = (parent: string, title: string) =>
    `wrk.format("POST", "/v2/pages", nil, ` +
    `'{"parent":${parent},"properties":{"${title}":[{"text":{"content":"New"}}]}}')`;
  const mixed = [...Array<string>(9).fill(read), change];
  const page = insert('{"workspace":true}', "title");
  const row = insert(`{"database_id":"${database}"}`, "Name");
  return [
    { name: "read pages", path: `/v2/pages/${ids[0]}` },
    { name: "… 64 clients each", path: `/v2/pages/${ids[0]}`, isEach: true },
    { name: "query", path: "/", script: requestScript([query]) },
    { name: "9 reads, 1 change", path: "/", script: requestScript(mixed, { ids }) },
    { name: "… with pauses", path: "/", script: requestScript(mixed, { ids, pause: PAUSE }) },
    { name: "change pages", path: "/", script: requestScript([change], { ids }) },
    { name: "new pages", path: "/", script: requestScript([page]) },
    { name: "new rows", path: "/", script: requestScript([row]) },
  ];
}

async function measureWorks(
  { port, pids }: Service,
  works: readonly Work[],
  authorization: string,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const { name, path, script, isEach = false } of works) {
    const load = {
      connections: CONNECTIONS * (isEach ? pids.length : 1),
      url: `${baseUrl(port)}${path}`,
      headers: { authorization, "content-type": "application/json" },
      ...(script !== undefined && { script }),
    };
    cells.push({ name, ...await loadWarm(load) });
  }
  return cells;
}

async function loadWarm(load: Omit<Load, "seconds">): Promise<Loaded> {
  await loadWith({ ...load, seconds: WARM_UP });
  return await loadWith({ ...load, seconds: SECONDS });
}

const BARE = [
  "run",
  "--no-prompt",
  "--unstable-net",
  "--allow-net=127.0.0.1",
  "tests/bench/bare.ts",
];

interface Answer {
  readonly body: string;
  readonly headers: readonly (readonly string[])[];
}

async function sampleOf(url: string, authorization: string): Promise<Answer> {
  const response = await fetch(url, { headers: { authorization } });
  return {
    body: await response.text(),
    headers: [...response.headers].filter(([field]) => !TRANSPORT.has(field)),
  };
}

/** Returns the requests a second of as many bare servers that share a port. */
async function bareRate(processes: number, sample: Answer): Promise<number> {
  const answer = JSON.stringify({ ...sample, isShared: true });
  await using servers = new AsyncDisposableStack();
  const port = freePort();
  for (let count = 0; count < processes; count++) {
    servers.use(await startProcess([...BARE, `${port}`, answer], { port }));
  }
  return (await loadWarm({ url: baseUrl(port), headers: {}, connections: CONNECTIONS })).rate;
}

function linesOf({ cells, bare, memory }: Measured, first: Measured): readonly string[] {
  const reads = growth(cells[0]?.rate, first.cells[0]?.rate);
  return [
    ...cells.map((cell, index) => cellText(cell, first.cells[index])),
    `${rateText("bare servers", bare, first.bare)}   reads of pages grow ${
      growth(reads, growth(bare, first.bare)).toFixed(2)
    } as much`,
    memoryText(memory),
  ];
}

function growth(rate = NaN, first = NaN): number {
  return rate / first;
}

function cellText({ name, rate, p99, failures }: Cell, first: Cell | undefined): string {
  const time = `p99 ${p99.toFixed(1).padStart(7)} ms`;
  return `${rateText(name, rate, first?.rate)}   ${time}   ${failures} failed`;
}

function rateText(name: string, rate: number, first: number | undefined): string {
  return `${name.padEnd(18)} ${rate.toFixed(0).padStart(7)}/s ${
    growth(rate, first).toFixed(2).padStart(6)
  } of one process`;
}

function memoryText(memory: readonly Memory[]): string {
  const each = memory.map(({ resident, share }) => `${share} (${resident})`).join(", ");
  const isWithin = memory.slice(1).every(({ share }) => share <= FURTHER_MEMORY);
  return `memory of each, shared pages divided (counted whole): ${each} MB` +
    (memory.length === 1
      ? ""
      : `, ${isWithin ? "met" : "MISSED"} for further ones (aim ${FURTHER_MEMORY} MB)`);
}

/** Starts as many processes as `recto serve` would, and waits until all of them serve. */
async function startService(
  processes: number,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Service> {
  const port = freePort();
  const [run = "", ...server] = rectoArgs(dataDir);
  const args = processes === 1 ? [run, ...server] : [
    ...["run", "--no-prompt", "--allow-env", `--allow-run=${Deno.execPath()}`],
    ...["src/cli/processes.ts", `${processes}`, run, ...MEMBER_FLAGS, ...server, MEMBER],
  ];
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { ...rectoEnv(port, dataDir), ...env },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const serving = Promise.withResolvers<readonly number[]>();
  const reading = readOutput(child.stdout, (line) => {
    if (processes === 1 && line.includes('"Ready"')) serving.resolve([child.pid]);
    if (line.includes('"All processes serve"')) serving.resolve(JSON.parse(line).pids);
  }).then(() => serving.reject(new Error("The service did not start")));
  reading.catch(() => {});
  const timer = setTimeout(() => serving.reject(new Error("Nothing serves")), START_TIME);
  const pids = await serving.promise;
  clearTimeout(timer);
  return {
    port,
    pids,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
      await reading;
    },
  };
}

/** Starts as many servers, each on a port of its own, behind nginx. */
async function startServers(
  processes: number,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Service> {
  await using starting = new AsyncDisposableStack();
  const ports = Array.from({ length: processes }, freePort);
  const servers = await Promise.all(ports.map(async (port) =>
    starting.use(
      await startProcess(rectoArgs(dataDir), { port, env: { ...rectoEnv(port, dataDir), ...env } }),
    )
  ));
  const balancer = starting.use(await startBalancer(dataDir, ports));
  const started = starting.move();
  return {
    port: balancer.port,
    pids: servers.map(({ pid }) => pid),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Hands on the first lines, and reads all others so that nothing waits. */
async function readOutput(
  stdout: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  let text: string | undefined = "";
  for await (const chunk of stdout) {
    if (text === undefined) continue;
    text += new TextDecoder().decode(chunk);
    const lines: string[] = text.split("\n");
    lines.slice(0, -1).forEach(onLine);
    text = text.includes('"method"') ? undefined : lines.at(-1);
  }
}
