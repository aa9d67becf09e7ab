/**
 * The tools that read OpenAPI documents, installed as `npm/package-lock.json` says, and run.
 *
 * @module
 */

const SOURCES = new URL("npm/", import.meta.url);
/** Not committed; installed again if the lock file has changed. */
export const TOOLS = new URL("../../.tools/", import.meta.url).pathname;
export const DOCUMENT = new URL("../../spec/openapi.json", import.meta.url).pathname;

/** Brings the tools to the state of the lock, and their settings beside them. */
export async function installTools(): Promise<void> {
  await Deno.mkdir(TOOLS, { recursive: true });
  for await (const { name } of Deno.readDir(SOURCES)) {
    await Deno.copyFile(new URL(name, SOURCES), `${TOOLS}${name}`);
  }
  const lock = await Deno.readTextFile(`${TOOLS}package-lock.json`);
  const installed = await Deno.readTextFile(`${TOOLS}.installed`).catch(() => "");
  if (installed === lock) return;
  const { code, output } = await run("npm", ["ci", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(output);
  await Deno.writeTextFile(`${TOOLS}.installed`, lock);
}

export interface Ran {
  readonly code: number;
  /** Standard output and standard error, one after the other. */
  readonly output: string;
}

/** Runs a tool by the name that npm gave it, under the Node.js that is installed with it. */
export function runTool(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return run("node", [`node_modules/.bin/${name}`, ...args], env);
}

/** Runs a command where the tools are. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = new Deno.Command(command, { args: [...args], cwd: TOOLS, env: environment(env) });
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** The tools' own Node.js before the system's; nothing is reported to anybody. */
export function environment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: `${TOOLS}node_modules/node/bin:${Deno.env.get("PATH")}`,
    DO_NOT_TRACK: "1",
    NO_COLOR: "1",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    REDOCLY_TELEMETRY: "off",
    SCARF_ANALYTICS: "false",
    ...env,
  };
}
