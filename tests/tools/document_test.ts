/**
 * Checks the committed document with third-party linters and parsers of OpenAPI.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { DOCUMENT, installTools, run, runTool } from "./tools.ts";

await installTools();

Deno.test("redocly finds nothing under recommended-strict", async () => {
  const { code, output } = await runTool("redocly", [
    ...["lint", DOCUMENT, "--config", "redocly.yaml", "--max-problems", "20"],
  ]);
  assertEquals(code, 0, output);
  assertEquals(output.match(/\bwarning/g), null, output);
});

Deno.test("spectral finds nothing under its OpenAPI and OWASP rules", async () => {
  const { code, output } = await runTool("spectral", [
    ...["lint", DOCUMENT, "--ruleset", "ruleset.yaml", "--fail-severity", "hint"],
  ]);
  assertEquals(code, 0, output);
});

Deno.test("four independent readers find it valid", async () => {
  const { code, output } = await run("node", ["validate.mjs", DOCUMENT]);
  assertEquals(code, 0, output);
  assertEquals(output.trim().split("\n").map((line) => line.split(" ").at(-1)), [
    ...["true", "true", "true", "true"],
  ]);
});

Deno.test("redocly counts the paths and schemas that the metadata tells", async () => {
  const meta = JSON.parse(await Deno.readTextFile(DOCUMENT.replace("openapi.json", "meta.json")));
  const { output } = await runTool("redocly", ["stats", DOCUMENT, "--format", "json"]);
  const stats = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  assertEquals(
    [stats.pathItems.total, stats.schemas.total],
    [meta.pathCount, meta.schemaCount],
  );
});
