import { runSpec } from "../../src/cli/spec.ts";
import { createDocument, serializeDocument } from "../../src/cli/openapi/document.ts";
import { assertEquals } from "../assert.ts";
import { options } from "../openapi/sample.ts";

interface Run {
  readonly code: number;
  readonly lines: readonly string[];
}

async function inFolder(test: (folder: URL) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await test(new URL(`file://${path}/`));
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

async function run(folder: URL, { check, now }: { check: boolean; now: number }): Promise<Run> {
  const lines: string[] = [];
  const build = (): string => serializeDocument(createDocument(options));
  const code = await runSpec({
    ...{ build, folder, check, now, policyFile: "policy/scopes.json" },
    print: (line) => lines.push(line),
  });
  return { code, lines };
}

Deno.test("runSpec() writes both files once, and then finds them up to date", async () => {
  await inFolder(async (folder) => {
    assertEquals(await run(folder, { check: false, now: 0 }), {
      code: 0,
      lines: ["Wrote spec/openapi.json", "Wrote spec/meta.json"],
    });
    const upToDate = { code: 0, lines: ["spec/ is up to date"] };
    assertEquals(await run(folder, { check: true, now: 1 }), upToDate);
    assertEquals(await run(folder, { check: false, now: 1 }), upToDate);
  });
});

Deno.test("runSpec() says what is stale when it only checks, and writes nothing", async () => {
  await inFolder(async (folder) => {
    const document = new URL("openapi.json", folder);
    await run(folder, { check: false, now: 0 });
    await Deno.writeTextFile(document, "{}\n");
    assertEquals(await run(folder, { check: true, now: 0 }), {
      code: 1,
      lines: ["Stale: spec/openapi.json", "Run: deno task spec"],
    });
    assertEquals(await Deno.readTextFile(document), "{}\n");
  });
});
