import { runSpec } from "../../src/cli/spec.ts";
import { createDocument, serializeDocument } from "../../src/cli/openapi/document.ts";
import { assertEquals } from "../assert.ts";
import { options } from "../openapi/sample.ts";

interface Run {
  readonly code: number;
  readonly lines: readonly string[];
}

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await test(path);
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

async function run(folder: string, { check, now }: { check: boolean; now: number }): Promise<Run> {
  const lines: string[] = [];
  const build = (): string => serializeDocument(createDocument(options));
  const code = await runSpec({
    build,
    check,
    now,
    policyFile: `${folder}/ours.json`,
    print: (line) => lines.push(line),
  });
  return { code, lines };
}

Deno.test("runSpec() writes both files once, and then finds them up to date", async () => {
  await inFolder(async (folder) => {
    assertEquals(await run(folder, { check: false, now: 0 }), {
      code: 0,
      lines: [`Wrote ${folder}/ours.openapi.json`, `Wrote ${folder}/ours.meta.json`],
    });
    const upToDate = { code: 0, lines: [`${folder}/ours.openapi.json is up to date`] };
    assertEquals(await run(folder, { check: true, now: 1 }), upToDate);
    assertEquals(await run(folder, { check: false, now: 1 }), upToDate);
  });
});

Deno.test("runSpec() says what is stale when it only checks, and writes nothing", async () => {
  await inFolder(async (folder) => {
    const document = `${folder}/ours.openapi.json`;
    await run(folder, { check: false, now: 0 });
    await Deno.writeTextFile(document, "{}\n");
    assertEquals(await run(folder, { check: true, now: 0 }), {
      code: 1,
      lines: [`Stale: ${document}`, `Run: RECTO_POLICY_FILE=${folder}/ours.json deno task spec`],
    });
    assertEquals(await Deno.readTextFile(document), "{}\n");
  });
});
