/**
 * The API's tests once more, by way of Prism as a checking proxy: it finds no answer that is not as
 * the document says, and nothing wrong with a request that the service took.
 *
 * Every call under `/v2` goes through it but HEAD, of which OpenAPI says nothing of its own, and but
 * codings, as it cannot decode zstd. Where a refused request has more faults than fit into a header
 * field Prism tells none, so that ajv alone judges the answer.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { freePort, listening } from "../bench/processes.ts";
import { createContract } from "../support/contract.ts";
import type { Finding } from "../support/prism.ts";
import { DOCUMENT, environment, installTools, TOOLS } from "./tools.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** What the suite calls at the least, so that a run that reaches nothing does not pass. */
const CALLS = 10_000;

await installTools();

/** A copy that says its dialect: without it Prism leaves out what draft 7 had not. */
async function writeDocument(): Promise<string> {
  const document = JSON.parse(await Deno.readTextFile(DOCUMENT));
  const file = `${TOOLS}prism.json`;
  await Deno.writeTextFile(file, JSON.stringify({ ...document, jsonSchemaDialect: DIALECT }));
  return file;
}

async function startPrism(upstream: number): Promise<AsyncDisposable & { readonly port: number }> {
  const port = freePort();
  const args = ["proxy", await writeDocument(), `http://127.0.0.1:${upstream}`, "-p", `${port}`];
  const child = new Deno.Command("node", {
    args: ["node_modules/.bin/prism", ...args],
    cwd: TOOLS,
    env: environment(),
    stdout: "null",
    stderr: "null",
  }).spawn();
  await listening(port);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

Deno.test("Prism finds no violation in any answer to the API's tests", async () => {
  const upstream = freePort();
  const found = await Deno.makeTempFile();
  {
    await using prism = await startPrism(upstream);
    // Tests of what a proxy changes fail on this way; what counts is what it finds.
    await new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "--no-prompt", "--allow-read", "--allow-write", "--allow-run"],
        ...["--allow-net=127.0.0.1,localhost", "--allow-env", "tests/api/"],
      ],
      env: {
        PRISM_PROXY: `http://127.0.0.1:${prism.port}`,
        PRISM_UPSTREAM_PORT: `${upstream}`,
        PRISM_FOUND: found,
      },
      stdout: "null",
      stderr: "null",
    }).output();
  }
  const findings: Finding[] = (await Deno.readTextFile(found)).trim().split("\n")
    .map((line) => JSON.parse(line));
  await Deno.remove(found);
  assert(findings.length > CALLS, `${findings.length} calls`);
  assertEquals(findings.filter(isBreach), []);
  assertEquals(await neverCalled(findings), []);
});

/** Operations of the document that no call reached. */
async function neverCalled(findings: readonly Finding[]): Promise<string[]> {
  const { operations } = createContract(await Deno.readTextFile(DOCUMENT));
  const routes = [...new Set(findings.map(({ route }) => route))];
  return operations
    .filter(({ method, pattern }) =>
      !routes.some((route) => {
        const [calledMethod, path = ""] = route.split(" ");
        return calledMethod === method && pattern.test(path);
      })
    )
    .map(({ operationId }) => operationId);
}

/** Any remark on an answer counts, however mild; on a request one that the service did not refuse. */
function isBreach({ status, violations, isCut }: Finding): boolean {
  return violations.some(({ location }) => location[0] === "response") ||
    (status < 400 && (violations.length > 0 || isCut));
}
