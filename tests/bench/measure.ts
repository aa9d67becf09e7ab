/**
 * How long a small piece of work takes.
 *
 * @module
 */

const ROUNDS = 15;
const ROUND_TIME = 20;

/**
 * Nanoseconds of one call: the best of several rounds, which is the one that the machine disturbed
 * least. The results are used, so that none is optimized away.
 */
export function nanoseconds(work: (i: number) => unknown): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => round(work)));
}

let sink: unknown;

function round(work: (i: number) => unknown): number {
  const end = performance.now() + ROUND_TIME;
  let calls = 0;
  const start = performance.now();
  while (performance.now() < end) {
    for (let i = 0; i < 1_000; i++) sink = work(i);
    calls += 1_000;
  }
  const elapsed = performance.now() - start;
  if (sink === Symbol.for("never")) throw new Error("unreachable");
  return elapsed * 1e6 / calls;
}

/** One row of a report, with whether it meets its aim. */
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
