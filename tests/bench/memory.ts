/**
 * The memory of a command while it works.
 *
 * @module
 */
import { residentMemory } from "./resident_memory.ts";

/** The argument that makes a program print its garbage collections. */
export const TRACE = "--v8-flags=--trace-gc";
/** Milliseconds between two samples. */
const INTERVAL = 250;
/** Milliseconds since the start of the program, and megabytes that a full collection has left. */
const COLLECTION = /^\[[^\]]*\] +(\d+) ms:.*Mark-Compact[^>]*-> ([\d.]+)/gm;

/** The memory at one moment, in megabytes. */
export interface MemorySample {
  /** The amount of work done, in any unit. */
  readonly done: number;
  /** Milliseconds since the watch began. */
  readonly time: number;
  /** The memory that the system counts. */
  readonly resident: number;
  /** The memory that the last full garbage collection left. */
  readonly live: number;
}

export interface MemoryWatch {
  /** Ends the watch; `output` is what the program has printed. */
  end(output: string): Promise<readonly MemorySample[]>;
}

/** Watches the memory of a program that has just started with {@linkcode TRACE}. */
export function watchMemory(pid: number, done: () => Promise<number>): MemoryWatch {
  const start = performance.now();
  const working = { ends: false };
  const watching = (async () => {
    const samples: Omit<MemorySample, "live">[] = [];
    while (!working.ends) {
      const time = performance.now() - start;
      const resident = Math.round(await residentMemory(pid));
      // A program that has ended has none.
      if (resident > 0) samples.push({ done: await done(), time, resident });
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    }
    return samples;
  })();
  return {
    async end(output) {
      working.ends = true;
      const collections = [...output.matchAll(COLLECTION)].map(([, time, live]) => ({
        time: Number(time),
        live: Number(live),
      }));
      return (await watching).map((sample) => ({
        ...sample,
        live: collections.findLast(({ time }) => time <= sample.time)?.live ?? NaN,
      }));
    },
  };
}

/** Returns the first sample with this part of the work done. */
export function sampleAt(
  samples: readonly MemorySample[],
  part: number,
): Pick<MemorySample, "resident" | "live"> {
  const whole = samples.at(-1)?.done ?? NaN;
  return samples.find(({ done }) => done >= part * whole) ?? { resident: NaN, live: NaN };
}
