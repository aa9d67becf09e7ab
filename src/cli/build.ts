/**
 * `deno task build`: writes the service and the commands in few files, so that they start faster.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { DENO_FLAGS } from "../config/processes.ts";
import { licensesOf } from "./build/licenses.ts";
import { runCommandLine } from "./options.ts";
import { type CommandResult, conclude, failure } from "./result.ts";

const FOLDER = "built";
const LAUNCHER = "src/cli/recto.ts";
/** Folders and files that the service and its commands need beside the code. */
const BESIDE = ["assets", "policy", "spec", "LICENSE"];

/** How a module names another one that a process or a Worker runs. */
const ADDRESS = /import\.meta\.resolve\("([^"]+)\.ts"\)/g;

const USAGE = `Usage: deno task build

Writes the service and all commands to ${FOLDER}/ in few files, from which they start faster. It needs
nothing but Deno, and can be moved: in it, \`deno task start\` serves.
`;

/** Returns the modules that the launcher and a host of \`serve.ts\` run, and those that these run. */
async function findEntries(): Promise<readonly string[]> {
  const entries = new Set<string>(["serve.ts", LAUNCHER]);
  for await (const path of sources("src", ".ts")) {
    for (const [, module] of (await Deno.readTextFile(path)).matchAll(ADDRESS)) {
      const entry = join(dirname(path), `${module}.ts`);
      // The benchmark of search has what only tests have.
      if (!entry.startsWith("tests/")) entries.add(entry);
    }
  }
  return [...entries];
}

async function* sources(folder: string, extension: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path, extension);
    else if (name.endsWith(extension)) yield path;
  }
}

/**
 * Bundles the entries: each at its path, and what they share in files beside `main.js`. A Worker has
 * a file of its own, because it may load none from outside of `src/`.
 */
async function bundle(entries: readonly string[]): Promise<void> {
  const isWorker = (entry: string) => entry.endsWith("_worker.ts");
  const workers = entries.filter(isWorker).map((entry) => [`--output=${toBuilt(entry)}`, entry]);
  const others = entries.filter((entry) => !isWorker(entry));
  const shared = ["--code-splitting", `--outdir=${FOLDER}`, ...others];
  // Alone, because the first one on a machine installs esbuild, which several at once fail to do.
  await runBundler(shared);
  await Promise.all(workers.map(runBundler));
}

async function runBundler(options: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=deno", "--sourcemap=linked", ...options],
  }).output();
  if (!success) throw new Error(`deno bundle failed: ${new TextDecoder().decode(stderr)}`);
}

/** Returns a file of the bundle with the addresses of the modules that are built. */
function withAddresses(text: string, folder: string, entries: readonly string[]): string {
  return text.replace(ADDRESS, (address, module: string) => {
    const path = `${module.replace(/^(?:\.\.?\/)+/, "")}.ts`;
    const [entry, ...others] = entries.filter((one) => `/${one}`.endsWith(`/${path}`));
    if (others.length > 0) throw new Error(`Several modules that run are named ${path}`);
    if (entry === undefined) return address;
    return `import.meta.resolve("./${relative(folder, toBuilt(entry))}")`;
  });
}

function toBuilt(path: string): string {
  return `${FOLDER}/${toJs(path)}`;
}

function toJs(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/** Throws for a command that another one imports: what runs it would not be in its file. */
async function assertRuns(entry: string): Promise<void> {
  const isMain = /import\.meta\.main/;
  const runs = isMain.test(await Deno.readTextFile(entry));
  if (!runs || isMain.test(await Deno.readTextFile(toBuilt(entry)))) return;
  throw new Error(`${entry} is imported by another module that runs`);
}

/**
 * Returns the configuration of what is built: it has no packages, but the tasks of the launcher, which
 * gets the options of the processes that it starts. With others, V8 would compile anew in each.
 */
function builtConfig(): string {
  const toBuiltCommand = (command: string) =>
    command.replace(LAUNCHER, toJs(LAUNCHER)).replace("run", ["run", ...DENO_FLAGS].join(" "));
  const tasks = Object.entries(config.tasks).flatMap(([name, task]) =>
    "command" in task && task.command.includes(LAUNCHER)
      ? [[name, { ...task, command: toBuiltCommand(task.command) }]]
      : []
  );
  return `${JSON.stringify({ tasks: Object.fromEntries(tasks) }, null, 2)}\n`;
}

/** Copies a file, or a folder with all that is in it. */
async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

async function build(): Promise<CommandResult> {
  // A server may run from it, and its data may be in it.
  if (existsSync(FOLDER)) return failure(1, `${FOLDER}/ exists: delete or rename it first\n`);
  const entries = await findEntries();
  await bundle(entries);
  const bundled = new Set<string>();
  for await (const path of sources(FOLDER, ".js")) {
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, withAddresses(text, dirname(path), entries));
    const { sources: names } = JSON.parse(await Deno.readTextFile(`${path}.map`));
    for (const name of names) bundled.add(join(dirname(path), name));
  }
  for (const entry of entries) await assertRuns(entry);
  for (const path of BESIDE) await copy(path, `${FOLDER}/${path}`);
  await Deno.writeTextFile(`${FOLDER}/LICENSES`, await licensesOf(bundled));
  await Deno.writeTextFile(`${FOLDER}/deno.json`, builtConfig());
  return { code: 0, stdout: `Wrote ${FOLDER}/\n`, stderr: "" };
}

if (import.meta.main) {
  await conclude(await runCommandLine({ usage: USAGE, values: [] }, Deno.args, build));
}
