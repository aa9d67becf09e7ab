/**
 * Imports of the vendor's exports, in both formats, in the shapes that real ones have.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { digits, type Files, outline, picture, withImports, zipOf } from "./support.ts";

const [GARDEN, PLANTS, TOOLS, BEDS, SPADE, RAKE, NORTH] = [1, 2, 3, 4, 5, 6, 7].map(digits);
const TOP = `Garden ${GARDEN}`;
const BOM = "\ufeff";

/** One page with everything, a page below it, and two databases with a relation. */
const MARKDOWN: Files = {
  [`${TOP}.md`]: `# Garden

Welcome to the **garden**. See [Plants](Garden%20${GARDEN}/Plants%20${PLANTS}.md) first.

[Plants](Garden%20${GARDEN}/Plants%20${PLANTS}.md)

Between the pages

[Tools](Garden%20${GARDEN}/Tools%20${TOOLS}.csv)

<aside>
💡 Water in the morning

</aside>

![A leaf](Garden%20${GARDEN}/leaf.png)

A leaf

- [ ]  sow
- [x]  dig
    - deeper

| a | b |
| --- | --- |
| 1 | 2 |
`,
  [`${TOP}/leaf.png`]: picture(1),
  [`${TOP}/Plants ${PLANTS}.md`]:
    `# Plants\n\nBack to [Garden](../Garden%20${GARDEN}.md), [gone](https://www.notion.so/Rake-${RAKE}).\n\n[notes.pdf](Plants%20${PLANTS}/notes.pdf)\n`,
  [`${TOP}/Plants ${PLANTS}/notes.pdf`]: "%PDF-1.4",
  [`${TOP}/Tools ${TOOLS}.csv`]: `${BOM}Name,Price\r\nSpade,$12.50\r\nRake,$8.00\r\n`,
  [`${TOP}/Tools ${TOOLS}_all.csv`]: `${BOM}Name,Price,Bought,Tags,Done,Beds,Photo\r\n` +
    `Spade,$12.50,"April 23, 2024","iron, wood",Yes,North (Garden%20${GARDEN}/Beds%20${BEDS}/North%20${NORTH}.md),Tools%20${TOOLS}/Spade%20${SPADE}/p.png\r\n` +
    `Rake,$8.00,"May 2, 2024 → May 3, 2024",iron,No,,\r\n`,
  [`${TOP}/Tools ${TOOLS}/Spade ${SPADE}.md`]:
    "# Spade\n\nPrice: $12.50\nBought: April 23, 2024\nTags: iron, wood\nDone: Yes\n\nA good spade.\n",
  [`${TOP}/Tools ${TOOLS}/Spade ${SPADE}/p.png`]: picture(2),
  [`${TOP}/Tools ${TOOLS}/Rake ${RAKE}.md`]: "# Rake\n\nPrice: $8.00\n",
  [`${TOP}/Beds ${BEDS}_all.csv`]: `${BOM}Name,Area\r\nNorth,4\r\n`,
  [`${TOP}/Beds ${BEDS}/North ${NORTH}.md`]: "# North\n\nArea: 4\n",
};

const OUTLINE = `page Garden
  paragraph Welcome to the garden. See @Plants first.
  child_page Plants
    paragraph Back to @Garden, gone<link>.
    pdf
  paragraph Between the pages
  database Tools (Beds:relation, Bought:date, Done:checkbox, Name:title, Photo:files, Price:number, Tags:multi_select)
    row Rake; Bought=2024-05-02/2024-05-03; Price=8; Tags=iron
    row Spade; Beds=row; Bought=2024-04-23; Done=true; Photo=p.png; Price=12.5; Tags=iron,wood
      paragraph A good spade.
  callout Water in the morning
  image A leaf
  to_do sow
  to_do dig
    bulleted_list_item deeper
  table
    table_row a | b
    table_row 1 | 2
  database Beds (Area:number, Name:title)
    row North; Area=4`;

Deno.test("a Markdown export comes with its pages, rows, links, pictures and relations", async () => {
  await withImports(async ({ app, write, run }) => {
    await write(Object.fromEntries(Object.entries(MARKDOWN).map(([p, f]) => [`export/${p}`, f])));
    const { report, shown } = await run("export");
    assertEquals(await outline(app), OUTLINE);
    assertEquals(report.omissions(), []);
    const names = ["pages", "databases", "rows", "pictures", "other files", "links"];
    assertEquals(names.map(report.counted), [2, 2, 3, 2, 1, 5]);
    assertStringIncludes(shown, "Price   number (dollar)");
  });
});

Deno.test("an export in two parts inside another archive is the same", async () => {
  await withImports(async ({ app, write, run, folder }) => {
    const entries = Object.entries(MARKDOWN);
    const part = (number: number) =>
      zipOf(Object.fromEntries(
        entries.filter((_, index) => index % 2 === number - 1)
          .map(([path, content]) => [`Export-0a1b2c3d-0000/${path}`, content]),
      ));
    await write({
      "export.zip": zipOf({
        "Export-0a1b2c3d-0000-Part-1.zip": part(1),
        "Export-0a1b2c3d-0000-Part-2.zip": part(2),
      }),
    });
    await run("export.zip");
    assertEquals(await outline(app), OUTLINE);
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(left, ["export.zip", "export.zip.recto-import"]);
  });
});

Deno.test("parts beside one another are one export, however it is divided", async () => {
  await withImports(async ({ app, write, run }) => {
    const part = (isFirst: boolean) =>
      zipOf(Object.fromEntries(
        Object.entries(MARKDOWN).filter(([path]) => path.includes("/") === isFirst),
      ));
    await write({ "Export-1-Part-1.zip": part(true), "Export-1-Part-2.zip": part(false) });
    await run("Export-1-Part-2.zip");
    assertEquals(await outline(app), OUTLINE);
  });
});

const HTML: Files = {
  [`Garden ${GARDEN}.html`]: `<html><head><title>Garden</title></head><body>
<article id="x" class="page sans"><header><div class="page-header-icon"><span class="icon">🌱</span></div>
<h1 class="page-title">Garden</h1></header><div class="page-body">
<p id="1" class="block-color-teal">Green <strong>bold</strong> and <a href="Garden%20${GARDEN}/Plants%20${PLANTS}.html">Plants</a></p>
<ul id="2" class="bulleted-list"><li>one</li></ul><ul id="3" class="bulleted-list"><li>two<ul><li>deep</li></ul></li></ul>
<ul id="4" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>done</span></li></ul>
<ul id="5" class="toggle"><li><details open=""><summary>More</summary><p id="6">inside</p></details></li></ul>
<figure class="callout" id="7"><div><span class="icon">💡</span></div><div>Mind</div></figure>
<pre id="8" class="code"><code class="language-JavaScript">let a = 1;
let b;</code></pre>
<figure id="9" class="image"><a href="Garden%20${GARDEN}/leaf.png"><img src="Garden%20${GARDEN}/leaf.png"/></a><figcaption>A leaf</figcaption></figure>
<div class="column-list"><div class="column"><p id="10">left</p></div><div class="column"><p id="11">right</p></div></div>
<figure class="equation" id="12"><annotation encoding="application/x-tex">e=mc^2</annotation></figure>
<table class="simple-table"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
<p id="13">Parent<div class="indented"><p id="14">Child</p></div></p>
</div></article></body></html>`,
  [`Garden ${GARDEN}/leaf.png`]: picture(1),
  [`Garden ${GARDEN}/Plants ${PLANTS}.html`]:
    `<title>Plants</title><article><h1 class="page-title">Plants</h1><div class="page-body"><hr/></div></article>`,
  [`Garden ${GARDEN}/Tools ${TOOLS}.html`]:
    `<article><h1 class="page-title">Tools</h1><div class="page-body"><table class="collection-content"><thead><tr><th>Name</th></tr></thead></table></div></article>`,
  [`Garden ${GARDEN}/Tools ${TOOLS}/Spade ${SPADE}.html`]:
    `<article><h1 class="page-title">Spade</h1>
<table class="properties"><tbody>
<tr class="property-row property-row-number"><th>Price</th><td>12.5</td></tr>
<tr class="property-row property-row-select"><th>State</th><td><span class="selected-value select-value-color-teal">new, shiny</span></td></tr>
<tr class="property-row property-row-multi_select"><th>Tags</th><td><span class="selected-value">iron</span><span class="selected-value">wood</span></td></tr>
<tr class="property-row property-row-checkbox"><th>Done</th><td><div class="checkbox checkbox-on"></div></td></tr>
<tr class="property-row property-row-date"><th>Bought</th><td><time>@March 1, 2024</time></td></tr>
<tr class="property-row property-row-relation"><th>With</th><td><a href="../Tools%20${TOOLS}/Rake%20${RAKE}.html">Rake</a></td></tr>
</tbody></table><div class="page-body"><p id="20">A good spade.</p></div></article>`,
  [`Garden ${GARDEN}/Tools ${TOOLS}/Rake ${RAKE}.html`]: `<article><h1 class="page-title">Rake</h1>
<table class="properties"><tbody><tr class="property-row property-row-number"><th>Price</th><td>8</td></tr></tbody></table>
<div class="page-body"></div></article>`,
};

Deno.test("an HTML export keeps types, colours, columns and toggles", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "export.zip": zipOf(HTML) });
    const { report } = await run("export.zip");
    assertEquals(report.omissions(), []);
    assertEquals(
      await outline(app),
      `page Garden
  paragraph Green bold and @Plants
  bulleted_list_item one
  bulleted_list_item two
    bulleted_list_item deep
  to_do done
  toggle More
    paragraph inside
  callout Mind
  code let a = 1;
let b;
  image A leaf
  column_list
    column
      paragraph left
    column
      paragraph right
  equation
  table
    table_row a | b
    table_row 1 | 2
  paragraph Parent
    paragraph Child
  child_page Plants
    divider
  database Tools (Bought:date, Done:checkbox, Name:title, Price:number, State:select, Tags:multi_select, With:relation)
    row Rake; Price=8
    row Spade; Bought=2024-03-01; Done=true; Price=12.5; State=new; shiny; Tags=iron,wood; With=row
      paragraph A good spade.`,
    );
  });
});
