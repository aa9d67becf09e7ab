/**
 * `deno task fuzz [count] [--seed N] [--v1]`: 50,000 requests drawn from the OpenAPI document, valid ones
 * and others, to the real service; ends with 1 where an answer is not one that the document allows.
 * `--v1` sends those of `/v1` in all versions of the vendor's wire format.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { fuzz, type Outcome } from "./fuzz.ts";

/** Deviations that are shown whole. */
const SHOWN = 20;
const MOST_LETTERS = 4_000;

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { seed: { type: "string" }, v1: { type: "boolean", default: false } },
});
const count = Number(positionals[0] ?? 50_000);
const seed = Number(values.seed ?? Math.ceil(Math.random() * 2 ** 30));
if (![count, seed].every((number) => Number.isInteger(number) && number > 0)) {
  throw new Error("The count and --seed take whole numbers from 1");
}

// deno-lint-ignore no-console -- a task prints
const print = (line: string) => console.log(line);
print(`Seed ${seed}`);
const outcome = await fuzz({
  api: values.v1 ? "v1" : "v2",
  count,
  seed,
  progress: (sent) => {
    if (sent % 6_400 === 0) print(`${sent} sent`);
  },
});
report(outcome);
if (outcome.deviations.length > 0) Deno.exitCode = 1;

function report({ sent, counts, deviations, slowest }: Outcome): void {
  let done = 0;
  for (const [route, statuses] of [...counts].toSorted()) {
    const sorted = [...statuses].toSorted(([a], [b]) => a - b);
    print(`${route.padEnd(60)} ${sorted.map(([status, n]) => `${status}: ${n}`).join("  ")}`);
    for (const [status, n] of sorted) if (status >= 200 && status < 300) done += n;
  }
  print(`${sent} sent, ${(100 * done / sent).toFixed(1)} % answered with 2xx`);
  print(`The slowest answer took ${slowest.toFixed(0)} ms`);
  print(`${deviations.length} deviations with seed ${seed}`);
  for (const { issue, command } of deviations.slice(0, SHOWN)) {
    print(`\n${issue.slice(0, MOST_LETTERS)}\n${command.slice(0, MOST_LETTERS)}`);
  }
}
