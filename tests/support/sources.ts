/**
 * The project's own source files, for tests that read them.
 *
 * @module
 */

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Yields all TypeScript files of a folder, at any depth. */
export function* walkSources(folder: string): Generator<SourceFile> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* walkSources(path);
    else if (path.endsWith(".ts")) yield { path, text: Deno.readTextFileSync(path) };
  }
}

/** A file of `src/`. */
export interface Source {
  /** Path inside `src/`, without its extension. */
  readonly name: string;
  readonly text: string;
}

/** Reads all files of `src/`. */
export function* sources(): Generator<Source> {
  for (const { path, text } of walkSources("src")) {
    yield { name: path.slice("src/".length, -".ts".length), text };
  }
}

export interface SourceImport {
  /** Path inside `src/`, without its extension. */
  readonly target: string;
  readonly typeOnly: boolean;
}

/** Returns the files of `src/` that a file imports, statically or dynamically. */
export function importsIn({ name, text }: Source): SourceImport[] {
  const statements = text.matchAll(/^(?:import|export)\s+([^"';]*?)\s*from\s+"(\.[^"]+)"/gm);
  const onDemand = text.matchAll(/\bimport\("(\.[^"]+)"\)/g);
  const targetOf = (path: string) =>
    new URL(path, `file:///${name}`).pathname.slice(1).replace(/\.ts$/, "");
  return [
    ...[...statements].map(([, clause = "", path = ""]) => ({
      target: targetOf(path),
      typeOnly: clause.startsWith("type ") || namesTypesAlone(clause),
    })),
    ...[...onDemand].map(([, path = ""]) => ({ target: targetOf(path), typeOnly: false })),
  ];
}

function namesTypesAlone(clause: string): boolean {
  const names = /^\{([\s\S]*)\}$/.exec(clause)?.[1]?.split(",").map((name) => name.trim());
  return names !== undefined && names.every((name) => name === "" || name.startsWith("type "));
}

/** Returns the top folder of a path inside `src/`. */
export function folderOf(path: string): string {
  return path.split("/")[0] ?? "";
}
