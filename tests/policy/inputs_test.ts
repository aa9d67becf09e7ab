import { openCommandContext } from "../../src/cli/policy.ts";
import { runPolicy } from "../../src/cli/policy/cli.ts";
import { parseRequestLine } from "../../src/policy/analysis/request_line.ts";
import { createIo } from "../../src/policy/io.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { createDesk } from "../support/walkthrough.ts";
import { logLine } from "./logged.ts";

const LAUNCHER = new URL("../../src/cli/recto.ts", import.meta.url).pathname;
const REPOSITORY = new URL("../../", import.meta.url).pathname;

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(folder: string, ...args: string[]): Promise<Ran> {
  let [out, err] = ["", ""];
  const context = {
    ...openCommandContext(folder),
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    ...{ today: "2026-12-01", color: false },
  };
  return { code: await runPolicy(args, context), out, err };
}

/** A desk whose policy lets everybody search who may read pages, while main does not. */
async function onDesk(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await createDesk();
  try {
    await createIo(folder).git(["branch", "--move", "--force", "main"]);
    const file = `${folder}policy/scopes.json`;
    const policy = JSON.parse(await Deno.readTextFile(file));
    policy.routes["POST /v2/search"] = ["pages.read"];
    policy.routes["POST /v2/search/semantic"] = ["search.read"];
    await Deno.writeTextFile(file, JSON.stringify(policy, null, 2));
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** An unsigned token with these claims. */
function tokenOf(claims: Record<string, unknown>): string {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
  return `${part({ alg: "ES256" })}.${part(claims)}.c2lnbmF0dXJl`;
}

Deno.test("every command works with the policy of --policy, and explain names its place", () =>
  onDesk(async (folder) => {
    const search = ["POST", "/v2/search"];
    const here = await run(folder, "explain", ...search, "--scopes", "search.read");
    const main = await run(
      folder,
      "explain",
      ...search,
      "--scopes",
      "search.read",
      "--policy",
      "main",
    );
    assertEquals([here.code, main.code], [2, 0]);
    assertStringIncludes(here.out, "(policy/scopes.json:");
    assertStringIncludes(main.out, "(main:policy/scopes.json:");
    assertEquals((await run(folder, "who", ...search, "--policy", "main")).out, "search.read\n");
    assertEquals(
      (await run(folder, "flow", "POST /v2/search", "--policy", "main")).out,
      "search.read\n",
    );
    const can = ["can", "--scopes", "search.read"];
    assertStringIncludes((await run(folder, ...can, "--policy", "HEAD")).out, "POST /v2/search\n");
    assert(!(await run(folder, ...can)).out.includes("POST /v2/search\n"));
    assertEquals((await run(folder, "test", "--policy", "main")).code, 0);
    assertEquals((await run(folder, "test")).code, 3);
    assertEquals((await run(folder, "check", "--policy", "main")).out, "No finding\n");
    assertEquals((await run(folder, "fmt", "--check", "--policy", "policy/scopes.json")).code, 3);
    const page = ["page", "--out", "-"];
    assert(
      (await run(folder, ...page)).out !== (await run(folder, ...page, "--policy", "main")).out,
    );
    const log = await Deno.makeTempFile({ suffix: ".jsonl" });
    const called = { route: "POST /v2/search", scopes: ["search.read"] };
    await Deno.writeTextFile(log, logLine(called));
    assertEquals((await run(folder, "replay", log, "--policy", "main")).code, 0);
    assertEquals((await run(folder, "replay", log)).code, 3);
    assertStringIncludes((await run(folder, "least-privilege", log)).out, "denied");
    assert(!(await run(folder, "least-privilege", log, "--policy", "main")).out.includes("denied"));
    await Deno.remove(log);
  }));

Deno.test("--token takes the scopes of a token, and says that it is not verified", () =>
  onDesk(async (folder) => {
    const token = tokenOf({ scope: "pages.read users.read", exp: 1_700_000_000 });
    const { code, err } = await run(folder, "explain", "POST", "/v2/search", "--token", token);
    assertEquals(code, 0);
    assertEquals(
      err,
      "The signature of the token was not checked\nThe token expired on 2023-11-14T22:13:20.000Z\n",
    );
    const listed = await run(
      folder,
      "can",
      "--token",
      `Bearer ${tokenOf({ scp: ["pages.read"] })}`,
    );
    assertStringIncludes(listed.out, "POST /v2/search\n");
  }));

Deno.test("explain takes a URL, a curl command with its token, and a request of a log", () =>
  onDesk(async (folder) => {
    const token = tokenOf({ scope: "pages.read" });
    const calls = [
      ["https://recto.example/v2/pages/5c6a?x=1#y"],
      ["GET", "https://recto.example/v2/pages/5c6a"],
      [`curl https://recto.example/v2/pages/5c6a -H 'Authorization: Bearer ${token}'`],
    ];
    for (const call of calls) {
      const withToken = call.join().startsWith("curl") ? [] : ["--scopes", "pages.read"];
      const { code, out } = await run(folder, "explain", ...call, ...withToken);
      assertEquals([code, out.split("\n")[0]], [0, "allow  GET /v2/pages/:page_id"]);
    }
    const log = await Deno.makeTempFile({ suffix: ".jsonl" });
    await Deno.writeTextFile(
      log,
      logLine({ request: "r1", scopes: [] }) + logLine({ request: "r2" }),
    );
    assertEquals((await run(folder, "explain", "--request", "r1", "--log", log)).code, 2);
    assertEquals((await run(folder, "explain", "--request", "r2", "--log", log)).code, 0);
    assertEquals((await run(folder, "explain", "--request", "r3", "--log", log)).code, 64);
    await Deno.remove(log);
  }));

Deno.test("who lists the smallest tokens that see a field", () =>
  onDesk(async (folder) => {
    assertEquals((await run(folder, "who", "user.person.email")).out, "users.email.read\n");
    const { code, err } = await run(folder, "who", "user.person.emial");
    assertEquals(code, 64);
    assertStringIncludes(err, 'Did you mean "user.person.email"?');
  }));

Deno.test("parseRequestLine() reads curl commands as curl does", () => {
  const lines = [
    ["curl example.org/v2/pages", "GET /v2/pages"],
    ["curl -s -o out.json --url http://x/v2/pages", "GET /v2/pages"],
    [`curl http://x/v2/search -d '{"query": "a b"}'`, "POST /v2/search"],
    [`curl --json '{}' "http://x/v2/search"`, "POST /v2/search"],
    ["curl -G -d limit=3 http://x/v2/pages", "GET /v2/pages"],
    ["curl -XDELETE http://x/v2/pages/1", "DELETE /v2/pages/1"],
    ["curl --request=PATCH -d @body http://x/v2/pages/1", "PATCH /v2/pages/1"],
    ["curl -I \\\n http://x/v2/pages/1", "HEAD /v2/pages/1"],
  ] as const;
  for (const [line, call] of lines) assertEquals(parseRequestLine([line]).call, call, line);
  const { authorization } = parseRequestLine([
    `curl -H "Accept: */*" -H "authorization: Bearer a.b.c" http://x/v2/pages`,
  ]);
  assertEquals(authorization, "Bearer a.b.c");
});

Deno.test("the launcher lets the tools use exactly the files that the command line names", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const live = await Deno.readTextFile("policy/scopes.json");
  const other = live.replace(
    '"POST /v2/search": ["search.read"]',
    '"POST /v2/search": ["pages.read"]',
  );
  await Deno.writeTextFile(`${folder}/a.json`, live);
  await Deno.writeTextFile(`${folder}/b.json`, other);
  const launch = async (...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--allow-env",
        "--allow-read",
        "--allow-run",
        LAUNCHER,
        "policy",
        ...args,
      ],
      cwd: REPOSITORY,
      ...{ stdout: "piped", stderr: "piped" },
    }).output();
    const decoder = new TextDecoder();
    return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  };
  const diff = await launch("diff", `${folder}/a.json`, `${folder}/b.json`);
  assertEquals([diff.code, diff.err], [2, ""]);
  assertStringIncludes(diff.out, "POST /v2/search\n  + pages.read\n  - search.read\n");
  assertEquals(
    (await launch("who", "POST", "/v2/search", "--policy", `${folder}/b.json`)).out,
    "pages.read\n",
  );
  assertEquals((await launch("page", "--out", `${folder}/page.html`)).code, 0);
  assert((await Deno.readTextFile(`${folder}/page.html`)).startsWith("<!doctype html>"));
  await Deno.remove(folder, { recursive: true });
});
