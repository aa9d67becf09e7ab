import config from "../../deno.json" with { type: "json" };
import { assertEquals } from "../assert.ts";

Deno.test("the newest version of the changelog is the one that `recto --version` prints", async () => {
  const changelog = await Deno.readTextFile("CHANGELOG.md");
  const [newest] = changelog.matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/gm);
  assertEquals(newest?.[1], config.version);
});
