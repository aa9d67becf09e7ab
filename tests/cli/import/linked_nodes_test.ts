/**
 * Links are found in a text that is not parsed.
 *
 * @module
 */
import { createLinkIndex } from "../../../src/cli/import/links/link_index.ts";
import { linkedNodes } from "../../../src/cli/import/links/linked_nodes.ts";
import { assertEquals } from "../../assert.ts";

const index = createLinkIndex();
for (const path of ["a/Home.md", "a/River bank.md", "b/Dune (1965).md", "b/page.html"]) {
  index.addNode(path, path);
}
index.addFile("a/map.png");

/** The pages that a text in `a/Home.md` links to. */
function linked(text: string): string[] {
  return [...linkedNodes(text, { index, from: "a/Home.md" })].sort();
}

Deno.test("links of every form are found in a text that is not parsed", () => {
  const river = ["a/River bank.md"];
  const dune = ["b/Dune (1965).md"];
  assertEquals(linked("See [it](River%20bank.md#high-water)."), river);
  assertEquals(linked("See [it](<River%20bank.md>)."), river);
  assertEquals(linked("See [it][1].\n\n[1]: River%20bank.md"), river);
  assertEquals(linked("See [it](../b/Dune%20(1965).md)."), dune);
  assertEquals(linked("[[River bank]], [[River bank|the bank]] and [[River bank#Floods]]"), river);
  assertEquals(linked("| [[River bank\\|the bank]] |"), river);
  assertEquals(linked("![[River bank]]"), river);
  assertEquals(linked('<p>See <a href="../b/page.html">it</a>.</p>'), ["b/page.html"]);
});

Deno.test("files, other sites and names of nothing are no links to pages", () => {
  assertEquals(linked("![map](map.png) [web](https://example.com/Home.md) [[Nobody]] `[`"), []);
});
