import { languageOf, prepareDetection } from "../../../src/search/meaning/languages.ts";
import { assert, assertEquals } from "../../assert.ts";

Deno.test("the detection of languages is prepared once, in steps", () => {
  assert([...prepareDetection()].length > 20);
  assertEquals([...prepareDetection()].length, 0);
  assertEquals(languageOf(["the", "harbour", "of", "the", "town"]), "en");
});
