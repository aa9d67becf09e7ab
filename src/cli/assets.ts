/**
 * `deno task assets`: writes `assets/` from an npm package.
 *
 * @module
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { runCommandLine } from "./options.ts";
import { type CommandResult, conclude } from "./result.ts";

const FOLDER = "assets";
const BUNDLE = "package/dist/browser/standalone.js";

/** Downloads the browser bundle of an npm package, given as `NAME@VERSION`. */
export async function fetchBundle(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await run("npm", ["pack", name, "--silent", "--pack-destination", FOLDER]);
  const archive = `${FOLDER}/${new TextDecoder().decode(packed).trim()}`;
  try {
    return await run("tar", ["--extract", "--gzip", "--to-stdout", "--file", archive, BUNDLE]);
  } finally {
    await Deno.remove(archive);
  }
}

async function run(command: string, args: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr)}`);
  return stdout;
}

const USAGE = `Usage: deno task assets

Downloads the API reference's package from npm, and writes its browser bundle to assets/.
`;

/** Writes the bundle of a package, which the task names. */
function assets(args: readonly string[]): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: [], words: [1, 1] } as const;
  return runCommandLine(commandLine, args, async ({ positionals: [name = ""] }) => {
    const file = `${FOLDER}/api-reference.js.gz`;
    await Deno.writeFile(file, await promisify(gzip)(await fetchBundle(name), { level: 9 }));
    return { code: 0, stdout: `Wrote ${file}\n`, stderr: "" };
  });
}

if (import.meta.main) await conclude(await assets(Deno.args));
