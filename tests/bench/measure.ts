/**
 * Measures the time of small pieces of work.
 *
 * @module
 */

const ROUNDS = 15;
const ROUND_TIME = 20;
/** Calls between two readings of the clock; fewer if one call takes long. */
const BATCH = 1_000;
/** Warm-up calls: code that is not yet compiled is slower. */
const UNHEARD = 5;

/**
 * Returns the nanoseconds of one call, which receives its number: the best of several rounds, which the
 * machine disturbed least. Uses the results, so that no call is optimized away.
 */
export function nanoseconds(work: (i: number) => unknown, batch = BATCH): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => round(work, batch)));
}

let sink: unknown;

function round(work: (i: number) => unknown, batch: number): number {
  const end = performance.now() + ROUND_TIME;
  let calls = 0;
  const start = performance.now();
  while (performance.now() < end) {
    for (let i = 0; i < batch; i++) sink = work(calls + i);
    calls += batch;
  }
  const elapsed = performance.now() - start;
  if (sink === Symbol.for("never")) throw new Error("unreachable");
  return elapsed * 1e6 / calls;
}

/** Returns the median milliseconds of a call, after warm-up. */
export async function medianTime(work: () => Promise<unknown>, times: number): Promise<number> {
  const [time = NaN] = await medianTimes([work], times);
  return time;
}

/** The same for several calls in turns, so that all run under the same conditions. */
export async function medianTimes(
  works: readonly (() => Promise<unknown>)[],
  times: number,
): Promise<number[]> {
  const all = works.map((): number[] => []);
  for (let turn = -UNHEARD; turn < times; turn++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      if (turn >= 0) all[index]?.push(performance.now() - start);
    }
  }
  return all.map(median);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** Returns a row of a report, with whether it meets its aim. */
export function report(name: string, { value, unit, aim, met }: {
  readonly value: number;
  readonly unit: string;
  readonly aim: string;
  readonly met: boolean;
}): string {
  return `${met ? "ok  " : "MISS"} ${name.padEnd(52)} ${
    value.toFixed(2).padStart(10)
  } ${unit}  (aim ${aim})`;
}
