// The vendor's MCP server, every tool, over stdio as agents start it. Arguments: `1` or `2`, and
// a version that is configured for all requests.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
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
} from "./lib.mjs";

const [, , major, version] = process.argv;
const own = `@notionhq/notion-mcp-server ${major === "1" ? "1.9.1" : "2.5.2"}`;
const name = version ? `${own} with OPENAPI_MCP_HEADERS` : own;
const { baseUrl: BASE_URL } = setting;
const headers = { Authorization: `Bearer ${setting.token}`, "Notion-Version": version };
const credentials = version
  ? { OPENAPI_MCP_HEADERS: JSON.stringify(headers) }
  : { NOTION_TOKEN: setting.token };
const client = new Client({ name: "recto", version: "1" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [new URL(`../node_modules/mcp-${major}/bin/cli.mjs`, import.meta.url).pathname],
    env: { PATH: process.env.PATH, BASE_URL, ...credentials },
    stderr: "ignore",
  }),
);
const { tools } = await client.listTools();
const untried = new Set(tools.map((tool) => tool.name));

/** Calls a tool, and returns what it says as JSON; an error of the server is thrown. */
async function call(tool, args) {
  const full = tools.find((one) => one.name === tool || one.name === `API-${tool}`)?.name;
  assert.ok(full, `there is no tool ${tool}`);
  untried.delete(full);
  const { content } = await client.callTool({ name: full, arguments: args });
  const answer = JSON.parse(content[0].text);
  if (answer.status === "error" || answer.object === "error") throw new Error(content[0].text);
  return answer;
}
/** Runs one tool as one operation. */
const tool = (operation, args, check) =>
  step(name, operation, async () => {
    const answer = await call(operation, args);
    await check(answer);
    return answer;
  });

const root = await request("POST", "/v1/pages", {
  parent: { page_id: seed.root },
  properties: { title: title(`By ${name}`) },
});
const isOld = major === "1";

await tool("get-self", {}, (me) => assert.equal(me.id, seed.me));
await tool("get-users", { page_size: 100 }, ({ results }) => {
  assert.ok(results.some(({ id }) => id === seed.me));
});
await tool("get-user", { user_id: seed.me }, (user) => assert.equal(user.name, "Ann"));

const page = await tool(
  "post-page",
  { parent: { page_id: root.id }, properties: { title: [text("By an agent")] } },
  (made) => assert.equal(plain(made.properties.title.title), "By an agent"),
);
await tool("retrieve-a-page", { page_id: page.id }, (read) => assert.equal(read.id, page.id));
await tool(
  "patch-page",
  { page_id: page.id, properties: { title: [text("Renamed")] } },
  (read) => assert.equal(plain(read.properties.title.title), "Renamed"),
);
await tool("retrieve-a-page-property", { page_id: page.id, property_id: "title" }, (read) => {
  assert.equal(read.results[0].title.plain_text, "Renamed");
});
const blocks = await tool(
  "patch-block-children",
  {
    block_id: page.id,
    children: ["One", "Two"].map((content) => ({
      type: "paragraph",
      paragraph: { rich_text: [text(content)] },
    })),
  },
  ({ results }) => assert.equal(results.length, 2),
);
await step(name, "patch-block-children, after a block", async () => {
  await call("patch-block-children", {
    block_id: page.id,
    after: blocks.results[0].id,
    children: [{
      type: "bulleted_list_item",
      bulleted_list_item: { rich_text: [text("Between")] },
    }],
  });
  const { results } = await call("get-block-children", { block_id: page.id });
  assert.deepEqual(results.map((block) => plain(block[block.type].rich_text)), [
    "One",
    "Between",
    "Two",
  ]);
});
await tool("get-block-children", { block_id: seed.long, page_size: 100 }, (list) => {
  assert.equal(list.results.length, 100);
  assert.equal(list.has_more, true);
});
const [first] = blocks?.results ?? [];
await tool("retrieve-a-block", { block_id: first?.id }, (block) => {
  assert.equal(plain(block.paragraph.rich_text), "One");
});
await tool("update-a-block", { block_id: first?.id, archived: true }, (block) => {
  assert.equal(block.in_trash, true);
});
await step(name, "update-a-block, restored", async () => {
  const block = await call("update-a-block", { block_id: first.id, archived: false });
  assert.equal(block.in_trash, false);
});
await tool("delete-a-block", { block_id: first?.id }, (block) => {
  assert.equal(block.in_trash, true);
});
await tool("post-search", { query: "Grandchild page" }, ({ results }) => {
  assert.equal(results[0].id, seed.grandchild);
});
const remark = { parent: { page_id: page.id }, rich_text: [text("A remark")] };
const comment = await tool(
  "create-a-comment",
  remark,
  ({ rich_text }) => assert.equal(plain(rich_text), "A remark"),
);
if (!comment) await request("POST", "/v1/comments", remark);
await tool("retrieve-a-comment", { block_id: page.id }, ({ results }) => {
  assert.deepEqual(results.map(({ rich_text }) => plain(rich_text)), ["A remark"]);
});

const properties = { Name: { title: {} } };
if (isOld) {
  const database = await tool(
    "create-a-database",
    {
      parent: { type: "page_id", page_id: root.id },
      title: [text("Agent's")],
      properties,
    },
    (made) => assert.equal(made.properties.Name.type, "title"),
  );
  await tool(
    "update-a-database",
    { database_id: database?.id, title: [text("Renamed")] },
    (made) => assert.equal(plain(made.title), "Renamed"),
  );
  await tool("retrieve-a-database", { database_id: seed.rows }, (read) => {
    assert.equal(read.properties.Number.type, "number");
  });
  await tool(
    "post-database-query",
    {
      database_id: seed.rows,
      filter_properties: ["title"],
      page_size: 100,
      sorts: [{ property: "Number", direction: "descending" }],
    },
    ({ results }) => {
      assert.equal(results.length, 100);
      assert.equal(plain(results[0].properties.Name.title), "Row 299");
      assert.deepEqual(Object.keys(results[0].properties), ["Name"]);
    },
  );
  await step(name, "post-database-query, filtered", async () => {
    const { results } = await call("post-database-query", {
      database_id: seed.rows,
      filter: { and: [{ property: "Name", title: { equals: "Row 12" } }] },
    });
    assert.deepEqual(results.map((row) => row.properties.Number.number), [12]);
  });
} else {
  const database = await tool("retrieve-a-database", { database_id: seed.rows }, (read) => {
    assert.equal(read.data_sources.length, 1);
  });
  const data_source_id = database?.data_sources?.[0].id;
  await tool("retrieve-a-data-source", { data_source_id }, (read) => {
    assert.equal(read.properties.Number.type, "number");
  });
  await tool(
    "query-data-source",
    {
      data_source_id,
      filter_properties: ["title"],
      filter: { property: "Number", number: { less_than: 2 } },
      sorts: [{ property: "Number", direction: "descending" }],
    },
    ({ results }) => {
      assert.deepEqual(results.map((row) => plain(row.properties.Name.title)), ["Row 1", "Row 0"]);
    },
  );
  await tool("list-data-source-templates", { data_source_id }, ({ templates }) => {
    assert.deepEqual(templates, []);
  });
  await tool(
    "create-a-data-source",
    { parent: { type: "page_id", page_id: root.id }, title: [text("Agent's")], properties },
    (made) => assert.equal(made.object, "data_source"),
  );
  await step(name, "update-a-data-source", async () => {
    const { results } = await call("post-search", {
      query: "Small",
      filter: { property: "object", value: "data_source" },
    });
    const { id } = results.find((one) => plain(one.title) === "Small");
    const made = await call("update-a-data-source", {
      data_source_id: id,
      properties: { Extra: { checkbox: {} } },
    });
    assert.equal(made.properties.Extra.type, "checkbox");
    await call("update-a-data-source", { data_source_id: id, properties: { Extra: null } });
  });
  await tool("move-page", { page_id: page.id, parent: { page_id: seed.linked } }, async () => {
    const { parent } = await call("retrieve-a-page", { page_id: page.id });
    assert.equal(parent.page_id, seed.linked);
    await call("move-page", { page_id: page.id, parent: { page_id: root.id } });
  });
  await tool("retrieve-page-markdown", { page_id: seed.blocks }, ({ markdown }) => {
    assertContains(markdown, ["First heading", "Inside the toggle", "Right column", "A picture"]);
  });
  await tool(
    "update-page-markdown",
    {
      page_id: page.id,
      type: "replace_content",
      replace_content: { new_str: "# Written\n\nby an agent" },
    },
    async () => {
      const { markdown } = await call("retrieve-page-markdown", { page_id: page.id });
      assertContains(markdown, ["# Written", "by an agent"]);
    },
  );
}
await step(name, "every tool was called", () => assert.deepEqual([...untried], []));

await client.close();
await request("PATCH", `/v1/pages/${root.id}`, { archived: true });
finish();
