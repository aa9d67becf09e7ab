/**
 * `deno task soak:postgres [MINUTES]`: runs 64 clients for this many minutes (default: 5).
 *
 * @module
 */
import { soak } from "./soak.ts";

const MINUTES = 5;

const [argument] = Deno.args;
const minutes = argument === undefined ? MINUTES : Number(argument);
if (!(minutes > 0)) throw new Error("The minutes are a number");
const start = performance.now();
const elapsed = (): number => (performance.now() - start) / 60_000;
const { done, refusals, issues } = await soak({
  isHalfway: () => elapsed() > minutes / 2,
  isOver: () => elapsed() > minutes,
});
const lines = [
  `${[...done.values()].reduce((sum, one) => sum + one, 0)} pieces of work acknowledged`,
  ...[...done].map(([name, count]) => `  ${name}: ${count}`),
  "sent again because of",
  ...[...refusals].map(([status, count]) => `  ${status}: ${count}`),
  `${issues.length} faults`,
  ...issues.slice(0, 20),
];
// deno-lint-ignore no-console -- it prints what it found
console.log(lines.join("\n"));
Deno.exitCode = issues.length === 0 ? 0 : 1;
