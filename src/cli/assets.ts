/**
 * `deno task assets`: writes `assets/` from an npm package.
 *
 * @module
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";

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

if (import.meta.main) {
  const [name = ""] = Deno.args;
  const bundle = await fetchBundle(name);
  await Deno.writeFile(
    `${FOLDER}/api-reference.js.gz`,
    await promisify(gzip)(bundle, { level: 9 }),
  );
}
