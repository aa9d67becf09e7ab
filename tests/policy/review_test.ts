import config from "../../deno.json" with { type: "json" };
import { openCommandContext } from "../../src/cli/policy.ts";
import { runPolicy } from "../../src/cli/policy/cli.ts";
import { createIo } from "../../src/policy/io.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { parseRequestLine } from "../../src/policy/analysis/request_line.ts";
import { createDesk } from "../support/walkthrough.ts";
import { logLine } from "./logged.ts";
import { type LiveApp, textsOf, withLiveApp } from "../policy_runtime/support.ts";

const TODAY = "2026-12-01";
const LATER = "2027-01-01";
const DELETE = "DELETE /v2/databases/:database_id";

interface Ran {
  readonly code: number;
  readonly out: string;
}

async function run(folder: string, args: readonly string[], today = TODAY): Promise<Ran> {
  let out = "";
  const print = (text: string) => void (out += text);
  const context = { ...openCommandContext(folder), out: print, err: print, today, color: false };
  return { code: await runPolicy(args, context), out };
}

async function onDesk(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await createDesk();
  try {
    await createIo(folder).git(["branch", "--move", "--force", "main"]);
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** One edit that opens a call and takes down everything that would have said so. */
async function attack(folder: string): Promise<void> {
  const file = `${folder}policy/scopes.json`;
  const policy = JSON.parse(await Deno.readTextFile(file));
  policy.routes[DELETE] = { anyOf: [["databases.write"], ["databases.read"]] };
  policy.invariants = policy.invariants
    .filter(({ name }: { name: string }) => name !== "Read scopes cannot write");
  await Deno.writeTextFile(file, JSON.stringify(policy));
  const cases = `${folder}policy/cases/databases.json`;
  const { cases: all, ...rest } = JSON.parse(await Deno.readTextFile(cases));
  const kept = all.filter((one: Record<string, unknown>) =>
    one.call !== DELETE || one.effect === "allow"
  );
  await Deno.writeTextFile(cases, JSON.stringify({ ...rest, cases: kept }));
  await run(folder, ["fmt"]);
  await run(folder, ["test", "--fill"]);
}

/** Returns the arguments of the comparison in `deno task ok`. */
function gateOf(): readonly string[] {
  assert(config.tasks.ok.dependencies.includes("policy:diff"), "ok compares with main");
  const [, , , ...args] = config.tasks["policy:diff"].command.split(" ");
  return args;
}

/** The status of the call that the comment shows, for a token that gains it. */
async function statusFor(
  call: string,
  { send, mint }: { readonly send: LiveApp["call"]; readonly mint: LiveApp["mint"] },
): Promise<number> {
  return (await send(call, { token: await mint({ scope: "databases.read" }) })).status;
}

/** Four clients: one reads databases, one tries to delete them, two are not concerned. */
const LOG = [
  { client: "zapier", route: "GET /v2/databases/:database_id", scopes: ["databases.read"] },
  {
    client: "etl",
    route: DELETE,
    effect: "deny" as const,
    scopes: ["databases.read", "pages.read"],
  },
  { client: "mobile", route: DELETE, scopes: ["databases.read", "databases.write"] },
  { client: "ci-bot", route: "PATCH /v2/pages/:page_id", scopes: ["pages.write"] },
].flatMap((one, index) =>
  Array.from(
    { length: [300, 3, 40, 42][index] ?? 0 },
    () => logLine({ ...one, time: `2026-11-${28 + Math.min(index, 1)}T10:00:00.000Z` }),
  )
).join("");

Deno.test("a change that opens a call and drops its guards is stopped, named, refused, and let through by an approval until its last day", () =>
  onDesk(async (folder) => {
    const live = await Deno.readTextFile(`${folder}policy/scopes.json`);
    assertEquals((await run(folder, gateOf())).code, 0);
    await attack(folder);
    const edited = await Deno.readTextFile(`${folder}policy/scopes.json`);

    const stopped = await run(folder, gateOf());
    assertEquals(stopped.code, 2);
    assertEquals(
      stopped.out,
      `The new policy widens access
${DELETE}
  + databases.read
Guards
! statement broken: Read scopes cannot write (a token with databases.read can call ${DELETE})
! statement removed: Read scopes cannot write
  case superseded: ${DELETE}, all but databases.write: deny
1 gain and 2 lost guards not approved
`,
    );
    const log = `${folder}decisions.jsonl`;
    await Deno.writeTextFile(log, LOG);
    const comment = await run(folder, ["diff", "main", "--format", "markdown", "--log", log]);
    assertStringIncludes(
      comment.out,
      "**This change opens 1 call for etl and zapier and drops or weakens 2 guards.**",
    );
    assertEquals(comment.out.match(/^\| `.*/gm), [
      `| \`zapier\`, 300 calls, last on 2026-11-28 | \`${DELETE}\`: never called it, last seen on 2026-11-28 | – |`,
      `| \`etl\`, 3 calls, last on 2026-11-29 | \`${DELETE}\`: called it 3 times, last on 2026-11-29 | – |`,
      `| \`${DELETE}\` | databases.write | databases.read, or databases.write | databases.read | – |`,
    ]);
    assertStringIncludes(comment.out, "statement removed: Read scopes cannot write");
    const [, shown = ""] = /^(curl .*)$/m.exec(comment.out) ?? [];
    assertEquals(/--scope '([^']*)'/.exec(shown)?.[1], "databases.read");
    const { call } = parseRequestLine([shown]);
    const statusOf = ({ call: send, mint }: LiveApp) => statusFor(call, { send, mint });

    const draft = (await run(folder, ["diff", "--format", "approval"])).out;
    const approval = draft.replace('"owner": ""', '"owner": "@acme/databases"')
      .replace('"until": ""', '"until": "2026-12-31"')
      .replaceAll('"because": ""', '"because": "Agreed in the review of 1 December"');
    await Deno.mkdir(`${folder}policy/approvals`);
    await Deno.writeTextFile(`${folder}policy/approvals/x.json`, approval);
    assertEquals((await run(folder, gateOf())).code, 0);
    const ended = await run(folder, gateOf(), LATER);
    assertEquals(ended.code, 2);
    assertStringIncludes(ended.out, "x.json: ended on 2026-12-31");

    for (
      const [today, result, status] of [[TODAY, "adopted", 404], [LATER, "refused", 403]] as const
    ) {
      await withLiveApp(async (app) => {
        await app.write(await textsOf(edited));
        assertEquals([await app.reload(), await statusOf(app)], ["refused", 403]);
        const { refused } = (await app.call("GET /readyz", { token: null })).json.policy;
        assertEquals(refused.faults, [
          `scopes.json: ${DELETE} would open to tokens with databases.read, which no approval in ${app.approvals} covers`,
          `scopes.json: statement broken: Read scopes cannot write (a token with databases.read can call ${DELETE}), which no approval in ${app.approvals} covers`,
          `scopes.json: statement removed: Read scopes cannot write, which no approval in ${app.approvals} covers`,
        ]);
        await Deno.mkdir(app.approvals);
        await Deno.writeTextFile(`${app.approvals}/x.json`, approval);
        assertEquals([await app.reload(), await statusOf(app)], [result, status]);
      }, {
        startPolicy: live,
        gate: { mode: "approved", digest: undefined, now: () => Date.parse(today) },
      });
    }
  }));

Deno.test("the same change with the call listed as safe is refused by check and still stopped", () =>
  onDesk(async (folder) => {
    await attack(folder);
    const file = `${folder}policy/scopes.json`;
    const policy = JSON.parse(await Deno.readTextFile(file));
    policy.safe.push(DELETE, "POST /v2/pages");
    await Deno.writeTextFile(file, JSON.stringify(policy));
    const checked = await run(folder, ["check"]);
    assertEquals(checked.code, 3);
    assertStringIncludes(checked.out, "[unsafe-method]");
    const { code, out } = await run(folder, gateOf());
    assertEquals(code, 2);
    assertStringIncludes(out, `! call now counts as reading: ${DELETE}\n`);
    assertStringIncludes(out, "! call now counts as reading: POST /v2/pages\n");
  }));

Deno.test("removing statements alone, or a case that still holds, needs consent", () =>
  onDesk(async (folder) => {
    const file = `${folder}policy/scopes.json`;
    const policy = JSON.parse(await Deno.readTextFile(file));
    const names = policy.invariants.map(({ name }: { name: string }) => name);
    await Deno.writeTextFile(file, JSON.stringify({ ...policy, invariants: [] }));
    await Deno.remove(`${folder}policy/cases/users.json`);
    const { code, out } = await run(folder, gateOf());
    assertEquals(code, 2);
    for (const name of names) assertStringIncludes(out, `! statement removed: ${name}\n`);
    assertStringIncludes(out, "! case removed: GET /v2/users/:user_id, users.read: allow\n");
  }));

Deno.test("without a branch main, the comparison says what to name", () =>
  onDesk(async (folder) => {
    await createIo(folder).git(["branch", "--move", "trunk"]);
    const { code, out } = await run(folder, gateOf());
    assertEquals(code, 64);
    assertStringIncludes(out, "There is no branch main to compare with");
    assertEquals((await run(folder, ["diff", "trunk"])).code, 0);
  }));
