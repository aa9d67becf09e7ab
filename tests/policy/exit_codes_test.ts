import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { createDesk } from "../support/walkthrough.ts";

const MAIN = new URL("../../src/cli/policy.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  /** `PATH`; default that of the tests. */
  readonly path?: string;
  readonly config?: string;
  readonly flags?: readonly string[];
}

/** Runs the real command in a process, with the permissions of the task. */
async function run(
  folder: string,
  args: readonly string[],
  { path, config = CONFIG, flags = [] }: RunOptions = {},
): Promise<Ran> {
  const permissions = ["--allow-read=policy,spec", "--allow-write=policy", "--allow-run=git"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--config", config, ...flags, ...permissions, MAIN, ...args],
    cwd: folder,
    ...(path !== undefined && { env: { PATH: path } }),
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

async function onDesk(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await createDesk();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Opens a call that deletes to everyone. */
async function widen(folder: string, description?: string): Promise<void> {
  const policy = JSON.parse(await Deno.readTextFile(`${folder}policy/scopes.json`));
  policy.routes["DELETE /v2/pages/:page_id"] = "public";
  if (description !== undefined) policy.scopes["pages.read"] = description;
  await Deno.writeTextFile(`${folder}policy/scopes.json`, JSON.stringify(policy, null, 2));
}

/** The codes with which a gate lets a change through. */
const FINE = [0, 4];

Deno.test("without git, a comparison with a revision fails with a code of its own", () =>
  onDesk(async (folder) => {
    await widen(folder);
    const { code, err } = await run(folder, ["diff", "HEAD"], { path: "/nowhere" });
    assertEquals(code, 69);
    assertMatch(err, /git cannot be run: .*Install git, or compare with a file instead\n$/);
  }));

Deno.test("a description of 10 MB hides no change", () =>
  onDesk(async (folder) => {
    await widen(folder, "x".repeat(10_000_000));
    const { code, out, err } = await run(folder, ["diff", "HEAD"]);
    assertEquals([code, err], [2, ""]);
    assertStringIncludes(out, "everyone, without a token");
    assertEquals((await run(folder, ["can"])).code, 0);
  }));

Deno.test("a lock file or configuration that does not match ends with no code that means fine", () =>
  onDesk(async (folder) => {
    await widen(folder);
    const lock = `${folder}deno.lock`;
    await Deno.writeTextFile(lock, '{"version":"5","specifiers":{"npm:valibot@1.5.0":"1.4.0"}}');
    const stale = await run(folder, ["diff", "HEAD"], { flags: ["--frozen", `--lock=${lock}`] });
    assertEquals([stale.code, FINE.includes(stale.code)], [1, false]);
    await Deno.writeTextFile(`${folder}deno.json`, "{");
    const broken = await run(folder, ["diff", "HEAD"], { config: `${folder}deno.json` });
    assertEquals([broken.code, FINE.includes(broken.code)], [1, false]);
  }));

Deno.test("a folder in the place of a file fails with a code of its own, and says which", () =>
  onDesk(async (folder) => {
    await Deno.mkdir(`${folder}policy/old.json`);
    const { code, err } = await run(folder, ["diff", "policy/old.json"]);
    assertEquals(code, 66);
    assertMatch(err, /^Cannot use policy\/old\.json: Is a directory/);
  }));

Deno.test("a file that is not UTF-8 is invalid content", () =>
  onDesk(async (folder) => {
    await Deno.writeFile(`${folder}policy/scopes.json`, new Uint8Array([0x7b, 0xff, 0x7d]));
    for (const command of ["check", "fmt", "test"]) {
      const { code, err } = await run(folder, [command]);
      assertEquals([code, err], [65, "policy/scopes.json: The file is not UTF-8 text\n"]);
    }
  }));

Deno.test("a revision that a shallow clone lacks is explained", () =>
  onDesk(async (folder) => {
    await new Deno.Command("git", { args: ["rev-parse", "HEAD"], cwd: folder }).output()
      .then(({ stdout }) => Deno.writeFile(`${folder}.git/shallow`, stdout));
    const { code, err } = await run(folder, ["diff", "v1"]);
    assertEquals(code, 64);
    assertStringIncludes(err, "This clone is shallow");
    assertStringIncludes(err, "fetch-depth: 0");
  }));

Deno.test("an unexpected error is a code of its own", async () => {
  const { runPolicy } = await import("../../src/cli/policy/cli.ts");
  const { openCommandContext } = await import("../../src/cli/policy.ts");
  let err = "";
  const context = {
    ...openCommandContext(),
    out: () => {
      throw new RangeError("Maximum call stack size exceeded");
    },
    err: (text: string) => void (err += text),
  };
  for (const args of [["help"], ["check"], ["diff", "policy/scopes.json"]]) {
    assertEquals(await runPolicy(args, context), 70);
  }
  assert(err.startsWith("The command crashed, which is a bug."), err);
});
