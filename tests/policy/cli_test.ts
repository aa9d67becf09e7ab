import { openCommandContext } from "../../src/cli/policy.ts";
import { runPolicy } from "../../src/cli/policy/cli.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "../../src/policy/command.ts";
import { COMMANDS } from "../../src/cli/policy/commands.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";

const root = new URL("../../", import.meta.url);

interface World {
  readonly files: Map<string, string>;
  readonly revisions: ReadonlyMap<string, string>;
}

async function createWorld(): Promise<World> {
  const paths = ["policy/scopes.json", "spec/openapi.json", "spec/meta.json"];
  for await (const { name } of Deno.readDir(new URL("policy/cases/", root))) {
    paths.push(`policy/cases/${name}`);
  }
  const files = await Promise.all(
    paths.map(async (path) => [path, await Deno.readTextFile(new URL(path, root))] as const),
  );
  const main = files.map(([path, text]) => [`main:./${path}`, text] as const);
  return { files: new Map(files), revisions: new Map(main) };
}

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run({ files, revisions }: World, ...args: string[]): Promise<Run> {
  let [out, err] = ["", ""];
  const context: CommandContext = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    read: (path) => present(files.get(path), `No such file: ${path}`),
    list: (folder, ending) =>
      Promise.resolve(
        [...files.keys()].filter((path) => path.startsWith(`${folder}/`) && path.endsWith(ending)),
      ),
    write: (path, text) => Promise.resolve(void files.set(path, text)),
    git: (args) => runGit(args, revisions),
    today: "2026-12-01",
    color: false,
    rejections: openCommandContext().rejections,
  };
  return { code: await runPolicy(args, context), out, err };
}

/** Git as far as the commands use it. */
function runGit(
  [verb, ...args]: readonly string[],
  revisions: World["revisions"],
): Promise<string> {
  if (verb === "ls-tree") {
    const [revision, folder] = args.slice(-2);
    const prefix = `${revision}:./`;
    const files = [...revisions.keys()].filter((key) => key.startsWith(prefix + folder));
    return Promise.resolve(files.map((key) => `${key.slice(prefix.length)}\0`).join(""));
  }
  const object = verb === "rev-parse"
    ? `${args.at(-1)?.replace("^{commit}", "")}:./policy/scopes.json`
    : args[1] ?? "";
  return present(revisions.get(object), `git ${verb} failed: ${object}`);
}

function present(text: string | undefined, message: string): Promise<string> {
  return text === undefined ? Promise.reject(new UsageError(message)) : Promise.resolve(text);
}

/** Edits the policy that is being worked on. */
function edit({ files }: World, from: string, to: string): void {
  const before = files.get("policy/scopes.json") ?? "";
  assert(before.includes(from), from);
  files.set("policy/scopes.json", before.replace(from, to));
}

const SEARCH = '"POST /v2/search": ["search.read"]';
const WIDER = '"POST /v2/search": { "anyOf": [["search.read"], ["pages.read"]] }';
const NARROWER = '"POST /v2/search": ["search.read", "pages.read"]';

Deno.test("policy lists and describes its commands, and suggests the right name", async () => {
  const world = await createWorld();
  const { code, out } = await run(world);
  assertEquals(code, EXIT.good);
  for (const { name, summary } of COMMANDS) {
    assert(out.includes(`  ${name.padEnd(2)}`) && out.includes(summary), name);
    const help = await run(world, "help", name);
    assert(help.out.startsWith(summary) && help.out.includes(`recto policy ${name}`), name);
    assertEquals((await run(world, name, "--help")).out, help.out);
  }
  const wrong = await run(world, "chekc");
  assertEquals([wrong.code, wrong.out], [EXIT.usage, ""]);
  assertMatch(
    wrong.err,
    /^Unknown command: "chekc". Did you mean "check"\?\n\nUsage: recto policy COMMAND/,
  );
});

Deno.test("every command has a unique name", () => {
  const names = COMMANDS.map(({ name }: Command) => name);
  assertEquals(new Set(names).size, names.length);
});

Deno.test("policy rejects unexpected arguments, and prints the usage", async () => {
  const world = await createWorld();
  const wrong = [
    ["explain"],
    ["explain", "GET"],
    ["explain", "GET", "/v2/pages/x", "more"],
    ["check", "--colour"],
    ["check", "--format", "yaml"],
    ["flow"],
    ["who", "GET", "/v2/nothing"],
    ["who", "what", "where"],
    ["diff", "policy/nothing.json"],
    ["diff", "no-such-revision"],
    ["diff", "--output=x"],
    ["explain", "--request", "r1"],
    ["explain", "curl -X POST"],
    ["can", "--scopes", "pages.read", "--token", "a.b.c"],
    ["can", "--token", "no token"],
    ["test", "policy/a.json", "--policy", "policy/b.json"],
    ["who", "user.person.emial"],
  ];
  for (const args of wrong) {
    const { code, err } = await run(world, ...args);
    assertEquals(code, EXIT.usage, args.join(" "));
    assertMatch(err, /Usage:\n {2}recto policy/);
  }
});

Deno.test("policy diff never passes an option to git", async () => {
  const { code, err } = await run(await createWorld(), "diff", "--", "--output=x");
  assertEquals(code, EXIT.usage);
  assertMatch(err, /^Not a git revision: "--output=x"/);
});

Deno.test("policy check exits with 0 without findings and with 3 otherwise, in every format", async () => {
  const world = await createWorld();
  assertEquals(await run(world, "check"), { code: EXIT.good, out: "No finding\n", err: "" });
  edit(world, SEARCH, '"POST /v2/search": ["search.raed"]');
  for (const format of ["text", "json", "sarif", "junit", "github"]) {
    const { code, out } = await run(world, "check", "--format", format);
    assertEquals(code, EXIT.findings);
    assert(out.includes("undeclared-scope") && out.includes("search.raed"), format);
  }
});

const EMAIL = '"user.person.email": ["users.email.read"]';

Deno.test("policy check reports the server's own errors if no rule covers them", async () => {
  const meta = "spec/meta.json";
  const changes: [string, (world: World) => unknown, string][] = [
    [
      "policy/scopes.json:1:1",
      (world) => edit(world, EMAIL, '"user.person.email": ["users.email.read", "users.read"]'),
      "Document and policy differ beyond the routes: run `deno task spec`",
    ],
    [`${meta}:1:1`, ({ files }) => files.set(meta, ""), "does not belong to spec/openapi.json"],
    [
      `${meta}:1:1`,
      ({ files }) => files.set(meta, (files.get(meta) ?? "").replace('"etag": "', '"etag": "0')),
      "does not belong to spec/openapi.json",
    ],
  ];
  for (const [place, change, sentence] of changes) {
    const world = await createWorld();
    change(world);
    const { code, out } = await run(world, "check");
    assertEquals(code, EXIT.findings, sentence);
    assert(out.startsWith(`${place}: error: `) && out.includes(sentence), out);
    assert(out.includes("[not-served]"), out);
  }
});

Deno.test("policy check of another policy names the command that writes its document", async () => {
  const world = await createWorld();
  const live = world.files.get("policy/scopes.json") ?? "";
  world.files.set("policy/ours.json", live.replace(SEARCH, WIDER));
  const missing = await run(world, "check", "policy/ours.json");
  assertEquals(missing.code, EXIT.usage);
  assert(missing.err.startsWith("No such file: policy/ours.openapi.json\n"), missing.err);
  assert(missing.err.includes("RECTO_POLICY_FILE=policy/ours.json deno task spec\n"), missing.err);
  for (const name of ["openapi", "meta"]) {
    world.files.set(`policy/ours.${name}.json`, world.files.get(`spec/${name}.json`) ?? "");
  }
  const { out } = await run(world, "check", "policy/ours.json");
  assert(out.includes("run: RECTO_POLICY_FILE=policy/ours.json deno task spec\n"), out);
  world.files.set(
    "policy/ours.json",
    live.replace(EMAIL, '"user.person.email": ["users.email.read", "users.read"]'),
  );
  const { out: fields } = await run(world, "check", "policy/ours.json");
  assert(fields.includes("run `RECTO_POLICY_FILE=policy/ours.json deno task spec`"), fields);
});

Deno.test("policy reports the place where a document is not JSON, and exits with 65", async () => {
  const world = await createWorld();
  world.files.set("spec/openapi.json", '{\n  "paths": {,}\n}\n');
  for (const args of [["check"], ["page"]]) {
    const { code, out, err } = await run(world, ...args);
    assertEquals([code, out], [EXIT.data, ""]);
    assertMatch(
      err,
      /^spec\/openapi\.json:2:13: The file is not JSON: .+\n\nRun: deno task spec\n$/,
    );
  }
});

Deno.test("policy check reports invalid cases with their place", async () => {
  const call = '"call": "POST /v2/search", "scopes": ["search.read"]';
  const faulty = [
    ['{ "cases": [', "1:12", "not-json"],
    [`{ "cases": [\n{ ${call}, "effect": "maybe" }] }`, "2:1", "wrong-shape"],
    [`{ "cases": [\n{ ${call}, ${call}, "effect": "allow" }] }`, "2:57", "duplicate-key"],
  ] as const;
  for (const [text, place, code] of faulty) {
    const world = await createWorld();
    world.files.set("policy/cases/deep/er.json", text);
    const checked = await run(world, "check");
    assertEquals(checked.code, EXIT.findings, code);
    const start = `policy/cases/deep/er.json:${place}: error: `;
    assert(checked.out.startsWith(start) && checked.out.includes(`[${code}]`), checked.out);
    if (code === "duplicate-key") continue;
    const tested = await run(world, "test");
    assertEquals(tested.code, EXIT.data);
    assertMatch(tested.err, /^policy\/cases\/deep\/er\.json.*\n\nRun: deno task policy check\n$/s);
  }
});

Deno.test("policy names an invalid file other than the policy, and does not suggest check", async () => {
  const world = await createWorld();
  world.files.set("policy/old.json", "{}");
  world.files.set("policy/approvals/x.json", "{");
  const runs = [
    ["diff", "policy/old.json"],
    ["test", "policy/old.json"],
    ["fmt", "policy/old.json"],
    ["diff", "main", "--approve", "policy/approvals/x.json"],
  ];
  for (const args of runs) {
    const { code, err } = await run(world, ...args);
    assertEquals(code, EXIT.data, args.join(" "));
    assert(err.startsWith(`${args.at(-1)}:`) && !err.includes("policy check"), err);
  }
});

Deno.test("policy check passes with warnings alone", async () => {
  const world = await createWorld();
  edit(world, '"Read basic user information."', '"Deprecated: none is left."');
  const { code, out } = await run(world, "check");
  assertEquals(code, EXIT.good);
  assertMatch(out, /0 errors, 1 warning\n$/);
});

Deno.test("policy check --base compares with a revision", async () => {
  const world = await createWorld();
  edit(world, '"GET /v2/openapi/meta": "public"', '"GET /v2/openapi/meta": ["pages.read"]');
  const live = { files: world.files, revisions: new Map(world.revisions) };
  live.revisions.set("old:./policy/scopes.json", world.files.get("policy/scopes.json") ?? "");
  edit(world, '"GET /v2/openapi/meta": ["pages.read"]', '"GET /v2/openapi/meta": "public"');
  assertEquals((await run(live, "check")).code, EXIT.good);
  const { code, out } = await run(live, "check", "--base", "old");
  assertEquals(code, EXIT.findings);
  assertMatch(out, /newly-public/);
});

Deno.test("policy reports the errors of an invalid policy", async () => {
  const world = await createWorld();
  edit(world, SEARCH, '"POST /v2/search": []');
  const { code, err } = await run(world, "can", "--scopes", "pages.read");
  assertEquals(code, EXIT.data);
  assertMatch(err, /^POST \/v2\/search: The list is empty.*\n\nRun: deno task policy check\n$/);
});

Deno.test("policy fmt writes once, and --check never writes", async () => {
  const world = await createWorld();
  assertEquals((await run(world, "fmt", "--check")).code, EXIT.good);
  const formatted = world.files.get("policy/scopes.json");
  edit(world, SEARCH, '"POST /v2/search":   { "anyOf": [["search.read"]] }');
  const messy = world.files.get("policy/scopes.json");
  const diff = await run(world, "fmt", "--diff");
  assertEquals(diff.code, EXIT.findings);
  assertMatch(
    diff.out,
    /^policy\/scopes\.json\n +34 - .*"POST \/v2\/search": {3}\{.*\n +34 \+ .*"POST \/v2\/search": \["search\.read"\],\n$/,
  );
  assertEquals((await run(world, "fmt", "--check")).code, EXIT.findings);
  assertEquals(world.files.get("policy/scopes.json"), messy);
  assertEquals((await run(world, "fmt")).code, EXIT.good);
  assertEquals(world.files.get("policy/scopes.json"), formatted);
});

Deno.test("policy diff exits with 0, 2 or 4 in every format", async () => {
  const world = await createWorld();
  assertEquals((await run(world, "diff")).code, EXIT.good);
  for (const format of ["text", "markdown", "json", "approval", "codeowners"]) {
    assertEquals((await run(world, "diff", "main", "--format", format)).code, EXIT.good);
  }
  edit(world, SEARCH, NARROWER);
  assertEquals((await run(world, "diff", "main")).code, EXIT.narrower);
  assertEquals((await run(world, "diff", "--gate")).code, EXIT.good);
  edit(world, NARROWER, WIDER);
  assertEquals((await run(world, "diff", "--gate")).code, EXIT.wider);
  for (const format of ["text", "markdown", "json", "approval", "codeowners"]) {
    assertEquals((await run(world, "diff", "main", "--format", format)).code, EXIT.wider);
  }
  assertEquals((await run(world, "diff", "policy/scopes.json", "main")).code, EXIT.narrower);
  const { changes, before, after } = JSON.parse(
    (await run(world, "diff", "main", "--format", "json")).out,
  );
  assertEquals(changes[0].gains, [["pages.read"]]);
  assert(before !== after);
});

/** Completes a draft as an owner does. */
function sign(draft: string, until = "2026-12-31"): string {
  return draft.replace('"owner": ""', '"owner": "@api"')
    .replace('"until": ""', `"until": "${until}"`)
    .replaceAll('"because": ""', '"because": "Agreed"');
}

const USERS = '"GET /v2/users/:user_id": ["users.read"]';
const OPEN_USERS = '"GET /v2/users/:user_id": { "anyOf": [["users.read"], ["pages.read"]] }';

Deno.test("policy diff exits with 0 only for the exact gains, of the exact change, until the end date", async () => {
  const world = await createWorld();
  edit(world, SEARCH, WIDER);
  const { out: draft } = await run(world, "diff", "main", "--format", "approval");
  const approve = (text: string): Promise<Run> => {
    world.files.set("policy/approvals/x.json", text);
    return run(world, "diff", "main");
  };
  assertEquals((await approve(draft)).code, EXIT.data);
  const { code, out } = await approve(sign(draft));
  assertEquals(code, EXIT.good);
  assertMatch(out, /Everything is approved by @api until 2026-12-31\n$/);
  const ended = await approve(sign(draft, "2026-11-30"));
  assertEquals(ended.code, EXIT.wider);
  assertMatch(ended.out, /policy\/approvals\/x\.json: ended on 2026-11-30/);
  edit(world, USERS, OPEN_USERS);
  const other = await approve(sign(draft));
  assertEquals(other.code, EXIT.wider);
  assertMatch(other.out, /x\.json: is for another change and approves nothing here/);
});

Deno.test("policy diff --approve takes several files and folders, and no others", async () => {
  const world = await createWorld();
  edit(world, SEARCH, WIDER);
  edit(world, USERS, OPEN_USERS);
  const draft = JSON.parse(sign((await run(world, "diff", "--format", "approval")).out));
  assertEquals(draft.approved.length, 2);
  const file = (index: number) =>
    JSON.stringify({ ...draft, approved: draft.approved.slice(index, index + 1) });
  world.files.set("policy/a/one.json", file(0));
  world.files.set("policy/b/two.json", file(1));
  world.files.set("policy/approvals/both.json", JSON.stringify(draft));
  const codeOf = async (...args: string[]) => (await run(world, "diff", "main", ...args)).code;
  assertEquals(await codeOf("--approve", "policy/a/one.json"), EXIT.wider);
  assertEquals(
    await codeOf("--approve", "policy/a/one.json", "--approve", "policy/b"),
    EXIT.good,
  );
  assertEquals(await codeOf("--approve", "policy/nothing"), EXIT.usage);
  assertEquals(await codeOf(), EXIT.good);
});

Deno.test("policy diff says which approvals are too wide", async () => {
  const world = await createWorld();
  edit(world, SEARCH, WIDER);
  const draft = JSON.parse(sign((await run(world, "diff", "--format", "approval")).out));
  draft.approved.push({ call: "POST /v2/pages", gains: [["files.write"]], because: "Later" });
  world.files.set("policy/approvals/x.json", JSON.stringify(draft));
  const { code, out } = await run(world, "diff");
  assertEquals(code, EXIT.good);
  assertMatch(out, /x\.json: approves more than this change does: POST \/v2\/pages\n/);
});

Deno.test("notes are shown with what they are about, and name who must be asked", async () => {
  const world = await createWorld();
  edit(
    world,
    '"safe": [',
    '"notes": { "POST /v2/search": { "owner": "@search", "because": "Answers show titles." } },\n  "safe": [',
  );
  assertEquals((await run(world, "check")).code, EXIT.good);
  const { out: explained } = await run(world, "explain", "POST", "/v2/search");
  assertMatch(explained, /owner {2}@search\nwhy {4}Answers show titles\.\n/);
  edit(world, SEARCH, WIDER);
  edit(world, USERS, OPEN_USERS);
  const { out } = await run(world, "diff");
  assertMatch(out, /POST \/v2\/search\n {2}\+ pages\.read\n {2}@search: Answers show titles\.\n/);
  assertEquals(
    (await run(world, "diff", "--format", "codeowners")).out,
    `# POST /v2/search: @search
# GET /v2/users/:user_id: no owner in its note
/policy/ @search
`,
  );
});

Deno.test("policy test exits with 3 if a case fails or is missing, and adds missing cases", async () => {
  const world = await createWorld();
  assertEquals((await run(world, "test")).code, EXIT.good);
  world.files.delete("policy/cases/users.json");
  const { code, out } = await run(world, "test");
  assertEquals(code, EXIT.findings);
  assertMatch(out, /uncovered {2}GET \/v2\/users\/:user_id, users.read: allow/);
  await run(world, "test", "--fill");
  const filled = world.files.get("policy/cases/users.json");
  assertEquals(filled, await Deno.readTextFile(new URL("policy/cases/users.json", root)));
  assertEquals((await run(world, "test")).code, EXIT.good);
  edit(world, SEARCH, WIDER);
  const json = JSON.parse((await run(world, "test", "--format", "json")).out);
  assertEquals(json.cases.filter(({ passed }: { passed: boolean }) => !passed).length, 1);
  assertEquals([json.points, json.uncovered.length], [47, 2]);
});

Deno.test("policy explain, can, who and flow print text and JSON", async () => {
  const world = await createWorld();
  const allowed = await run(world, "explain", "GET", "/v2/pages/x", "--scopes", "pages.read");
  assertEquals(allowed.code, EXIT.good);
  assertMatch(allowed.out, /^allow {2}GET \/v2\/pages\/:page_id\n/);
  const args = ["explain", "GET", "/v2/pages/x/content/markdown", "--format", "json"];
  const denied = await run(world, ...args);
  assertEquals(denied.code, EXIT.denied);
  assertEquals(JSON.parse(denied.out).missing, [["blocks.read", "pages.read"]]);
  const can = await run(
    world,
    "can",
    "--scopes",
    "users.read,users.email.read",
    "--format",
    "json",
  );
  assertEquals(JSON.parse(can.out), {
    calls: [
      "GET /v2/openapi/meta",
      "GET /v2/openapi.json",
      "GET /v2/users/:user_id",
      "GET /v1/users",
      "GET /v1/users/:user_id",
    ],
    shown: ["user.person.email"],
    hidden: [],
    notes: {},
  });
  assertEquals(
    (await run(world, "who", "GET", "/v2/openapi.json")).out,
    "everyone, without a token\n",
  );
  const flow = await run(world, "flow", "GET /v2/pages/x", "POST /v2/search", "GET /v2/pages/y");
  assertEquals(flow.out, "pages.read + search.read\n");
});

Deno.test("policy warns about unknown scopes of a token", async () => {
  const { err } = await run(await createWorld(), "can", "--scopes", "page.read nothing.at.all");
  assertEquals(
    err,
    'Unknown scope "page.read" has no effect. Did you mean "pages.read"?\nUnknown scope "nothing.at.all" has no effect.\n',
  );
});

Deno.test("policy page writes one page, or prints it", async () => {
  const world = await createWorld();
  assertEquals((await run(world, "page")).out, "Wrote policy/policy.html\n");
  const { out } = await run(world, "page", "--out", "-", "--base", "main");
  assert(out.startsWith("<!doctype html>"));
  assert(out.includes("same as main"));
});

Deno.test("policy page never writes over a policy: FILE is what it shows", async () => {
  const world = await createWorld();
  const live = world.files.get("policy/scopes.json") ?? "";
  const candidate = live.replace(SEARCH, WIDER);
  world.files.set("policy/ours.json", candidate);
  assertEquals((await run(world, "page", "policy/ours.json")).out, "Wrote policy/policy.html\n");
  assert(world.files.get("policy/policy.html")?.includes("POST /v2/search"));
  for (const out of ["policy/ours.json", "policy/scopes.json", "policy/x"]) {
    const { code, err } = await run(world, "page", "--out", out);
    assertEquals(code, EXIT.usage);
    assertMatch(err, /^--out must end in \.html/);
  }
  assertEquals(world.files.get("policy/ours.json"), candidate);
  assertEquals(world.files.get("policy/scopes.json"), live);
});

/** Clears the screen, begins a command of a CI system, and turns the direction of the text. */
const HOSTILE = "x\x1b[2J\n::add-mask::e\u202e";

Deno.test("nothing that a command reads is printed as more than visible characters of one line", async () => {
  const json = JSON.stringify;
  const claims = new TextEncoder().encode(json({ scope: HOSTILE })).toBase64({ omitPadding: true });
  const notes = { "POST /v2/search": { owner: HOSTILE } };
  const withNote = (text: string) => json({ ...JSON.parse(text), notes });
  const files: readonly [path: string, change: (text: string) => string, args: string[]][] = [
    ["policy/scopes.json", withNote, ["diff", "main"]],
    ["policy/scopes.json", withNote, ["check"]],
    ["policy/scopes.json", (text) => `${text}${HOSTILE}`, ["check"]],
    ["policy/scopes.json", (text) => `${text}${HOSTILE}`, ["explain", "GET", "/v2/users/1"]],
    ["policy/cases/x.json", () => json({ cases: [caseOf(HOSTILE)] }), ["test"]],
    ["policy/cases/x.json", () => json({ cases: [caseOf(HOSTILE)] }), ["check"]],
    ["policy/approvals/x.json", () => json({ owner: HOSTILE, [HOSTILE]: 1 }), ["diff", "main"]],
    ["log.jsonl", () => logLine(HOSTILE), ["least-privilege", "log.jsonl"]],
    ["log.jsonl", () => logLine(HOSTILE), ["replay", "log.jsonl", "policy/scopes.json"]],
    ["api.json", () => json(documentOf(HOSTILE)), ["init", "api.json"]],
    ["x", () => "", ["explain", "GET", "/v2/users/1", "--token", `a.${claims}.c`]],
  ];
  for (const [path, change, args] of files) {
    const world = await createWorld();
    edit(world, SEARCH, WIDER);
    world.files.set(path, change(world.files.get(path) ?? ""));
    const { out, err } = await run(world, ...args);
    const printed = out + err;
    assert(printed.length > 0, args.join(" "));
    assert(!/(?!\n)\p{Cc}|\u202e/u.test(printed), `${args}: ${json(printed)}`);
    assert(!/^ *::add-mask/m.test(printed), `${args}: ${printed}`);
  }
});

function caseOf(text: string): Record<string, unknown> {
  return { call: `GET /${text}`, note: text, scopes: [text], effect: "allow" };
}

function logLine(text: string): string {
  const call = { time: text, request: text, route: `GET ${text}`, effect: "allow" };
  return `${
    JSON.stringify({ ...call, client: text, subject: text, scopes: [text], hidden: [text] })
  }\n`;
}

function documentOf(text: string): Record<string, unknown> {
  const security = [{ oauth: ["orders:read"] }];
  const flow = { scopes: { "orders:read": text } };
  return {
    paths: { [`/a/${text}`]: { get: { security } }, "/b": { get: { security } } },
    components: { securitySchemes: { oauth: { type: "oauth2", flows: { x: flow } } } },
  };
}
