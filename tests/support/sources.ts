/**
 * The project's own source files, for tests that read them.
 *
 * @module
 */

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of a folder, at any depth. */
export function* walkSources(folder: string): Generator<SourceFile> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* walkSources(path);
    else if (path.endsWith(".ts")) yield { path, text: Deno.readTextFileSync(path) };
  }
}
