/**
 * Runs scripts against a copy of the service with changed source files.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";

/** Pieces of text of a file, each with its replacement. */
export type Replacements = readonly (readonly [text: string, replacement: string])[];

export interface SourceChanges {
  /** New files under `src/content/`, with their text. */
  readonly added?: Readonly<Record<string, string>>;
  /** Changed files under `src/content/`. */
  readonly changed: Readonly<Record<string, Replacements>>;
  /** Scripts, which import from `./src` and `./tests`. */
  readonly scripts: readonly string[];
}

/** Checks the types of the changed copy, and returns the JSON that each script prints. */
export async function runInCopy(
  { added = {}, changed, scripts }: SourceChanges,
): Promise<unknown[]> {
  const root = await Deno.makeTempDir();
  try {
    const names = ["deno.json", "deno.lock", "src", "tests", "policy", "spec"];
    const { success } = await new Deno.Command("cp", { args: ["-r", ...names, root] }).output();
    assert(success);
    const content = `${root}/src/content`;
    for (const [path, text] of Object.entries(added)) {
      await Deno.writeTextFile(`${content}/${path}`, text);
    }
    for (const [path, replacements] of Object.entries(changed)) {
      await replaceIn(`${content}/${path}`, replacements);
    }
    await run(root, ["check", "src"]);
    // Responses are checked against the document, which follows from the source, too.
    await run(root, ["task", "spec"]);
    const results = [];
    for (const script of scripts) {
      await Deno.writeTextFile(`${root}/use.ts`, script);
      const printed = await run(root, ["run", "--config", "tests/deno.json", "-A", "use.ts"]);
      results.push(JSON.parse(printed));
    }
    return results;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function replaceIn(path: string, replacements: Replacements): Promise<void> {
  let source = await Deno.readTextFile(path);
  for (const [text, replacement] of replacements) {
    assert(source.includes(text), `${path} does not contain: ${text}`);
    source = source.replace(text, replacement);
  }
  await Deno.writeTextFile(path, source);
}

async function run(cwd: string, args: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  assertEquals(success, true, decoder.decode(stderr));
  return decoder.decode(stdout);
}
