/**
 * The document follows what the sources say, and nothing else of them.
 *
 * @module
 */
import { parseMeta } from "../../src/openapi/meta.ts";
import { assert, assertEquals, assertNotEquals } from "../assert.ts";

const OTHER_STYLE = ["--line-width", "60", "--use-tabs", "--single-quote", "--no-semicolons"];

/** A copy of all that the document is made of, put away after the test. */
async function withSources(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    for (const name of ["src", "policy", "spec", "deno.json", "deno.lock"]) {
      await run("cp", ["-r", name, folder]);
    }
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Standard output of a command that succeeds. */
async function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    ...(cwd !== undefined && { cwd }),
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  assert(success, decoder.decode(stderr) + decoder.decode(stdout));
  return decoder.decode(stdout);
}

function writeSpec(folder: string): Promise<string> {
  const args = ["run", "--no-prompt", "--allow-read=policy,spec", "--allow-write=spec"];
  return run(Deno.execPath(), [...args, "src/cli/spec.ts"], folder);
}

async function metaIn(folder: string) {
  const meta = parseMeta(await Deno.readTextFile(`${folder}/spec/meta.json`));
  assert(meta !== undefined);
  return meta;
}

Deno.test("sources that are formatted otherwise make the same document and metadata", () =>
  withSources(async (folder) => {
    const file = `${folder}/src/api/users.ts`;
    const before = await Deno.readTextFile(file);
    await run(Deno.execPath(), ["fmt", "-q", "--no-config", ...OTHER_STYLE, "src"], folder);
    assertNotEquals(await Deno.readTextFile(file), before);
    assertEquals(await writeSpec(folder), "spec/ is up to date\n");
  }));

Deno.test("one description that changes in the sources changes etag and generatedAt", () =>
  withSources(async (folder) => {
    const before = await metaIn(folder);
    const file = `${folder}/src/api/users.ts`;
    const text = await Deno.readTextFile(file);
    const changed = text.replace("Reads a person or bot", "Reads a bot or person");
    assertNotEquals(changed, text);
    await Deno.writeTextFile(file, changed);
    assertEquals(await writeSpec(folder), "Wrote spec/openapi.json\nWrote spec/meta.json\n");
    const { etag, generatedAt, ...counts } = await metaIn(folder);
    assertNotEquals(etag, before.etag);
    assert(generatedAt > before.generatedAt, generatedAt);
    assertEquals(counts, { pathCount: before.pathCount, schemaCount: before.schemaCount });
  }));
