/**
 * Compares matching a path by the index and by a scan over the same URLPatterns.
 *
 * @module
 */
import { endpoints } from "../../src/api/endpoints.ts";
import { createRouter } from "../../src/http/router.ts";
import { nanoseconds, report } from "./measure.ts";

const ID = "01a1fbf0-c546-7eba-a83f-4fd2a94474b7";

export function benchRouter(print: (line: string) => void): void {
  const router = createRouter(endpoints);
  const paths = [...new Set(endpoints.map(({ path }) => path.replace(/:\w+/g, ID)))];
  const pick = (i: number) => paths[i % paths.length] ?? "/";
  const index = nanoseconds((i) => router.match(pick(i)));
  print(report("route matching, all paths", {
    value: index,
    unit: "ns",
    aim: "< 300 ns",
    met: index < 300,
  }));
  const yardstick = nanoseconds(count);
  print(
    `     ${"yardstick: a loop of 1,000 additions".padEnd(52)} ${
      yardstick.toFixed(2).padStart(10)
    } ns`,
  );
  const patterns = endpoints.map(({ path }) => new URLPattern({ pathname: path }));
  const scan = nanoseconds((i) => patterns.find((pattern) => pattern.test({ pathname: pick(i) })));
  print(`     ${"a scan over the URLPatterns".padEnd(52)} ${scan.toFixed(2).padStart(10)} ns`);
}

/** Constant work: if its time doubles, the machine runs at half its speed. */
function count(): number {
  let sum = 0;
  for (let i = 0; i < 1_000; i++) sum += i;
  return sum;
}
