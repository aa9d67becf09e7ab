/**
 * `deno task assets`: fetches the bundle of the API reference out of its npm package; `--check` only
 * compares.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import { BUNDLE } from "../web/docs_page.ts";

if (import.meta.main) Deno.exitCode = await runAssets(Deno.args.includes("--check"));

/** Answers the exit code: 0 good, 1 where what is kept is not what the package holds. */
async function runAssets(check: boolean): Promise<0 | 1> {
  const bundle = await fetchBundle();
  const isSame = bundle.equals(await readKept());
  if (!isSame && !check) await Deno.writeFile(BUNDLE.file, gzipSync(bundle, { level: 9 }));
  const name = `${BUNDLE.entry} of ${BUNDLE.package}@${BUNDLE.version}`;
  const verb = isSame ? "is" : check ? "is not" : "is now";
  // deno-lint-ignore no-console -- a command speaks on standard output.
  console.log(`${BUNDLE.file} ${verb} ${name}`);
  return isSame || !check ? 0 : 1;
}

/** The bundle's bytes; npm proves that the package is the one that was published. */
async function fetchBundle(): Promise<Buffer> {
  const folder = await Deno.makeTempDir({ prefix: "recto-assets-" });
  try {
    const name = `${BUNDLE.package}@${BUNDLE.version}`;
    const archive = new TextDecoder().decode(
      await outputOf("npm", ["pack", name, "--silent", "--pack-destination", folder]),
    ).trim();
    const entry = `package/${BUNDLE.entry}`;
    return Buffer.from(await outputOf("tar", ["-xzOf", `${folder}/${archive}`, entry]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function outputOf(command: string, args: readonly string[]): Promise<Uint8Array> {
  const { success, stdout } = await new Deno.Command(command, {
    args: [...args],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return stdout;
}

async function readKept(): Promise<Uint8Array> {
  try {
    return gunzipSync(await Deno.readFile(BUNDLE.file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array();
    throw error;
  }
}
