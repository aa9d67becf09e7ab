/**
 * `deno task faults:postgres [NAME]`: two processes under load while their database fails, in each way
 * that is known or in those whose name has this in it. Four minutes; ends with 1 where anything that
 * was acknowledged is lost or doubled.
 *
 * @module
 */
import { ISSUES } from "./faults.ts";
import { type Result, runTrial } from "./trial.ts";

const WIDTHS = [34, 28, 9, 9];

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

function print(...[columns, rest]: [columns: readonly string[], rest: string]): void {
  const text = columns.map((column, index) => column.padEnd(WIDTHS[index] ?? 0)).join("");
  // deno-lint-ignore no-console -- it prints what it found
  console.log(`${text}${rest}`);
}

function toColumns({ acknowledged, lost, doubled, longest, back }: Result): string[] {
  return [`${acknowledged}, ${lost}, ${doubled}`, seconds(longest), seconds(back)];
}

const [wanted = ""] = Deno.args;
const chosen = ISSUES.filter(({ name }) => name.includes(wanted));
if (chosen.length === 0) throw new Error(`No fault has "${wanted}" in its name`);
print(["fault", "acknowledged, lost, doubled", "longest", "back"], "refused");
for (const issue of chosen) {
  const result = await runTrial(issue);
  if (result === undefined) {
    print([issue.name], "LEFT OUT: a small file system cannot be mounted here");
    continue;
  }
  const refused = [...result.refusals].map(([kind, count]) => `${count} × ${kind}`).join(", ");
  print([issue.name, ...toColumns(result)], refused || "nothing");
  if (result.lost + result.doubled > 0) Deno.exitCode = 1;
}
