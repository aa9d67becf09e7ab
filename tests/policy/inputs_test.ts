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
    today: "2026-12-01",
    color: false,
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
      stdout: "piped",
      stderr: "piped",
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

const NOTES = {
  "POST /v2/search": { owner: "@acme/search", because: "Answers show titles." },
  "user.person.email": { because: "Personal data." },
  "pages.read": { owner: "@acme/pages" },
};

/** Writes notes into the edited policy. */
async function addNotes(folder: string): Promise<void> {
  const file = `${folder}policy/scopes.json`;
  const policy = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(file, JSON.stringify({ ...policy, notes: NOTES }, null, 2));
}

Deno.test("every command shows the notes on what it is about", () =>
  onDesk(async (folder) => {
    await addNotes(folder);
    const log = `${folder}log.jsonl`;
    const route = "POST /v2/search";
    await Deno.writeTextFile(
      log,
      logLine({ client: "crm", route, scopes: ["search.read", "users.read", "pages.read"] }) +
        logLine({ client: "etl", route: "GET /v2/openapi.json", scopes: ["pages.read"] }) +
        logLine({ client: "bot", route, effect: "deny", scopes: ["pages.read"] }),
    );
    const search = "POST /v2/search: @acme/search: Answers show titles.";
    const scope = "pages.read: @acme/pages";
    const expected: readonly (readonly [args: readonly string[], ...lines: readonly string[]])[] = [
      [["explain", ...route.split(" ")], "owner  @acme/search", "why    Answers show titles."],
      [["can", "--scopes", "pages.read"], search, scope, "user.person.email: Personal data."],
      [["who", ...route.split(" ")], search, scope],
      [["who", "user.person.email"], "user.person.email: Personal data."],
      [["flow", route, "GET /v2/pages/x"], search, scope],
      [["diff", "main"], "@acme/search: Answers show titles."],
      [["diff", "main", "--format", "markdown"], "@\u200bacme/search: Answers show titles."],
      [["test"], "note     @acme/search: Answers show titles."],
      [["replay", log], search],
      [["least-privilege", log], scope],
      [["page", "--out", "-"], "@acme/search: Answers show titles."],
    ];
    for (const [args, ...lines] of expected) {
      const { out } = await run(folder, ...args);
      for (const line of lines) assertStringIncludes(out, line, args.join(" "));
    }
    const { notes } = JSON.parse((await run(folder, "flow", route, "--format", "json")).out);
    assertEquals(notes, { [route]: NOTES[route], "pages.read": NOTES["pages.read"] });
  }));

Deno.test("who, flow and diff judge the token of --token or --scopes", () =>
  onDesk(async (folder) => {
    const token = tokenOf({ scope: "search.read" });
    const search = ["POST", "/v2/search"];
    assertEquals(
      (await run(folder, "who", ...search, "--token", token)).out,
      "pages.read\ntoken  lacks pages.read\n",
    );
    assertEquals(
      (await run(folder, "who", ...search, "--token", token, "--policy", "main")).out,
      "search.read\ntoken  is enough\n",
    );
    const flow = ["flow", "POST /v2/search", "GET /v2/users/x", "--scopes", "users.read"];
    assertEquals(
      (await run(folder, ...flow)).out,
      "pages.read + users.read\ntoken  lacks pages.read\n",
    );
    const loses = await run(folder, "diff", "main", "--token", token);
    assertEquals(loses.code, 2, "the whole change is still not approved");
    assertStringIncludes(loses.out, "POST /v2/search\n  - search.read\n");
    assert(!loses.out.includes("+ pages.read"));
    const gains = await run(folder, "diff", "main", "--scopes", "pages.read");
    assertStringIncludes(gains.out, "POST /v2/search\n  + pages.read\n");
    const both = await run(folder, "diff", "main", "--scopes", "pages.read search.read");
    assert(!both.out.includes("POST /v2/search\n  "), both.out);
  }));

Deno.test("diff --log lists the clients of each gain and loss, of several logs", () =>
  onDesk(async (folder) => {
    const logs = [`${folder}one.jsonl`, `${folder}two.jsonl`];
    const route = "POST /v2/search";
    const line = (client: string, scopes: string[], day: number) =>
      logLine({ client, route, scopes, time: `2026-11-0${day}T10:00:00.000Z` });
    await Deno.writeTextFile(logs[0] ?? "", "{broken\n" + line("crm", ["search.read"], 3));
    await Deno.writeTextFile(
      logs[1] ?? "",
      line("crm", ["search.read"], 2) + line("etl", ["pages.read", "search.read"], 4) +
        line("bot\u001b[31m", ["pages.read"], 5),
    );
    const named = logs.flatMap((log) => ["--log", log]);
    const { out } = await run(folder, "diff", "main", ...named);
    assertEquals(
      out,
      `The new policy widens access
POST /v2/search
  + pages.read
      bot\ufffd[31m  called it once, last on 2026-11-05
  - search.read
      crm  called it 2 times, last on 2026-11-03
1 gain not approved
4 decisions read
1 line could not be read: 1
`,
    );
    const { clients } = JSON.parse(
      (await run(folder, "diff", "main", "--format", "json", ...named)).out,
    );
    assertEquals(
      clients.effects.map((
        { client, effect, calls }: Record<string, unknown>,
      ) => [client, effect, calls]),
      [["bot\u001b[31m", "gain", 1], ["crm", "loss", 2]],
    );
    for (const [log, code] of [["nowhere.jsonl", 64], [folder, 66]] as const) {
      assertEquals((await run(folder, "diff", "main", "--log", log)).code, code);
    }
  }));

Deno.test("the comment has a command for each gain that the server answers as it says", () =>
  onDesk(async (folder) => {
    const file = `${folder}policy/scopes.json`;
    const policy = JSON.parse(await Deno.readTextFile(file));
    policy.fields["user.person.email"] = { anyOf: [["users.email.read"], ["users.read"]] };
    policy.routes["GET /v2/users/:user_id"] = "public";
    await Deno.writeTextFile(file, JSON.stringify(policy));
    const { out } = await run(
      folder,
      ...["diff", "main", "--format", "markdown", "--url", "https://recto.example/"],
      ...["--page", "https://ci.example/artifact/1"],
    );
    assertEquals(out.match(/^# .*\n.*$/gm), [
      `# POST /v2/search: refused before this change and not after it, for a token with pages.read
curl -i -X POST 'https://recto.example/v2/search' -H "Authorization: Bearer $(deno task token --scope 'pages.read')" -H 'Content-Type: application/json' -d '{'`,
      `# GET /v2/users/:user_id: refused before this change and not after it, without a token
curl -i -X GET 'https://recto.example/v2/users/me'`,
      `# user.person.email: missing before this change and present after it, for a token with users.read
curl -i -X GET 'https://recto.example/v2/users/me' -H "Authorization: Bearer $(deno task token --scope 'users.read')"`,
    ]);
    assertStringIncludes(out, "[Page of this change](https://ci.example/artifact/1)");
  }));
