import { assertEquals } from "../assert.ts";
import { blocksOf, createDesk, runBlock, runConsole } from "../support/walkthrough.ts";

const root = new URL("../../", import.meta.url);

Deno.test("the walk-through of policy/README.md does what it says, step by step", async () => {
  const readme = await Deno.readTextFile(new URL("policy/README.md", root));
  const folder = await createDesk();
  try {
    const blocks = blocksOf(readme, "A change, step by step");
    assertEquals(new Set(blocks.map(({ language }) => language)).size, 3);
    for (const block of blocks) await runBlock(block, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the first example of policy/README.md prints what it shows", async () => {
  const readme = await Deno.readTextFile(new URL("policy/README.md", root));
  const [, text = ""] = /^```console\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  await runConsole({ language: "console", file: "", text }, root.pathname);
});
