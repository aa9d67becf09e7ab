/**
 * The licenses of the packages in what is built, which must be passed on with it.
 *
 * @module
 */

/** A file of a package in the cache of Deno: its folder, its name and its version. */
const PACKAGED = /^(.*\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/([^/]+))\//;
const LICENSE = /^(?:licen[sc]e|copying|notice)(?:\.\w+)?$/i;

/** Returns the texts of the licenses of these files; files of ours have none. */
export async function licensesOf(files: Iterable<string>): Promise<string> {
  const packages = new Map<string, string>();
  for (const file of files) {
    const [, folder, name, version] = PACKAGED.exec(file) ?? [];
    if (folder !== undefined) packages.set(`${name} ${version}`, folder);
  }
  const texts = [...packages].toSorted().map(async ([name, folder]) =>
    `${name}\n\n${(await licenseIn(folder)).trim()}\n`
  );
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}

/** Returns the license of a package, or what it says of itself if it ships no text. */
async function licenseIn(folder: string): Promise<string> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && LICENSE.test(name)) return await Deno.readTextFile(`${folder}/${name}`);
  }
  const { license, author, repository } = JSON.parse(
    await Deno.readTextFile(`${folder}/package.json`),
  );
  return JSON.stringify({ license, author, repository }, null, 2);
}
