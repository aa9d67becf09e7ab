import { assert, assertEquals } from "../../assert.ts";
import { functionsMarkdown } from "./docs.ts";
import { shown } from "./support.ts";

const text = await Deno.readTextFile(new URL("../../../docs/formulas.md", import.meta.url));

Deno.test("docs/formulas.md lists all functions", () => {
  const [, list = ""] = /<!-- functions -->\n([^]*)\n<!-- end of functions -->/.exec(text) ?? [];
  // The formatter breaks long lines.
  const [is, shouldBe] = [list, functionsMarkdown()].map((one) =>
    one.trim().split(/\n+(?=- |#)/).map((item) => item.replace(/\s+/g, " "))
  );
  for (const [i, item] of (is ?? []).entries()) assertEquals(item, shouldBe?.[i]);
  assertEquals(is?.length, shouldBe?.length);
});

Deno.test("the formulas in docs/formulas.md have the results that it shows", () => {
  const [, before = ""] = /^([^]*)<!-- functions -->/.exec(text) ?? [];
  const blocks = [...before.matchAll(/```\n([^]*?)```/g)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.trim().split("\n"));
  assert(lines.length > 10, `${lines.length}`);
  for (const line of lines) {
    const [expression = "", result] = line.split(" → ");
    assertEquals(shown(expression), result?.trim(), line);
  }
});
