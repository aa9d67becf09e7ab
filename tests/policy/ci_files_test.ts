import { parse } from "@std/yaml/parse";
import { openCommandContext } from "../../src/cli/policy.ts";
import { runPolicy } from "../../src/cli/policy/cli.ts";
import { createIo } from "../../src/policy/io.ts";
import config from "../../deno.json" with { type: "json" };
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { createDesk } from "../support/walkthrough.ts";
import { logLine } from "./logged.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => Deno.readTextFileSync(new URL(path, root));

const WORKFLOW = ".github/workflows/policy.yml";
const GUIDE = "docs/policy-ci.md";
const HOOK = ".githooks/pre-commit";

/** The command lines of `deno task policy` in a file, without redirections. */
function commandsIn(path: string): string[][] {
  const lines = read(path).matchAll(/deno task policy ([^`\n]*)/g);
  return [...lines].map(([, line = ""]) =>
    line.replace(/ (?:>|\|\|).*$/, "").replaceAll('"$PAGE"', "https://ci.example/1").split(" ")
  );
}

async function run(
  folder: string,
  args: readonly string[],
): Promise<{ code: number; err: string }> {
  let err = "";
  const print = (text: string) => void (err += text);
  const context = { ...openCommandContext(folder), out: () => {}, err: print, color: false };
  return { code: await runPolicy(args, context), err };
}

/** A desk with the branch main and a copy of it as the remote one, and a log. */
async function onDesk(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await createDesk();
  try {
    const { git } = createIo(folder);
    await git(["branch", "--move", "--force", "main"]);
    await git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    await Deno.writeTextFile(`${folder}decisions.jsonl`, logLine({ client: "crm" }));
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const path of [WORKFLOW, GUIDE, HOOK]) {
  Deno.test(`the commands of ${path} work`, () =>
    onDesk(async (folder) => {
      const commands = commandsIn(path);
      assert(commands.length > 0);
      for (const args of commands) {
        const own = args.map((arg) => arg === "decisions.jsonl" ? `${folder}${arg}` : arg);
        assertEquals(await run(folder, own), { code: 0, err: "" }, own.join(" "));
      }
    }));
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

Deno.test("the workflow fetches the whole history, and gates last", () => {
  // The file is checked in beside this test, so its shape is known.
  const workflow = parse(read(WORKFLOW)) as { jobs: { review: { steps: Step[] } } };
  const { steps } = workflow.jobs.review;
  assertEquals(steps[0]?.with, { "fetch-depth": 0 });
  const runs = steps.flatMap(({ run }) => run ?? []);
  assert(runs.some((line) => line === "deno task policy diff origin/main --gate --format github"));
  for (const line of runs.filter((one) => one.includes("policy diff") && !one.includes("--gate"))) {
    assertStringIncludes(line, 'case "${code:-0}" in 0 | 2 | 4) ;; *) exit "$code" ;; esac');
  }
});

/** Runs the hook with a `deno` that ends with these codes: for `policy:check`, for `policy diff`. */
async function runHook(folder: string, [check, diff]: readonly [number, number]): Promise<number> {
  const deno = `#!/bin/sh\ncase "$*" in *policy:check*) exit ${check};; *) exit ${diff};; esac\n`;
  await Deno.mkdir(`${folder}bin`, { recursive: true });
  await Deno.writeTextFile(`${folder}bin/deno`, deno, { mode: 0o755 });
  const { code } = await new Deno.Command("sh", {
    args: ["-c", `PATH="${folder}bin:$PATH" sh ${new URL(HOOK, root).pathname}`],
    cwd: folder,
    stdout: "null",
    stderr: "null",
  }).output();
  return code;
}

Deno.test("the hook stops what check finds and what crashes, and lets the rest through", () =>
  onDesk(async (folder) => {
    assert("policy:check" in config.tasks);
    assertEquals(await runHook(folder, [3, 2]), 0, "nothing of the policy is staged");
    await Deno.writeTextFile(`${folder}policy/x.json`, "{}");
    await createIo(folder).git(["add", "policy"]);
    for (
      const [codes, expected] of [
        [[0, 0], 0],
        [[0, 2], 0],
        [[0, 4], 0],
        [[3, 0], 3],
        [[0, 1], 1],
        [[0, 70], 1],
      ] as const
    ) {
      assertEquals(await runHook(folder, codes), expected, String(codes));
    }
  }));
