/**
 * The command line of every command: help, unknown options, and where it may be run from.
 *
 * @module
 */
import { dirname } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { resolvePaths } from "../../src/cli/argument_paths.ts";
import { COMMANDS } from "../../src/cli/recto.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { runRecto } from "../support/recto.ts";

/** Commands that run at a time. */
const AT_ONCE = 4;

/** Exit codes for a wrong command line: 2 of `policy` means that access becomes wider. */
const USAGE_CODES: Readonly<Record<string, number>> = { policy: 64 };

/** Runs work for every command, a few at a time, on a data folder that must not come into being. */
async function onEachCommand(
  work: (name: string, environment: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const names = Object.keys(COMMANDS).values();
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (const name of names) {
        await work(name, { RECTO_DATA_DIR: `${folder}/data` });
      }
    }));
    assertEquals([...Deno.readDirSync(folder)], [], "no command has written anything");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const flag of ["--help", "-h"]) {
  Deno.test(`every command prints its usage for ${flag}, and does no work`, () =>
    onEachCommand(async (name, env) => {
      const { code, stdout, stderr } = await runRecto([name, flag], { env });
      assertEquals([code, stderr], [0, ""], name);
      assertStringIncludes(`${stdout.split("\n", 1)} `, `Usage: recto ${name} `);
    }));
}

Deno.test("every command refuses an unknown option and suggests the right one", () =>
  onEachCommand(async (name, env) => {
    const { code, stdout, stderr } = await runRecto([name, "--halp"], { env });
    assertEquals([code, stdout], [USAGE_CODES[name] ?? 2, ""], name);
    assertStringIncludes(stderr, 'Unknown option --halp: Did you mean "--help"?', name);
    assertStringIncludes(`${stderr.replaceAll("\n", " ")} `, `Usage: recto ${name} `);
  }));

Deno.test("deno task assets prints its usage for --help, and downloads nothing", async () => {
  const run = (...args: string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "src/cli/assets.ts", "PACKAGE", ...args],
    }).output();
  const help = await run("--help");
  assertEquals([help.code, new TextDecoder().decode(help.stdout).split("\n")[0]], [
    ...[0, "Usage: deno task assets"],
  ]);
  assertEquals((await run("more")).code, 2);
});

Deno.test("recto --version prints the version, and recto --help how to run it from a clone", async () => {
  const version = await runRecto(["--version"]);
  assertEquals([version.code, version.stdout], [0, `${config.version}\n`]);
  const help = await runRecto(["--help"]);
  assertEquals(help.code, 0);
  assertStringIncludes(help.stdout, "deno task recto COMMAND");
});

Deno.test("paths of arguments are seen from the folder in which recto is called", () => {
  const paths = { words: true, except: ["notion"], options: ["journal"], values: ["at"] };
  const resolved = (...args: string[]) => resolvePaths(args, paths, "/home/me");
  assertEquals(resolved("a", "../b", "/c", "-"), ["/home/me/a", "/home/b", "/c", "-"]);
  assertEquals(resolved("notion", "s3://bucket/a", "https://x.example/a"), [
    ...["notion", "s3://bucket/a", "https://x.example/a"],
  ]);
  assertEquals(resolved("--journal", "a", "--journal=b", "--dry"), [
    ...["--journal", "/home/me/a", "--journal=/home/me/b", "--dry"],
  ]);
  assertEquals(resolved("--at", "12:00", "a"), ["--at", "12:00", "/home/me/a"]);
  assertEquals(resolvePaths(["a"], undefined, "/home/me"), ["a"]);
});

Deno.test("the policy's files are seen from there as well, and its revisions and scopes are not", () => {
  const resolved = (...args: string[]) => resolvePaths(args, COMMANDS.policy?.paths, "/home/me");
  assertEquals(resolved("diff", "main", "shop.json", "--log", "calls"), [
    ...["diff", "main", "/home/me/shop.json", "--log", "/home/me/calls"],
  ]);
  assertEquals(resolved("check", "--policy", "a.json", "--base=b.json"), [
    ...["check", "--policy", "/home/me/a.json", "--base=/home/me/b.json"],
  ]);
  const others = [
    "main:policy/scopes.json",
    "--policy=v1.0",
    "--scopes",
    "a.read",
    "GET",
    "/a.json",
  ];
  assertEquals(resolved(...others), others);
});

Deno.test("values of the other options of export and import are no paths", async () => {
  for (const command of ["export", "import"]) {
    const { paths } = COMMANDS[command] ?? {};
    const { stdout } = await runRecto([command, "--help"]);
    const names = [...stdout.matchAll(/^ +--([a-z-]+) /gm)].map(([, name = ""]) => name)
      .filter((name) => !["plan", "yes", ...paths?.options ?? []].includes(name));
    assert(names.length > 5);
    for (const name of names) {
      const resolved = resolvePaths([`--${name}`, "value", "a"], paths, "/home/me");
      assertEquals(resolved, [`--${name}`, "value", "/home/me/a"], `${command} --${name}`);
    }
  }
});

Deno.test("recto works from another folder: settings are relative to the checkout", async () => {
  const cwd = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    const checked = await runRecto(["policy", "check"], { cwd });
    assertEquals([checked.code, checked.stderr], [0, ""]);
    await Deno.copyFile("policy/scopes.json", `${cwd}/copy.json`);
    const formatted = await runRecto(["policy", "fmt", "--check", "copy.json"], { cwd });
    assertEquals([formatted.code, formatted.stderr], [0, ""]);
    await Deno.remove(`${cwd}/copy.json`);
    const data = { RECTO_DATA_DIR: `${cwd}/data`, RECTO_TOKEN: "t" };
    const { code, stderr } = await runRecto(["import", "nothing"], { cwd, env: data });
    assertEquals(code, 1);
    assertStringIncludes(stderr, `${cwd}/nothing`);
    assertEquals([...Deno.readDirSync(cwd)], []);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("the documented command installs recto, with permission to read, and to run Deno alone", async () => {
  const root = await Deno.makeTempDir({ prefix: "recto-" });
  const guide = await Deno.readTextFile("docs/command-line.md");
  const [, install = ""] = /```sh\n(deno install[^`]+)```/.exec(guide) ?? [];
  const sh = (script: string, cwd?: string) =>
    new Deno.Command("sh", {
      args: ["-ec", `deno() { "${Deno.execPath()}" "$@"; }\n${script}`],
      env: { DENO_INSTALL_ROOT: root, PATH: `${dirname(Deno.execPath())}:/usr/bin:/bin` },
      ...(cwd !== undefined && { cwd }),
    }).output();
  try {
    const installed = await sh(install);
    assertEquals(installed.code, 0, new TextDecoder().decode(installed.stderr));
    const launcher = await Deno.readTextFile(`${root}/bin/recto`);
    const granted = launcher.match(/--allow-[^\s']+/g)?.sort();
    assertEquals(granted, ["--allow-env", "--allow-read", `--allow-run=${Deno.execPath()}`]);
    const { code, stdout } = await sh(`"${root}/bin/recto" policy check`, root);
    assertEquals([code, new TextDecoder().decode(stdout)], [0, "No finding\n"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
