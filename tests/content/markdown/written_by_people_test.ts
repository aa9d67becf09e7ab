import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import { LIMITS } from "../../../src/content/values/limits.ts";
import { assertEquals } from "../../assert.ts";
import { printed, read, returned } from "./support.ts";

const plain = (content: string) => [{ text: { content } }];
const text = (content: string): BlockInput => ({ paragraph: { rich_text: plain(content) } });
const linked = (content: string, url: string) => [{ text: { content, link: { url } } }];
const image = (url: string, caption: object[] = []) => ({
  image: { external: { url }, ...(caption.length > 0 && { caption }) },
});

const MORE = [{ toggle: { rich_text: plain("More"), children: [text("inside")] } }];

const DETAILS: Readonly<Record<string, string>> = {
  "as on GitHub": "<details>\n<summary>More</summary>\n\ninside\n\n</details>",
  "without blank lines": "<details>\n<summary>More</summary>\ninside\n</details>",
  "in one line": "<details><summary>More</summary>inside</details>",
  "with attributes and indentation":
    "<details open>\n  <summary>More</summary>\n\n  inside\n</details>",
  "with the summary in lines of its own":
    "<details>\n<summary>\nMore\n</summary>\n\ninside\n\n</details>",
};

for (const [how, markdown] of Object.entries(DETAILS)) {
  Deno.test(`a toggle may be written ${how}`, () => assertEquals<unknown>(read(markdown), MORE));
}

Deno.test("toggles may follow each other and contain each other", async () => {
  const markdown =
    "<details>\n<summary>A</summary>\n\n<details>\n<summary>B</summary>\n\nb\n\n</details>\n</details>\n<details>\n<summary><b>C</b></summary>\n\n- c\n\n</details>\n";
  const blocks = read(markdown);
  assertEquals<unknown>(blocks, [
    {
      toggle: {
        rich_text: plain("A"),
        children: [{ toggle: { rich_text: plain("B"), children: [text("b")] } }],
      },
    },
    {
      toggle: {
        rich_text: [{ text: { content: "C" }, annotations: { bold: true } }],
        children: [{ bulleted_list_item: { rich_text: plain("c") } }],
      },
    },
  ]);
  assertEquals(read(await printed(blocks)), blocks);
});

Deno.test("a toggle without blank lines keeps its links and its tables that are too wide", () => {
  const table = `| A${" | A".repeat(LIMITS.array)} |\n|${" - |".repeat(LIMITS.array + 1)}`;
  const linkedTo = (url: string) => `[x]: ${url}\n[link][x]\n`;
  const markdown = `Before [link][x]

<details><summary>More</summary>
${table}
</details>

<details><summary>More</summary>
${linkedTo("https://e.test/inside")}</details>

${linkedTo("https://e.test/outside")}`;
  const toggle = (block: object) => ({ toggle: { rich_text: plain("More"), children: [block] } });
  const link = (url: string) => ({ paragraph: { rich_text: linked("link", url) } });
  assertEquals<unknown>(read(markdown), [
    {
      paragraph: {
        rich_text: [...plain("Before "), ...linked("link", "https://e.test/outside")],
      },
    },
    toggle({ code: { rich_text: plain(table), language: "markdown" } }),
    toggle(link("https://e.test/inside")),
    link("https://e.test/outside"),
  ]);
});

Deno.test("tags of toggles that do not match stay code", () => {
  assertEquals<unknown>(read("</details>\n\ntext"), [
    { code: { rich_text: plain("</details>"), language: "html" } },
    text("text"),
  ]);
});

Deno.test("GitHub's alerts are callouts, and are printed as alerts again", async () => {
  const markdown = "> [!NOTE]\n> Mind **this**.\n>\n> - item\n\n> [!WARNING]\n> Stop\n";
  const blocks = read(markdown);
  assertEquals<unknown>(blocks, [
    {
      callout: {
        rich_text: [
          ...plain("Mind "),
          { text: { content: "this" }, annotations: { bold: true } },
          ...plain("."),
        ],
        children: [{ bulleted_list_item: { rich_text: plain("item") } }],
        icon: { emoji: "ℹ️" },
        color: "blue_background",
      },
    },
    { callout: { rich_text: plain("Stop"), icon: { emoji: "⚠️" }, color: "yellow_background" } },
  ]);
  const again = await printed(blocks);
  assertEquals(again, markdown);
  assertEquals(read(again), blocks);
  for (const quote of ["> [!NOTE] text\n", "> [!OTHER]\n> text\n", "> text\n> [!NOTE]\n"]) {
    assertEquals(Object.keys(read(quote)[0] ?? {}), ["quote"], quote);
  }
});

Deno.test("a quote of an alert's marker keeps its text", async () => {
  const quote = (content: string): BlockInput => ({ quote: { rich_text: plain(content) } });
  for (const content of ["[!NOTE]", "[!tip]\nwith a line", "[!CAUTION]\n"]) {
    assertEquals<unknown>(await returned([quote(content)]), [quote(content)]);
  }
  for (const written of ["\\[!NOTE]", "&#91;!NOTE]", "[\\!NOTE]", "[!NOTE\\]"]) {
    assertEquals<unknown>(read(`> ${written}\n> text\n`), [quote("[!NOTE] text")]);
    const details = `<details><summary>More</summary>\n> ${written}\n</details>\n`;
    assertEquals<unknown>(read(details), [
      { toggle: { rich_text: plain("More"), children: [quote("[!NOTE]")] } },
    ]);
  }
  const [alert] = read("> [!NOTE]\n> \\[!TIP]\n");
  assertEquals(alert?.callout?.rich_text, plain("[!TIP]"));
});

Deno.test("pictures inside links keep their address, and their link", async () => {
  const badge = "[![build](https://e.test/b.svg)](https://e.test/ci)";
  const blocks = read(
    `${badge}\n[![npm][img]][page]\n\n[img]: https://e.test/n.svg\n[page]: https://e.test/npm\n`,
  );
  assertEquals<unknown>(blocks, [
    image("https://e.test/b.svg", linked("build", "https://e.test/ci")),
    image("https://e.test/n.svg", linked("npm", "https://e.test/npm")),
  ]);
  const again = await printed(blocks);
  assertEquals(again, `${badge}\n\n[![npm](https://e.test/n.svg)](https://e.test/npm)\n`);
  assertEquals(read(again), blocks);
});

Deno.test("a picture inside a link inside a text keeps its address", () => {
  assertEquals<unknown>(read("# Name [![logo](https://e.test/l.png)](https://e.test)\n"), [{
    heading_1: {
      rich_text: [
        ...plain("Name "),
        ...linked("logo", "https://e.test"),
        ...linked(" (image)", "https://e.test/l.png"),
      ],
    },
  }]);
});

Deno.test("a line end behind <br> is not a space", () => {
  assertEquals<unknown>(read("Note:<br>\nInstall\n"), [text("Note:\nInstall")]);
});

Deno.test("a formula may be code between dollar signs", () => {
  assertEquals<unknown>(read("$`x^2`$\n"), [
    { paragraph: { rich_text: [{ equation: { expression: "x^2" } }] } },
  ]);
});
