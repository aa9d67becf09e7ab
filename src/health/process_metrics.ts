/**
 * Metrics of the process: memory, processor time, and how long the event loop was held up.
 *
 * @module
 */
import process from "node:process";
import { createHistogram } from "../shared/histogram.ts";
import type { MetricSource } from "../shared/metrics.ts";

/** The version of the service, and the kinds of its stores. */
export interface BuildInfo {
  readonly version: string;
  readonly database: string;
  readonly files: string;
}

/**
 * Returns the metrics of this process; without the delay of its event loop, which needs a timer.
 */
export function processMetrics(build: BuildInfo): readonly MetricSource[] {
  const start = Date.now() / 1_000 - performance.now() / 1_000;
  return [{
    name: "recto_build_info",
    type: "gauge",
    help: "Version of Recto and of Deno, and where content and files are stored.",
    combine: "primary",
    read: () => [[{ ...build, deno: Deno.version.deno }, 1]],
  }, {
    name: "recto_processes",
    type: "gauge",
    help: "Processes of the service that these numbers are the sum of.",
    read: () => [[{}, 1]],
  }, {
    name: "process_start_time_seconds",
    type: "gauge",
    help: "When the process started, in seconds since 1970; of several, the latest.",
    combine: "max",
    read: () => [[{}, start]],
  }, {
    name: "process_cpu_seconds_total",
    type: "counter",
    help: "Processor time of the process with all its threads.",
    read: () => {
      const { user, system } = process.cpuUsage();
      return [[{}, (user + system) / 1_000_000]];
    },
  }, {
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Memory of the process with all its threads.",
    read: () => [[{}, Deno.memoryUsage().rss]],
  }, {
    name: "recto_heap_bytes",
    type: "gauge",
    help: "JavaScript heap of the main thread: used, and reserved.",
    read: () => {
      const { heapUsed, heapTotal } = Deno.memoryUsage();
      return [[{ state: "used" }, heapUsed], [{ state: "reserved" }, heapTotal]];
    },
  }];
}

export interface EventLoopDelay {
  readonly source: MetricSource;
  start(): void;
  stop(): void;
}

/** Milliseconds between two looks at the event loop. */
const INTERVAL = 100;
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Measures how late a timer runs, ten times a second. */
export function createEventLoopDelay(): EventLoopDelay {
  const delays = createHistogram(BOUNDS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  function look(): void {
    const due = performance.now() + INTERVAL;
    timer = setTimeout(() => {
      delays.observe(Math.max(0, performance.now() - due));
      look();
    }, INTERVAL);
    Deno.unrefTimer(timer);
  }
  return {
    source: {
      name: "recto_event_loop_delay_seconds",
      type: "histogram",
      help: "How late a timer ran that looks at the event loop ten times a second.",
      read: () => delays.samples(),
    },
    start: look,
    stop: () => clearTimeout(timer),
  };
}
