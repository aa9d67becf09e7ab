/**
 * Installs the clients of the vendor's API, as `npm/package-lock.json` and `packed.ts` name them.
 *
 * @module
 */
import { PACKED, type Packed } from "./packed.ts";

const SOURCES = new URL("npm/", import.meta.url);
const PROGRAMS = new URL("programs/", import.meta.url);
/** Not committed; installed again if the lock or the list has changed. */
export const CLIENTS = new URL("../../.clients/", import.meta.url).pathname;

/** Brings the packages to the state of the lock and of the list, and the programs beside them. */
export async function installClients(): Promise<void> {
  await Deno.mkdir(`${CLIENTS}programs`, { recursive: true });
  await copyFiles(SOURCES, CLIENTS);
  await copyFiles(PROGRAMS, `${CLIENTS}programs/`);
  const wanted = await Deno.readTextFile(`${CLIENTS}package-lock.json`) + JSON.stringify(PACKED);
  const installed = await Deno.readTextFile(`${CLIENTS}.installed`).catch(() => "");
  if (installed === wanted) return;
  await run("npm", ["ci", "--no-audit", "--no-fund"]);
  for (const packed of PACKED) await unpack(packed);
  await Deno.writeTextFile(`${CLIENTS}.installed`, wanted);
}

async function copyFiles(from: URL, to: string): Promise<void> {
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(new URL(name, from), `${to}${name}`);
  }
}

/** Fetches a package, checks it, and unpacks what is wanted of it. */
async function unpack({ name, version, integrity, folder, parts, links = {} }: Packed) {
  const target = `${CLIENTS}packed/${folder}`;
  await Deno.remove(target, { recursive: true }).catch(() => {});
  await Deno.mkdir(target, { recursive: true });
  const output = await run("npm", ["pack", `${name}@${version}`, "--ignore-scripts", "--silent"]);
  const archive = `${CLIENTS}${output.trim().split("\n").at(-1)}`;
  const found = `sha512-${await hash(archive)}`;
  if (found !== integrity) throw new Error(`${name}@${version} is ${found}, not ${integrity}`);
  const members = parts?.map((part) => `package/${part}`) ?? [];
  await run("tar", ["xzf", archive, "-C", target, "--strip-components=1", ...members]);
  await Deno.remove(archive);
  for (const [alias, own] of Object.entries(links)) {
    const link = `${target}/node_modules/${alias}`;
    await Deno.mkdir(link.slice(0, link.lastIndexOf("/")), { recursive: true });
    await Deno.symlink(`${CLIENTS}node_modules/${own}`, link);
  }
}

async function hash(file: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-512", await Deno.readFile(file));
  return new Uint8Array(digest).toBase64();
}

/** Runs a command where the clients are, and returns what it printed. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = new Deno.Command(command, { args: [...args], cwd: CLIENTS });
  const { success, stdout, stderr } = await child.output();
  const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${command} ${args.join(" ")}\n${output}\n${errors}`);
  return output ?? "";
}
