/**
 * `deno task soak [seconds]`: the fuzz as a mixed load for 180 s or as long as is named, with the memory
 * and the open files of the service every 10 s and after 30 s of rest; ends with 1 where the memory
 * still grows at the end, or an answer is none that the document allows.
 *
 * @module
 */
import { fuzz } from "./fuzz.ts";

const SECONDS = 180;
const EVERY = 10_000;
const REST = 30_000;
/** Megabytes more in the last third than in the one before: SQLite may still be filling its cache of 64. */
const GROWTH = 64;

const seconds = Number(Deno.args[0] ?? SECONDS);
if (!(seconds >= 30)) throw new Error("The seconds are a number from 30");
// deno-lint-ignore no-console -- a task prints
const print = (line: string) => console.log(line);

const sizes: number[] = [];
let started = Infinity;
const elapsed = () => performance.now() - started;
let timer: ReturnType<typeof setInterval> | undefined;

function look(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const size = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  const files = [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
  print(`${(elapsed() / 1_000).toFixed(0).padStart(4)} s  ${size.toFixed(0)} MB  ${files} files`);
  return size;
}

const outcome = await fuzz({
  seed: 180,
  isOver: () => elapsed() > seconds * 1_000,
  onStart: (pid) => {
    started = performance.now();
    look(pid);
    timer = setInterval(() => sizes.push(look(pid)), EVERY);
  },
  onEnd: async (pid) => {
    clearInterval(timer);
    await new Promise((resolve) => setTimeout(resolve, REST));
    look(pid);
  },
});
const third = Math.floor(sizes.length / 3);
const [before, last] = [sizes.slice(-2 * third, -third), sizes.slice(-third)]
  .map((some) => Math.max(...some));
print(`${outcome.sent} requests, ${outcome.deviations.length} deviations`);
const isLevel = last !== undefined && before !== undefined && last - before <= GROWTH;
print(`At most ${before?.toFixed(0)} MB in the second third, ${last?.toFixed(0)} MB in the last`);
if (!isLevel || outcome.deviations.length > 0) Deno.exitCode = 1;
