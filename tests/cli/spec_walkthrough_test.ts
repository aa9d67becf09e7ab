import { blocksOf, createDesk, runBlock } from "../support/walkthrough.ts";
import { assertEquals } from "../assert.ts";

Deno.test("the comparison of docs/openapi.md prints what it shows", async () => {
  const page = await Deno.readTextFile("docs/openapi.md");
  const folder = await createDesk();
  try {
    const blocks = blocksOf(page, "What clients would notice")
      .filter(({ language }) => language !== "sh");
    assertEquals(blocks.map(({ language }) => language), ["diff", "diff", "console"]);
    for (const block of blocks) await runBlock(block, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
