/**
 * The progress of long work: a bar with rate and time left on a terminal, plain lines elsewhere.
 *
 * @module
 */
import process from "node:process";
import { type Bar, createBar } from "./bar.ts";

export interface Progress {
  /** Starts the next phase; without a total, the end is unknown. Ends the phase before. */
  begin(name: string, total?: number): void;
  /** Counts what is done. */
  advance(count?: number): void;
  /** Ends the last phase. */
  end(): void;
}

export interface ProgressOptions {
  readonly isTerminal: boolean;
  /** Writes a line, for people: to standard error. */
  readonly write: (line: string) => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Milliseconds between two plain lines. */
const INTERVAL = 5_000;

/** Shows progress on standard error. */
export function createProgress(): Progress {
  const encoder = new TextEncoder();
  return createProgressOn({
    isTerminal: Deno.stderr.isTerminal(),
    write: (line) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
    now: () => performance.now(),
  });
}

/** Shows no progress. */
export const NO_PROGRESS: Progress = { begin() {}, advance() {}, end() {} };

interface Phase {
  readonly name: string;
  readonly total: number | undefined;
  readonly started: number;
  readonly bar: Bar | undefined;
  done: number;
  told: number;
}

export function createProgressOn({ isTerminal, write, now }: ProgressOptions): Progress {
  let phase: Phase | undefined;
  const end = (): void => {
    if (phase === undefined) return;
    phase.bar?.stop();
    if (phase.bar === undefined) write(lineOf({ ...phase, total: phase.done }, now()));
    phase = undefined;
  };
  return {
    begin(name, total) {
      end();
      const started = now();
      const bar = isTerminal && total !== undefined
        ? createBar(process.stderr, name, total)
        : undefined;
      phase = { name, total, started, bar, done: 0, told: started };
    },
    advance(count = 1) {
      if (phase === undefined) return;
      const time = now();
      phase.done += count;
      phase.bar?.update(phase.done, rateText(phase, time));
      if (phase.bar !== undefined || time - phase.told < INTERVAL) return;
      phase.told = time;
      write(lineOf(phase, time));
    },
    end,
  };
}

/** Returns a line such as `pages: 1200 of 10000, 640/s, 14 s left`; its name, if nothing is counted. */
function lineOf(phase: Phase, now: number): string {
  const { name, total, done } = phase;
  if (done === 0) return name;
  const count = total === undefined || total === done ? `${done}` : `${done} of ${total}`;
  return [`${name}: ${count}`, rateText(phase, now), ...timeLeft(phase, now)].join(", ");
}

function rateOf({ done, started }: Phase, now: number): number {
  return done / Math.max(0.001, (now - started) / 1_000);
}

function rateText(phase: Phase, now: number): string {
  return `${Math.round(rateOf(phase, now))}/s`;
}

function timeLeft(phase: Phase, now: number): string[] {
  const { total, done } = phase;
  if (total === undefined || total === done || done === 0) return [];
  return [`${Math.ceil((total - done) / rateOf(phase, now))} s left`];
}
