/**
 * Runs the shell blocks of the documentation. CONTRIBUTING.md describes the convention.
 *
 * @module
 */
import { assert } from "../assert.ts";
import { readSteps } from "./page.ts";
import { listPages, ROOT } from "./pages.ts";
import { createRepository, runSteps } from "./session.ts";

const pages = listPages().map(({ path, text }) => ({ path, steps: readSteps(text) }));
let folder = "";
let repository = "";

Deno.test.beforeAll(async () => {
  folder = await Deno.makeTempDir({ prefix: "recto-docs-" });
  repository = await createRepository(ROOT, folder);
});

Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

for (const { path, steps } of pages) {
  const running = steps.filter((step) => step.kind !== "left out" && !("hidden" in step));
  if (running.length === 0) continue;
  const blocks = running.length === 1 ? "the block" : `the ${running.length} blocks`;
  Deno.test(`${blocks} of ${path} do what is shown`, async () => {
    const failure = await runSteps(steps, repository);
    assert(failure === undefined, `${path}:${failure?.line} ${failure?.message}`);
  });
}

Deno.test("each block that is left out says why", () => {
  const leftOut = pages.flatMap(({ path, steps }) =>
    steps.flatMap((step) => step.kind === "left out" ? [{ path, ...step }] : [])
  );
  for (const { path, line, reason } of leftOut) {
    assert(reason.length > 5, `${path}:${line}`);
    print(`left out: ${path}:${line}: ${reason}`);
  }
  const all = pages.flatMap(({ steps }) => steps.filter((step) => !("hidden" in step))).length;
  print(`${all - leftOut.length} blocks ran, ${leftOut.length} were left out`);
});

function print(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}
