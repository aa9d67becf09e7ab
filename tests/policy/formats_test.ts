import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with {
  type: "json",
};
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { openCommandContext } from "../../src/cli/policy.ts";
import { runPolicy } from "../../src/cli/policy/cli.ts";
import { printJunit } from "../../src/policy/report/junit.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { createDesk } from "../support/walkthrough.ts";

const DELETE = "DELETE /v2/databases/:database_id";

interface Ran {
  readonly code: number;
  readonly out: string;
}

/** Runs a command on an edited policy: one call opens, one closes, a statement and a case go. */
async function runEdited(args: readonly string[]): Promise<Ran> {
  const folder = await createDesk();
  try {
    const file = `${folder}policy/scopes.json`;
    const policy = JSON.parse(await Deno.readTextFile(file));
    policy.routes[DELETE] = { anyOf: [["databases.write"], ["databases.read"]] };
    policy.routes["POST /v2/search"] = ["search.read", "pages.read"];
    policy.invariants.shift();
    await Deno.writeTextFile(file, JSON.stringify(policy, null, 2));
    await Deno.remove(`${folder}policy/cases/users.json`);
    await Deno.mkdir(`${folder}policy/approvals`);
    await Deno.writeTextFile(`${folder}policy/approvals/old.json`, approval());
    return await runIn(folder, args);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runIn(folder: string, args: readonly string[]): Promise<Ran> {
  let out = "";
  const print = (text: string) => void (out += text);
  const context = { ...openCommandContext(folder), out: print, err: print, color: false };
  return { code: await runPolicy(args, { ...context, today: "2026-12-01" }), out };
}

function approval(): string {
  const digest = "0".repeat(64);
  const dates = { owner: "@acme", until: "2026-01-01" };
  return JSON.stringify({ before: digest, after: digest, ...dates, approved: [] });
}

const isSarif = createValidator();

function sarifIssues(log: unknown): unknown[] {
  return isSarif(log) ? [] : [...isSarif.errors ?? []];
}

function createValidator() {
  // The schema is older than the rule that its patterns are Unicode ones.
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  // The package's type declarations have no call signature under ES modules.
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  // Draft 4 names the ID "id", which later drafts refuse.
  const { id: _, $schema: __, ...schema } = sarifSchema;
  return ajv.compile(schema);
}

for (const command of ["check", "diff HEAD", "test"]) {
  Deno.test(`the SARIF of policy ${command} is valid against the schema of SARIF 2.1.0`, async () => {
    const { out } = await runEdited([...command.split(" "), "--format", "sarif"]);
    const log = JSON.parse(out);
    assert(log.runs[0].results.length > 0);
    assertEquals(sarifIssues(log), []);
    for (const { ruleId, ruleIndex, locations } of log.runs[0].results) {
      assertEquals(log.runs[0].tool.driver.rules[ruleIndex].id, ruleId);
      const { startLine, startColumn, endColumn } = locations[0].physicalLocation.region;
      assert(startLine > 0 && startColumn > 0 && endColumn > startColumn);
    }
    log.runs[0].tool.driver.informationUri = "policy/README.md#relative path";
    assert(sarifIssues(log).length > 0, "the schema refuses what is no URI");
  });
}

for (const command of ["check", "diff HEAD", "test"]) {
  Deno.test(`the JUnit XML of policy ${command} has its shape, and counts what failed`, async () => {
    const { out } = await runEdited([...command.split(" "), "--format", "junit"]);
    const { tests, failures } = readJunit(out);
    assert(failures > 0 && tests > 0);
  });
}

/** Reads the XML by its strict shape: one suite of cases, each with at most one failure. */
function readJunit(text: string): { readonly tests: number; readonly failures: number } {
  const value = String.raw`"(?:[^<&"\n]|&(?:amp|lt|gt|quot|#10);)*"`;
  const content = String.raw`(?:[^<&]|&(?:amp|lt|gt|quot|#10);)*`;
  const failure = String.raw`\n    <failure message=${value}>${content}</failure>\n  </testcase>`;
  const testcase = String.raw`  <testcase classname=${value} name=${value}(?:/>|>${failure})\n`;
  const head = String.raw`<\?xml version="1\.0" encoding="UTF-8"\?>\n`;
  const suite = String.raw`<testsuite name=${value} tests="(\d+)" failures="(\d+)">\n`;
  assertMatch(text, new RegExp(`^${head}${suite}(?:${testcase})*</testsuite>\n$`, "u"));
  const [, tests, failures] = new RegExp(suite).exec(text) ?? [];
  assertEquals(text.match(/<testcase /g)?.length, Number(tests));
  assertEquals(text.match(/<failure /g)?.length ?? 0, Number(failures));
  return { tests: Number(tests), failures: Number(failures) };
}

Deno.test("JUnit XML has no character that XML forbids", () => {
  const text = '\u0000\u001b[31m<a b="c">&\u0085\uffff\n';
  readJunit(printJunit(text, [{ group: text, name: text, failure: { message: text, text } }]));
});

Deno.test("an unchanged policy is one passing test case of diff, and no annotation", async () => {
  const folder = await createDesk();
  try {
    const junit = await runIn(folder, ["diff", "HEAD", "--format", "junit"]);
    assertEquals(readJunit(junit.out), { tests: 1, failures: 0 });
    assertEquals(await runIn(folder, ["diff", "HEAD", "--format", "github"]), { code: 0, out: "" });
    assertEquals(await runIn(folder, ["test", "--format", "github"]), { code: 0, out: "" });
    assertEquals(readJunit((await runIn(folder, ["test", "--format", "junit"])).out), {
      tests: 46,
      failures: 0,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("annotations of diff are errors where approval is missing, at the lines of the rules", async () => {
  const { code, out } = await runEdited(["diff", "HEAD", "--format", "github"]);
  assertEquals(code, 2);
  const lines = out.trimEnd().split("\n");
  const places = lines.map((line) =>
    line.replace(/^::(\w+) file=([^,]+),.*title=([^:]+)::.*$/, "$1 $2 $3")
  );
  assertEquals(
    new Set(places),
    new Set([
      "error policy/scopes.json access-gained",
      "warning policy/scopes.json access-lost",
      "error policy/scopes.json guard-lost",
      "warning policy/approvals/old.json approval-unused",
    ]),
  );
  assertStringIncludes(out, `Tokens with databases.read gain ${DELETE}. To approve it, run`);
  assertStringIncludes(out, "Tokens with search.read lose POST /v2/search\n");
});

Deno.test("annotations of test are at the lines of the cases, or of the rule without one", async () => {
  const { code, out } = await runEdited(["test", "--format", "github"]);
  assertEquals(code, 3);
  assertMatch(
    out,
    /::error file=policy\/cases\/databases\.json,line=\d+,.*title=failed-case::DELETE/,
  );
  assertMatch(out, /::error file=policy\/scopes\.json,line=\d+,.*title=uncovered-point::No case/);
});
