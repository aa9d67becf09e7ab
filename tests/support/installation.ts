/**
 * Installations of the service, apart from the checkout.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";

/** The files that an installation needs: the context of the image. */
const NEEDED = (await Deno.readTextFile("deploy/Dockerfile.dockerignore")).split("\n")
  .filter((line) => line.startsWith("!")).map((line) => line.slice(1));

export interface Installation {
  /** Folder of its code. */
  readonly folder: string;
  /** The module that runs commands. */
  readonly launcher: string;
  /** The module that serves. */
  readonly main: string;
}

/** Copies the source to a folder. */
export async function installSource(folder: string): Promise<Installation> {
  await Deno.mkdir(`${folder}/deploy`, { recursive: true });
  for (const path of NEEDED) await run("cp", ["-r", path, `${folder}/${path}`]);
  return { folder, launcher: "src/cli/recto.ts", main: "main.ts" };
}

/** Copies the source to a folder, and builds the service in it. */
export async function installBuilt(folder: string): Promise<Installation> {
  await installSource(folder);
  await run(Deno.execPath(), ["task", "build"], folder);
  return { folder: `${folder}/built`, launcher: "src/cli/recto.js", main: "main.js" };
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const options = { args: [...args], ...(cwd !== undefined && { cwd }) };
  const { code, stderr } = await new Deno.Command(command, options).output();
  assertEquals(code, 0, `${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
