/**
 * Clients that four generators make of the committed document: each type-checks under `strict` with a
 * program that uses it, holds no `any` where content is, and two of them talk to the running server.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { baseUrl, mint, startRecto } from "../bench/processes.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { DOCUMENT, installTools, run, runTool, TOOLS } from "./tools.ts";

interface Sdk {
  /** Name of its folder and of its program. */
  readonly name: string;
  readonly tool: string;
  readonly args: (folder: string) => readonly string[];
  /** The file whose types are those of content. */
  readonly types: string;
}

const SDKS: readonly Sdk[] = [
  {
    name: "openapi_fetch",
    tool: "openapi-typescript",
    args: (folder) => [DOCUMENT, "-o", `${folder}/schema.d.ts`],
    types: "schema.d.ts",
  },
  {
    name: "hey_api",
    tool: "openapi-ts",
    args: (folder) => ["-i", DOCUMENT, "-o", folder, "-c", "@hey-api/client-fetch"],
    types: "types.gen.ts",
  },
  {
    name: "orval",
    tool: "orval",
    args: () => ["--config", "orval.config.mjs"],
    types: "api.ts",
  },
  {
    name: "swagger",
    tool: "swagger-typescript-api",
    args: (folder) => ["generate", "-p", DOCUMENT, "-o", folder, "-n", "api.ts", "--modular"],
    types: "data-contracts.ts",
  },
];

await installTools();
await Deno.remove(`${TOOLS}sdk`, { recursive: true }).catch(() => {});

async function generate({ name, tool, args }: Sdk): Promise<void> {
  const folder = `${TOOLS}sdk/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  const { code, output } = await runTool(tool, args(folder), { DOCUMENT, OUTPUT: folder });
  assertEquals(code, 0, output);
  for await (const file of Deno.readDir(folder)) {
    if (!file.isFile) continue;
    const text = await Deno.readTextFile(`${folder}/${file.name}`);
    // One generator has its own output left unchecked.
    await Deno.writeTextFile(`${folder}/${file.name}`, text.replaceAll("// @ts-nocheck", ""));
  }
  await Deno.copyFile(new URL(`programs/${name}.ts`, import.meta.url), `${folder}/use.ts`);
}

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*/g;

Deno.test("each generator makes a client without `any` where content is", async (test) => {
  for (const sdk of SDKS) {
    await test.step(sdk.tool, async () => {
      await generate(sdk);
      const text = await Deno.readTextFile(`${TOOLS}sdk/${sdk.name}/${sdk.types}`);
      // A rollup's condition is named `any`; a type of that name stands behind a colon or a bracket.
      assertEquals(text.replaceAll(COMMENTS, "").match(/.*[:<|&(\[]\s*any\b.*/g), null);
    });
  }
});

Deno.test("each client type-checks under strict, and refuses what the server would", async () => {
  const { code, output } = await runTool("tsc", ["-p", "tsconfig.json"]);
  assertEquals(code, 0, output);
});

Deno.test("two clients make a page, its blocks and a database on a running server", async (test) => {
  await using recto = await startRecto();
  const token = await mint(recto.dataDir, ALL_SCOPES);
  const given = JSON.stringify({ baseUrl: baseUrl(recto.port), token });
  for (const name of ["openapi_fetch", "hey_api"]) {
    await test.step(name, async () => {
      const { code, output } = await run(Deno.execPath(), [
        ...["run", "--no-config", "--no-check", "--sloppy-imports", "--node-modules-dir=manual"],
        ...["--allow-net=127.0.0.1", "--allow-read", "--allow-env", `sdk/${name}/use.ts`, given],
      ]);
      assertEquals(code, 0, output);
      const { blocks, count } = JSON.parse(output);
      assertEquals(blocks, ["Notes", "toggle", "true"]);
      assertEquals(count, 3);
    });
  }
});
