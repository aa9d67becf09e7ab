import { draftMarkdown } from "../../../src/content/markdown/draft_markdown.ts";
import { assert, assertEquals } from "../../assert.ts";

const urlOf = (length: number) => `https://a.b/${"x".repeat(length - 12)}`;
const definition = (length: number) => `\n\n[a]: ${urlOf(length)}\n`;
const styles = (count: number) => "*a*b".repeat(count / 2);

/** Texts that write a URL of 2,000 characters as often as this, or a longer one less often. */
const TEXTS: Readonly<Record<string, (uses: number) => string>> = {
  "references": (uses) => "[a] ".repeat(uses) + definition(2_000),
  "references to a long URL": (uses) => "[a] ".repeat(uses / 50) + definition(100_000),
  "images, as text and link": (uses) => "x ![][a] ".repeat(uses / 2) + definition(2_000),
  "images in links": (uses) => "x [![b][a]](c) ".repeat(uses) + definition(2_000),
  "images that are blocks": (uses) => "![b][a]\n\n".repeat(uses) + definition(2_000),
  "styles in a link": (uses) => `x [${styles(uses)}](${urlOf(2_000)})`,
  "cells of a table": (uses) => `|a|\n|-|\n${"|[a]|\n".repeat(uses)}${definition(2_000)}`,
  "styles in links of enhanced Markdown": (uses) =>
    `<empty-block/>\n${`x [${styles(uses / 10)}](${urlOf(2_000)})\n`.repeat(10)}`,
};

for (const [name, textOf] of Object.entries(TEXTS)) {
  Deno.test(`Markdown writes at most a million characters of URLs: ${name}`, () => {
    const outcome = draftMarkdown(textOf(400));
    assert("drafted" in outcome);
    const length = outcome.drafted.nodes.reduce((sum, { doc }) => sum + doc.length, 0);
    assert(length > 400_000 && length < 5_000_000, `${length} characters`);
    assertEquals(draftMarkdown(textOf(1_000)), {
      issues: [{
        pointer: "/markdown",
        detail: "Markdown writes more than 1000000 characters of URLs: divide it.",
      }],
    });
    assert("drafted" in draftMarkdown(textOf(400)), "each text has a limit of its own");
  });
}

Deno.test("Markdown may contain any URL once", () => {
  const outcome = draftMarkdown(`A [picture](data:image/png;base64,${"x".repeat(450_000)})`);
  assert("drafted" in outcome);
});
