// Programs that read pages and databases through an SDK, or write Markdown as blocks.
import "./astro.mjs";
import axios from "axios";
import { Client as Client2 } from "sdk-2";
import { Client as Client4 } from "sdk-4";
import { Client as Client5 } from "sdk-5";
import { NotionToMarkdown } from "notion-to-md";
import { markdownToBlocks } from "@tryfabric/martian";
import { crawler, dbCrawler } from "notion-md-crawler";
import { appendBlocks, createNotion } from "notion-helper";
import gatsby from "gatsby-source-notion-api/gatsby-node.js";
import {
  assert,
  assertContains,
  finish,
  plain,
  request,
  seed,
  setting,
  step,
  text,
  title,
  token,
} from "./lib.mjs";
import { walk } from "./dialect.mjs";

const { baseUrl } = setting;
const options = { auth: token, baseUrl };

for (const [name, get] of Object.entries({ "axios 1.21.1": axios.get, fetch })) {
  await step(`${name}, with the host redirected`, "GET /v1/users/me", async () => {
    const headers = { authorization: `Bearer ${token}`, "notion-version": "2022-06-28" };
    const response = await get("https://api.notion.com/v1/users/me", { headers });
    assert.equal((response.data ?? await response.json()).id, seed.me);
  });
}

const newPage = (name) =>
  request("POST", "/v1/pages", {
    parent: { page_id: seed.root },
    properties: { title: title(name) },
  });

/** What every reader of the page of all blocks should find. */
const TEXTS = [
  "A paragraph",
  "A nested paragraph",
  "First heading",
  "Second heading",
  "Third heading",
  "Inside the heading",
  "A bullet",
  "A nested bullet",
  "A numbered item",
  "A task",
  "A toggle",
  "Inside the toggle",
  "A quote",
  "A callout",
  "let a = 1;",
  "E = mc^2",
  "https://example.com/bookmark",
  "https://example.com/embed",
  "https://files.test/picture.png",
  "https://files.test/film.mp4",
  "https://files.test/text.txt",
  "https://files.test/paper.pdf",
  "Cell",
  "Left column",
  "Right column",
];

for (const [sdk, Client] of [["2.2.15", Client2], ["4.0.2", Client4], ["5.26.0", Client5]]) {
  const client = `notion-to-md 3.1.9 on SDK ${sdk}`;
  const converter = () => new NotionToMarkdown({ notionClient: new Client(options) });
  await step(client, "page with every block as Markdown", async () => {
    const n2m = converter();
    const { parent } = n2m.toMarkdownString(await n2m.pageToMarkdown(seed.blocks));
    assertContains(parent, [...TEXTS, "a link", "https://example.com/a", "@Ann"]);
    assert.equal(parent.split("Synced text").length - 1, 2, "the original and its copy");
  });
  await step(client, "tree of pages", async () => {
    const n2m = converter();
    const { parent, ...children } = n2m.toMarkdownString(await n2m.pageToMarkdown(seed.linked));
    assertContains(parent + JSON.stringify(children), ["Child page", "Text of the child"]);
  });
}

const MARKDOWN = `# Heading

A paragraph with **bold**, *italic*, \`code\`, ~~struck~~ and [a link](https://example.com/link).

- one
  - nested
1. first
- [x] done

> quoted

\`\`\`js
let a = 1;
\`\`\`

![picture](https://files.test/picture.png)

| a | b |
|---|---|
| 1 | [two](https://example.com/two) |

$$
x^2
$$

---
`;
for (const strict of [false, true]) {
  const operation = `Markdown as blocks${strict ? ", strictImageUrls" : ""}`;
  await step("@tryfabric/martian 1.2.4", operation, async () => {
    const page = await newPage("martian");
    const client = new Client4(options);
    const children = markdownToBlocks(MARKDOWN, { strictImageUrls: strict });
    await client.blocks.children.append({ block_id: page.id, children });
    const blocks = await walk(client, page.id);
    assert.deepEqual(blocks.map(({ type }) => type), children.map(({ type }) => type));
    const link = blocks[1].paragraph.rich_text.find(({ href }) => href);
    assert.deepEqual([link.href, link.text.link], [
      "https://example.com/link",
      { url: "https://example.com/link" },
    ]);
    const table = blocks.find(({ type }) => type === "table");
    assert.equal(table.children[1].table_row.cells[1][0].href, "https://example.com/two");
  });
}

for (
  const [version, folder, sdk] of [["1.1.29", "langchain-1", "5.26.0"], [
    "0.3.57",
    "langchain-0",
    "2.2.15",
  ]]
) {
  const { NotionAPILoader } = await import(
    `../packed/${folder}/dist/document_loaders/web/notionapi.js`
  );
  const client = `@langchain/community ${version} on SDK ${sdk}`;
  const load = (type, id, more = {}) =>
    new NotionAPILoader({ clientOptions: options, type, id, ...more }).load();
  await step(client, "page with every block", async () => {
    const [document] = await load("page", seed.blocks);
    assertContains(document.pageContent, [...TEXTS, "Synced text"]);
    assert.equal(document.metadata.properties._title, "Every block");
  });
  await step(client, "tree of pages", async () => {
    const documents = await load("page", seed.child);
    const whole = documents.map(({ pageContent }) => pageContent).join("\n");
    assertContains(whole, ["Text of the child", "Text of the grandchild"]);
  });
  await step(client, "database", async () => {
    const documents = await load("database", seed.small, { propertiesAsHeader: true });
    assert.equal(documents.length, 3);
    assertContains(documents.map(({ pageContent }) => pageContent).sort().join("\n"), [
      "Text of small 0",
      "Text of small 2",
      "Number: '1'",
    ]);
  });
}

const { notionLoader } = await import("notion-astro-loader");
const logger = { info() {}, warn() {}, debug() {}, error() {}, fork: () => logger };
const astro = "notion-astro-loader 0.4.0";
async function loadAstro(database_id, more = {}) {
  const entries = new Map();
  const store = {
    keys: () => entries.keys(),
    get: (id) => entries.get(id),
    set: (entry) => entries.set(entry.id, entry),
    delete: (id) => entries.delete(id),
  };
  const loader = notionLoader({ ...options, database_id, ...more });
  const schema = await loader.schema();
  const parseData = ({ data }) => schema.parseAsync(data);
  await loader.load({ store, logger, parseData });
  return [...entries.values()];
}
await step(astro, "database with every property, filtered", async () => {
  const filter = { property: "Number", number: { less_than: 3 } };
  const entries = await loadAstro(seed.rows, { filter });
  assert.equal(entries.length, 3);
  assertContains(entries.map(({ rendered }) => rendered.html).join("\n"), ["Text of row 2"]);
  assert.deepEqual(entries.map(({ data }) => data.properties.Number.number).sort(), [0, 1, 2]);
});
await step(astro, "database with its pages as HTML", async () => {
  const entries = await loadAstro(seed.small);
  assert.equal(entries.length, 3);
  assertContains(entries.map(({ rendered }) => rendered.html).join("\n"), ["Text of small 2"]);
});

const crawl = "notion-md-crawler 1.0.2";
async function collectPages(pages) {
  const found = [];
  for await (const { success, page, failure } of pages) {
    if (!success) throw new Error(JSON.stringify(failure));
    found.push(`${page.metadata.title}: ${page.properties.join(" ")} ${page.lines.join("\n")}`);
  }
  return found.join("\n");
}
await step(crawl, "page with every block", async () => {
  const whole = await collectPages(crawler({ client: new Client4(options) })(seed.blocks));
  assertContains(whole, [
    ...TEXTS.filter((part) => !/film|text\.txt|paper/.test(part)),
    "Synced text",
  ]);
});
await step(crawl, "tree of pages with a database", async () => {
  const whole = await collectPages(crawler({ client: new Client4(options) })(seed.linked));
  assertContains(whole, ["Text of the child", "Text of the grandchild", "Text of small 1"]);
});
await step(crawl, "database with every property, of which it reads 100 rows", async () => {
  const whole = await collectPages(dbCrawler({ client: new Client4(options) })(seed.rows));
  assertContains(whole, ["Row 299", "Row 200", "[Tags] A, B", "[Sum] 3", "[People] Ann"]);
});

const helper = "notion-helper 1.3.33";
await step(helper, "page with every property and nested blocks", async () => {
  const client = new Client4(options);
  const builder = createNotion({ limitChildren: true })
    .parentDb(seed.rows)
    .title("Name", "Built")
    .richText("Text", "words")
    .number("Number", 1000)
    .select("Select", "A")
    .multiSelect("Tags", ["A", "B"])
    .status("Status", "Done")
    .date("Date", "2026-11-22")
    .checkbox("Done", true)
    .url("Link", "https://example.com")
    .email("Mail", "ann@example.com")
    .phoneNumber("Phone", "+1 555");
  const { content } = builder
    .heading1("Built heading")
    .paragraph("Built text")
    .startParent("toggle", "Built toggle")
    .paragraph("Built inside")
    .endParent()
    .divider()
    .build();
  const page = await client.pages.create(content);
  assert.equal(page.properties.Number.number, 1000);
  const { apiResponses } = await appendBlocks({
    client,
    block_id: page.id,
    children: Array.from({ length: 130 }, (_, at) => ({
      type: "paragraph",
      paragraph: { rich_text: [text(`Appended ${at}`)] },
    })),
  });
  assert.ok(apiResponses.length >= 2);
  const blocks = await walk(client, page.id);
  assert.equal(blocks.length, 134);
  assert.equal(plain(blocks[2].children[0].paragraph.rich_text), "Built inside");
  assert.equal(plain(blocks[133].paragraph.rich_text), "Appended 129");
  await client.pages.update({ page_id: page.id, archived: true });
});

const source = "gatsby-source-notion-api 0.12.0";
await step(source, "database with its pages as Markdown", async () => {
  const nodes = [];
  const cache = new Map();
  await gatsby.sourceNodes({
    actions: { createNode: (node) => nodes.push(node) },
    createContentDigest: (value) => JSON.stringify(value).length,
    createNodeId: (id) => id,
    reporter: {
      panic: (error) => {
        throw new Error(error);
      },
      warn() {},
    },
    cache: { get: (key) => cache.get(key), set: (key, value) => cache.set(key, value) },
  }, { token, databaseId: seed.small });
  assert.equal(nodes.length, 3);
  assertContains(nodes.map(({ markdownString }) => markdownString).join("\n"), [
    "Text of small 0",
    "Text of small 2",
    "title: Small 1",
  ]);
});
await step(source, "database of 300 rows with every property", async () => {
  const nodes = [];
  await gatsby.sourceNodes({
    actions: { createNode: (node) => nodes.push(node) },
    createContentDigest: (value) => JSON.stringify(value).length,
    createNodeId: (id) => id,
    reporter: {
      panic: (error) => {
        throw new Error(error);
      },
      warn() {},
    },
    cache: { get: () => undefined, set() {} },
  }, { token, databaseId: seed.rows });
  assert.ok(nodes.length >= seed.rowCount);
});

finish();
