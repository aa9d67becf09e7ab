/**
 * Imports of Obsidian vaults, Logseq graphs and plain folders.
 *
 * @module
 */
import { assertEquals } from "../../assert.ts";
import { outline, picture, withImports } from "./support.ts";

Deno.test("a vault comes with links, embeds, tags, callouts and front matter", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({
      "Vault/.obsidian/app.json": "{}",
      "Vault/Home.md": [
        "Start at [[River]], [[Dune|the novel]] or [[books/dune#Part 1]]. Not [[Nowhere]].",
        "",
        "![[heron.png|100]]",
        "",
        "![[River]]",
        "",
        "> [!warning]- Mind the `[[code]]`",
        "> It is ==slippery==.",
        "",
        "| a | b |",
        "|---|---|",
        "| [[River\\|the river]] | `[[x]]` |",
      ].join("\n"),
      "Vault/River.md": "One line\nand another. ^block-1\n",
      "Vault/Books/Dune.md":
        '---\nrating: 5\nread: 2024-03-01\nby: "[[Frank Herbert]]"\ntags: [novel, sand]\naliases: Arrakis\n---\n# Part 1\n\nGood. #desert/dry\n',
      "Vault/Books/Emma.md":
        "---\nrating: 4\nread: 2024-04-02\n---\n# Emma\nA #novel with `#code`.\n",
      "Vault/files/deep/heron.png": picture(1),
      "Vault/files/forgotten.pdf": "%PDF",
    });
    const { report } = await run("Vault");
    assertEquals(report.omissions(), []);
    assertEquals(report.alterations(), ['Home.md: no page or file "Nowhere"']);
    assertEquals(
      await outline(app),
      `page Vault
  database Books (Name:title, by:rich_text, rating:number, read:date, tags:multi_select)
    row Dune; by=Frank Herbert; rating=5; read=2024-03-01; tags=novel,sand,desert/dry
      heading_1 Part 1
      paragraph Good. #desert/dry
    row Emma; rating=4; read=2024-04-02; tags=novel
      paragraph A #novel with #code.
  child_page Home
    paragraph Start at @River, the novel<link> or @Dune. Not Nowhere.
    image
    link_to_page
    callout Mind the [[code]]
      paragraph It is slippery.
    table
      table_row a | b
      table_row the river<link> | [[x]]
  child_page River
    paragraph One line
and another.
  child_page Files without a link
    pdf files/forgotten.pdf`,
    );
  });
});

Deno.test("an outline comes with its tasks, properties, namespaces and block references", async () => {
  await withImports(async ({ app, write, run }) => {
    const id = "64f0a1b2-1111-4222-8333-444455556666";
    await write({
      "graph/logseq/config.edn": "{}",
      "graph/pages/Birds.md":
        `- Herons\n  id:: ${id}\n\t- stand still\n\t- DONE count them\n- TODO count swans\n`,
      "graph/pages/Birds___Grey.md": "- see [[Birds]]\n",
      "graph/journals/2024_03_01.md": `- About ((${id})) and {{embed [[Birds]]}}\n`,
    });
    const { report } = await run("graph");
    assertEquals(report.omissions(), []);
    assertEquals(
      await outline(app),
      `page graph
  child_page journals
    child_page 2024-03-01
      bulleted_list_item About Herons<link> and @Birds
  child_page pages
    child_page Birds
      bulleted_list_item Herons
        bulleted_list_item stand still
        to_do count them
      to_do count swans
      child_page Grey
        bulleted_list_item see @Birds`,
    );
  });
});

Deno.test("a folder of READMEs keeps its tree, relative links and pictures", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({
      "docs/README.md":
        "# Manual\n\nRead [how](guide/README.md#start), [more](guide) or [none](no.md).\n",
      "docs/guide/README.md":
        "# Guide\n\n![Map](../img/map%20one.png) and ![again](../img/map%20one.png)\n",
      "docs/guide/Zoo.md": "# Zoo\n",
      "docs/guide/zoo.md": "# zoo, small\n",
      "docs/img/map one.png": picture(1),
      "docs/people.csv": "Name;Born\nAda;1815-12-10\nGrace;1906-12-09\n",
    });
    const { report } = await run("docs");
    assertEquals(report.counted("pictures"), 1);
    assertEquals(
      await outline(app),
      `page Manual
  paragraph Read how<link>, more<link> or none.
  child_page Guide
    paragraph Map and again
    image
    child_page Zoo
    child_page zoo, small
  database people (Born:date, Name:title)
    row Ada; Born=1815-12-10
    row Grace; Born=1906-12-09`,
    );
  });
});
