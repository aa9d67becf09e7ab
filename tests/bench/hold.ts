/**
 * Measures how long single requests block the service. What counts is the longest turn of its event
 * loop in processor time of the main thread, which does not depend on the load of the machine. How much
 * of that passed while one health check waited, and how long it waited, is printed, too. V8 collects
 * the garbage of past requests once the service is idle; the longest turn of that has a line of its own.
 * A collection may also begin within a request, so that a request with a turn above the aim is sent two
 * more times, unless it changes a large database: the median counts, and all three turns are printed.
 * While a large database is changed, a client of another workspace writes: how long its writes took, and
 * how many were refused, is printed, too.
 * How long the system takes for fresh memory is printed first: no turn can be shorter than that of the
 * memory that it takes.
 *
 * @module
 */
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { startCluster } from "../postgres/cluster.ts";
import { type Deed, deeds } from "./hold/deeds.ts";
import { startOtherWriter, type Waits } from "./hold/other_writer.ts";
import { startProbe } from "./hold/probe.ts";
import { type Service, startService } from "./hold/service.ts";
import { buildWorkspace } from "./hold/workspace.ts";
import { freshMemoryTime } from "./machine.ts";
import { createProgress } from "./query/progress.ts";

const ROWS = 20_000;
/** Milliseconds for which a request may block the main thread. */
const AIM = 50;
/** Milliseconds of rest before each request, in which V8 collects the garbage of the last one. */
const REST = 4_000;

export interface HoldBenchOptions {
  /** Rows of the database; there are twice as many blocks. */
  readonly rows?: number;
  /**
   * Sends only requests whose name contains this. A beginning that a group of requests shares, such
   * as `v1: `, makes the preparation shorter.
   */
  readonly only?: string;
  /** True for a PostgreSQL server of its own in place of SQLite. */
  readonly isOnPostgres?: boolean;
}

type Print = (line: string) => void;

export async function benchHold(
  print: Print,
  { rows = ROWS, only = "", isOnPostgres = false }: HoldBenchOptions = {},
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const url = isOnPostgres ? opened.use(await startCluster({ fsync: true })).url : undefined;
  const store = url === undefined
    ? openSqliteStore(`${dataDir}/recto.db`)
    : await openPostgresStore({ url, size: 4 });
  await buildWorkspace(store, rows, createProgress(`${rows} rows`));
  const settings = url === undefined ? {} : { DATABASE_URL: url };
  const service = opened.use(await startService(dataDir, settings));
  await measureAll(print, service, await deeds(service, rows, only));
}

async function measureAll(
  print: Print,
  service: Service,
  prepared: readonly Deed[],
): Promise<void> {
  const probe = startProbe(service);
  await service.takeLongestTurn();
  print(`The system takes ${freshMemoryTime().toFixed(2)} ms for a megabyte of fresh memory`);
  let idle = 0;
  const measure = async (deed: Deed): Promise<Figures> => {
    await rest();
    const [, idleTurn] = await Promise.all([probe.take(), service.takeLongestTurn()]);
    idle = Math.max(idle, idleTurn);
    const other = deed.rows === undefined ? undefined : startOtherWriter(service);
    const start = performance.now();
    const { status, size } = await deed.run();
    const duration = performance.now() - start;
    const others = await other?.stop();
    const held = await probe.take();
    const turn = await service.takeLongestTurn();
    return { ...held, turn, status, size, duration, ...(others && { others }) };
  };
  const measureAgain = async (deed: Deed, first: Figures): Promise<Figures> => {
    const all = [first, await measure(deed), await measure(deed)];
    const median = all.toSorted((a, b) => a.turn - b.turn)[1] ?? first;
    return { ...median, turns: all.map(({ turn }) => turn) };
  };
  const nothing: Deed = { name: "nothing, the floor of all below", run: rest };
  for (const deed of [nothing, ...prepared]) {
    const first = await measure(deed);
    const isEnough = first.turn <= AIM || deed.rows !== undefined;
    print(line(deed, isEnough ? first : await measureAgain(deed, first)));
  }
  print(`Longest turn between the requests: ${idle.toFixed(0)} ms`);
  probe.close();
}

async function rest(): Promise<{ readonly status: number; readonly size: number }> {
  await new Promise((resolve) => setTimeout(resolve, REST));
  return { status: 200, size: 0 };
}

interface Figures {
  readonly turn: number;
  readonly wait: number;
  readonly cpu: number;
  readonly status: number;
  readonly size: number;
  readonly duration: number;
  readonly others?: Waits;
  /** Longest turn of each run, if there were several. */
  readonly turns?: readonly number[];
}

function line(
  { name, rows }: Deed,
  { turn, wait, cpu, status, size, duration, others, turns = [] }: Figures,
): string {
  const columns = [
    turn <= AIM ? "ok  " : "MISS",
    name.padEnd(62),
    `turn ${turn.toFixed(0).padStart(5)} ms`,
    `held ${cpu.toFixed(0).padStart(5)} ms`,
    `wait ${wait.toFixed(0).padStart(5)} ms`,
    `took ${duration.toFixed(0).padStart(6)} ms`,
    String(status),
    `${(size / 1e6).toFixed(1)} MB`.padStart(8),
    rows === undefined ? "" : `${(rows * 1_000 / duration).toFixed(0)} rows/s`,
    others === undefined ? "" : othersText(others),
    turns.length === 0 ? "" : `turns ${turns.map((each) => each.toFixed(0)).join(", ")} ms`,
  ];
  return columns.filter((column) => column !== "").join("  ");
}

function othersText({ median, longest, refused }: Waits): string {
  const text = `others wrote in ${median.toFixed(0)} to ${longest.toFixed(0)} ms`;
  return refused === 0 ? text : `${text}, ${refused} refused`;
}
