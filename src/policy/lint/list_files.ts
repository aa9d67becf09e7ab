/**
 * The files of a folder, however deep.
 *
 * @module
 */

/**
 * Paths of the files below a folder that end so, sorted; none where there is no such folder. Names
 * that begin with a dot are passed over: mounted folders keep a second copy of their files there.
 */
export async function listFiles(folder: string, ending: string): Promise<string[]> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith("."));
  const paths = await Promise.all(entries.map(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return listFiles(path, ending);
    return path.endsWith(ending) ? [path] : [];
  }));
  return paths.flat().sort();
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
