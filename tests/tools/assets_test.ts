/**
 * Compares the bundle in `assets/` with its npm package.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { fetchBundle } from "../../src/cli/assets.ts";
import { assertEquals } from "../assert.ts";

Deno.test("assets/ holds the bundle of the package that the task names, to the byte", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  const name = tasks.assets.command.split(" ").at(-1);
  const bundle = await fetchBundle(name);
  const committed = gunzipSync(await Deno.readFile("assets/api-reference.js.gz"));
  assertEquals(bundle.length, committed.length);
  assertEquals(bundle.findIndex((byte, index) => byte !== committed[index]), -1);
});
