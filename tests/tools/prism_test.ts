/**
 * Runs the API's tests against Prism, a validating proxy: every response must match the document, and
 * so must every request that the service accepts.
 *
 * The tests call the service directly and record all exchanges. One exchange of each shape is then
 * repeated through the proxy, with the recorded response. The others only differ in values, and ajv has
 * checked every one of them. Encoded responses are left out, because Prism cannot decode all of them. If
 * a rejected request has more errors than fit into a header field, Prism reports none, and only ajv
 * checks the response.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { listening } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { createContract } from "../support/contract.ts";
import type { Exchange, Message } from "../support/exchanges.ts";
import { exchangesOf } from "../support/recorded_tests.ts";
import { shapeOf } from "./shape.ts";
import { DOCUMENT, environment, installTools, TOOLS } from "./tools.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Minimum number of shapes, so that an empty run does not pass. */
const SHAPES = 4_000;
const AT_ONCE = 4;

await installTools();

/**
 * A copy that names its dialect, because without it Prism ignores keywords that draft 7 lacks. Its
 * replies to JSON Lines are among the others.
 */
async function writeDocument(): Promise<string> {
  const document = JSON.parse(await Deno.readTextFile(DOCUMENT), (_, value) => {
    const lines = value?.["x-lines-content"];
    return lines === undefined ? value : { ...value, content: { ...value.content, ...lines } };
  });
  const file = `${TOOLS}prism.json`;
  await Deno.writeTextFile(file, JSON.stringify({ ...document, jsonSchemaDialect: DIALECT }));
  return file;
}

async function startPrism(upstream: number): Promise<AsyncDisposable & { readonly port: number }> {
  const port = freePort();
  const args = ["proxy", await writeDocument(), `http://127.0.0.1:${upstream}`, "-p", `${port}`];
  const child = new Deno.Command("node", {
    args: ["node_modules/.bin/prism", ...args, "--verboseLevel", "silent"],
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

/** Returns one exchange of each shape. */
function withoutRepeats(exchanges: readonly Exchange[]): Exchange[] {
  const plain = exchanges.filter(({ answered }) => valueOf(answered, "content-encoding") === null);
  return [...new Map(plain.map((exchange) => [shapeOf(exchange), exchange])).values()];
}

function valueOf({ headers }: Message, name: string): string | null {
  return new Headers(headers).get(name);
}

function bytesOf({ body }: Message): Uint8Array<ArrayBuffer> | null {
  return body === null ? null : Uint8Array.fromBase64(body);
}

/** Header field that identifies the exchange of a request. */
const NUMBER = "x-exchange";

/** The upstream of the proxy: it repeats the recorded responses. */
function startUpstream(exchanges: readonly Exchange[]): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, automaticCompression: false };
  return Deno.serve({ ...options, onListen: () => {} }, ({ headers }) => {
    const exchange = exchanges[Number(headers.get(NUMBER))];
    if (exchange === undefined) return new Response(null, { status: 502 });
    const { status, answered } = exchange;
    return new Response(bytesOf(answered), { status, headers: answered.headers });
  });
}

interface Finding extends Pick<Exchange, "method" | "path" | "status"> {
  readonly violations: readonly Violation[];
  /** True if there were more than fit into a header field; the list is then empty. */
  readonly isCut: boolean;
}

interface Violation {
  readonly location: readonly string[];
}

/** Repeats an exchange through the proxy, and reads what it found. */
async function repeat(exchange: Exchange, number: number, port: number): Promise<Finding> {
  const { method, path, status, asked } = exchange;
  const headers = new Headers(asked.headers);
  headers.set("accept-encoding", "identity");
  // Prism does not support the scheme `DPoP`, which OpenAPI has no means to declare.
  const authorization = headers.get("authorization")?.replace(/^DPoP /i, "Bearer ");
  if (authorization !== undefined) headers.set("authorization", authorization);
  headers.set(NUMBER, `${number}`);
  const url = `http://127.0.0.1:${port}${path}`;
  const init: RequestInit = { method, headers, body: bytesOf(asked), redirect: "manual" };
  const response = await fetch(url, init);
  await response.bytes();
  assertEquals(response.status, status, `${method} ${path}`);
  const found = response.headers.get("sl-violations") ?? "[]";
  const isCut = found.startsWith("Too many violations!");
  return { method, path, status, violations: isCut ? [] : JSON.parse(found), isCut };
}

/** Repeats all of them, a few at a time. */
async function repeatAll(exchanges: readonly Exchange[], port: number): Promise<Finding[]> {
  const waiting = exchanges.entries();
  const findings: Finding[] = [];
  const work = async () => {
    for (const [number, exchange] of waiting) findings.push(await repeat(exchange, number, port));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return findings;
}

Deno.test("Prism finds no violation in any answer to the API's tests", async () => {
  const recorded = await exchangesOf(["tests/api/"]);
  const exchanges = withoutRepeats(recorded.filter(({ path }) => path.startsWith("/v2/")));
  assert(exchanges.length > SHAPES, `${exchanges.length} shapes`);
  assertEquals(await neverCalled(exchanges), []);
  await using upstream = startUpstream(exchanges);
  await using prism = await startPrism(upstream.addr.port);
  const findings = await repeatAll(exchanges, prism.port);
  assertEquals(findings.filter(isBreach), []);
});

/** Operations of the document that no call reached. */
async function neverCalled(exchanges: readonly Exchange[]): Promise<string[]> {
  const { operations } = createContract(await Deno.readTextFile(DOCUMENT));
  const called = new Set(exchanges.map(({ method, template }) => `${method} ${template}`));
  return operations
    .filter(({ method, template }) => !called.has(`${method} ${template}`))
    .map(({ operationId }) => operationId);
}

/** Any remark on an answer counts, however mild; on a request one that the service did not refuse. */
function isBreach({ status, violations, isCut }: Finding): boolean {
  return violations.some(({ location }) => location[0] === "response") ||
    (status < 400 && (violations.length > 0 || isCut));
}
