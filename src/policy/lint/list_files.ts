/**
 * Lists the files below a folder.
 *
 * @module
 */

/**
 * Returns the sorted paths of the files below a folder, at any depth, that have this ending; an empty
 * list if the folder does not exist. Skips names with a leading dot: mounted folders (ConfigMaps) have
 * a second copy of their files there.
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
