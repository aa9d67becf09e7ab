/**
 * Today's clients of the vendor's API, as npm ships them, on a running server: only the base URL and the
 * token are theirs to set, or the host is redirected for those that hard-code it.
 *
 * @module
 */
import { ALL_SCOPES } from "../support/app.ts";
import { assert, assertEquals } from "../assert.ts";
import { baseUrl, startRecto } from "../bench/processes.ts";
import { type LocalIssuer, openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { CLIENTS, installClients } from "./install.ts";
import { FAILURES } from "./failures.ts";
import { openOracle } from "./oracle.ts";
import { type Outcome, printTable, replaceTable } from "./table.ts";

const REDIRECT = new URL("../../docs/notion-redirect.mjs", import.meta.url).pathname;
const GUIDE = new URL("../../docs/notion.md", import.meta.url);
/** Minimum number of judged answers, so that an empty run does not pass. */
const ANSWERS = 2_000;

interface Program {
  readonly file: string;
  readonly args?: readonly string[];
  /** True if the client has the vendor's host in its code. */
  readonly isRedirected?: boolean;
}

const PROGRAMS: readonly Program[] = [
  { file: "n8n", isRedirected: true },
  { file: "sdk", args: ["2"] },
  { file: "sdk", args: ["3"] },
  { file: "sdk", args: ["4"] },
  { file: "sdk", args: ["5"] },
  { file: "sdk", args: ["5", "2026-03-11"] },
  { file: "round_trips" },
  { file: "mcp", args: ["1"] },
  { file: "mcp", args: ["2"] },
  { file: "mcp", args: ["2", "2025-09-03"] },
  { file: "activepieces", isRedirected: true },
  { file: "readers", isRedirected: true },
  { file: "docu_notion", isRedirected: true },
];

interface Report {
  readonly outcomes: readonly Outcome[];
  readonly result: unknown;
}

interface Setting {
  readonly baseUrl: string;
  readonly token: string;
  readonly otherToken: string;
  readonly seed?: unknown;
}

/** Runs a program of `programs/` under Node.js, and returns what it reports. */
async function runProgram(program: Program, setting: Setting): Promise<Report> {
  const { file, args = [], isRedirected = false } = program;
  const outcomes = await Deno.makeTempFile({ prefix: "recto-clients-" });
  try {
    const child = new Deno.Command("node", {
      args: [...(isRedirected ? ["--import", REDIRECT] : []), `programs/${file}.mjs`, ...args],
      cwd: CLIENTS,
      env: {
        NOTION_BASE_URL: setting.baseUrl,
        // What the programs start is redirected, too.
        NODE_OPTIONS: isRedirected ? `--import=${REDIRECT}` : "",
        OUTCOMES: outcomes,
        SETTING: JSON.stringify(setting),
      },
    });
    const { success, stdout, stderr } = await child.output();
    const printed = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    assert(success, `${file} ${args.join(" ")}\n${printed.slice(-4_000)}`);
    return JSON.parse(await Deno.readTextFile(outcomes));
  } finally {
    await Deno.remove(outcomes);
  }
}

function mint(issuer: LocalIssuer, sub: string, scope = ALL_SCOPES): Promise<string> {
  const [first = "", ...rest] = sub;
  const claims = { sub, name: first.toUpperCase() + rest.join(""), email: `${sub}@example.com` };
  return issuer.mint({ ...claims, scope, ttlSeconds: 3_600, now: Date.now() });
}

/** Makes the users, and writes what readers read. */
async function prepare(gateway: Gateway, dataDir: string): Promise<Setting> {
  const issuer = await openLocalIssuer({ folder: dataDir });
  const setting = {
    baseUrl: gateway.url,
    token: await mint(issuer, "ann"),
    otherToken: await mint(issuer, "bob", "pages.read"),
  };
  const bob = await mint(issuer, "bob");
  const me = await fetch(`${gateway.url}/v2/users/me`, {
    headers: { authorization: `Bearer ${bob}` },
  });
  assertEquals(me.status, 200, await me.text());
  const { result } = await runProgram({ file: "seed" }, setting);
  return { ...setting, seed: result };
}

/** Runs all programs, one after the other: they write into the same databases. */
async function runAll(setting: Setting): Promise<readonly Outcome[]> {
  const all: Outcome[] = [];
  for (const program of PROGRAMS) all.push(...(await runProgram(program, setting)).outcomes);
  return all;
}

const isFailure = (outcome: Outcome) =>
  FAILURES.some(({ client, operation }) =>
    outcome.client === client && outcome.operation === operation
  );

await installClients();
await using recto = await startRecto();
await using gateway = openGateway(baseUrl(recto.port));
const outcomes = await runAll(await prepare(gateway, recto.dataDir));

for (const client of new Set(outcomes.map((outcome) => outcome.client))) {
  Deno.test(client, async (test) => {
    for (const outcome of outcomes.filter((one) => one.client === client)) {
      await test.step(outcome.operation, () => {
        assertEquals(outcome.passed, !isFailure(outcome), outcome.why ?? "It passes now");
      });
    }
  });
}

Deno.test("every answer to the clients is of the SDK's type for its version", async () => {
  const oracle = await openOracle();
  const judged = gateway.exchanges.flatMap((exchange) => {
    const verdict = oracle.judge(exchange);
    return verdict === null ? [] : [{ ...exchange, ...verdict }];
  });
  assert(judged.length > ANSWERS, `${judged.length} answers`);
  const faults = judged.flatMap(({ method, path, version, type, faults: own }) =>
    own.length === 0 ? [] : [`${version} ${method} ${path} ${type} ${own.join("; ")}`]
  );
  assertEquals(faults.slice(0, 20), [], `${faults.length} of ${judged.length}`);
});

Deno.test("every refusal of /v1 has the vendor's form", () => {
  const refused = gateway.exchanges.filter(({ path, status }) =>
    path.startsWith("/v1/") && status >= 400
  );
  assert(refused.length > 10, `${refused.length} refusals`);
  for (const { status, answer } of refused) {
    assert(typeof answer === "object" && answer !== null, `${status}`);
    const members = Object.keys(answer).filter((name) => name !== "additional_data").sort();
    assertEquals(members, ["code", "message", "object", "request_id", "status"]);
    assertEquals(Reflect.get(answer, "status"), status);
  }
});

Deno.test("every known failure is of an operation that was run", () => {
  const run = (client: string, operation: string) =>
    outcomes.some((one) => one.client === client && one.operation === operation);
  assertEquals(FAILURES.filter(({ client, operation }) => !run(client, operation)), []);
});

Deno.test("docs/notion.md tells how to point each client at Recto", async () => {
  const [settings = ""] = (await Deno.readTextFile(GUIDE)).split("## What clients notice");
  const packages = outcomes.flatMap(({ client }) =>
    client.match(/^(@[^ ]+|[a-z0-9-]+) \d/)?.[1] ?? []
  );
  assert(packages.length > 300);
  const missing = packages.filter((name) => name !== "axios" && !settings.includes(`\`${name}\``));
  assertEquals([...new Set(missing)], []);
});

Deno.test("docs/notion.md tells what passes: `deno task test:clients -- --write`", async () => {
  const guide = await Deno.readTextFile(GUIDE);
  const expected = replaceTable(guide, printTable(outcomes));
  if (Deno.args.includes("--write")) await Deno.writeTextFile(GUIDE, expected);
  else assertEquals(guide, expected);
});
