/**
 * Sends fifty hostile Markdown texts from twelve clients over HTTP, large ones and then small ones, and
 * measures how they affect a user of another workspace.
 *
 * @module
 */
import {
  busyTimes,
  type LoadedServer,
  memoryOf,
  sendAll,
  withServer,
} from "../support/hostile_load.ts";
import { hostileTexts } from "../support/hostile_markdown.ts";
import { startProbe } from "./hold/probe.ts";
import { report } from "./measure.ts";

const TEXTS = 50;
/** Lengths of the texts of each set. Those of up to 4,000 characters are read in places of their own. */
const SETS: Readonly<Record<string, readonly number[]>> = {
  "hostile texts": [400_000, 60_000, 8_000],
  "hostile texts of 3,000 to 4,000 characters": [3_000, 3_600],
};
const SMALL = "# small\n\nA paragraph.";
/** Milliseconds between two small texts. */
const PAUSE = 20;

type Print = (line: string) => void;

export async function benchHostile(print: Print): Promise<void> {
  for (const [name, lengths] of Object.entries(SETS)) {
    const texts = hostileTexts(TEXTS, lengths);
    await withServer((server) => benchSet(server, { name, texts }, print));
  }
}

interface TextSet {
  readonly name: string;
  readonly texts: readonly string[];
}

async function benchSet(
  server: LoadedServer,
  { name, texts }: TextSet,
  print: Print,
): Promise<void> {
  for (let round = 0; round < 20; round++) await small(server);
  const before = await memoryOf(server.pid);
  const began = performance.now();
  const load = sendAll(server, texts);
  const probe = startProbe(server);
  const waits = await waitsDuring(load, server);
  const { cpu: held } = await probe.take();
  probe.close();
  const statuses = Map.groupBy(await load, (status) => status);
  const seconds = (performance.now() - began) / 1_000;
  const busy = [await busyTimes(server.pid, 1_000), await busyTimes(server.pid, 1_000)];
  const [first, second] = busy.map(([busiest]) => busiest ?? { name: "none", time: 0 });
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const after = await memoryOf(server.pid);
  const counts = [...statuses].map(([status, { length }]) => `${length} × ${status}`);
  print(`${texts.length} ${name} in ${seconds.toFixed(0)} s: ${counts.join(", ")}`);
  const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
  row(print, "p50 of another workspace's small text", { value: p50, unit: "ms", aim: 50 });
  row(print, "p99 of the same", { value: p99, unit: "ms", aim: 200 });
  row(print, "main thread's CPU while a probe waited", { value: held, unit: "ms", aim: 50 });
  const inSecond = { value: second?.time ?? NaN, unit: "ms", aim: 100 };
  row(print, "busiest thread 1 s after, for a second", inSecond);
  print(
    `     it was ${second?.name}; in the first second ${first?.name}: ${first?.time.toFixed(0)} ms`,
  );
  const more = { value: after - before, unit: "MB", aim: 100 };
  row(print, "memory more than before, 10 s later", more);
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const later = await memoryOf(server.pid);
  const sizes = [before, after, later].map((size) => size.toFixed(0));
  print(`     ${sizes[0]} MB before, ${sizes[1]} MB 10 s after, ${sizes[2]} MB 30 s after`);
}

/** Sends small texts under load, and measures the latency of each in milliseconds. */
async function waitsDuring(
  load: Promise<unknown>,
  server: LoadedServer,
): Promise<readonly number[]> {
  let isOver = false;
  void load.then(() => isOver = true);
  const waits: number[] = [];
  while (!isOver) {
    const start = performance.now();
    await small(server);
    waits.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return waits;
}

async function small(server: LoadedServer): Promise<void> {
  const status = await server.create(SMALL, { workspace: "other", sub: "someone" });
  if (status !== 200) throw new Error(`Status ${status}`);
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
}

function row(
  print: Print,
  name: string,
  { value, unit, aim }: { readonly value: number; readonly unit: string; readonly aim: number },
): void {
  print(report(name, { value, unit, aim: `< ${aim} ${unit}`, met: value < aim }));
}
