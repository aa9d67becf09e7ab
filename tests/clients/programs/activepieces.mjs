// Every action and trigger of activepieces' piece, run by a stand-in for its engine.
import piece from "../packed/activepieces/src/index.js";
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

// The piece writes to the console what it fetches.
for (const method of ["log", "info", "debug", "error", "warn"]) console[method] = () => {};

const { notion } = piece;
const name = "@activepieces/piece-notion 0.7.3";
const auth = { type: "CUSTOM_AUTH", props: { accessToken: setting.token } };
const actions = notion.actions();
const untried = new Set([...Object.keys(actions), ...Object.keys(notion.triggers())]);

function engine(propsValue) {
  const entries = new Map();
  const store = {
    get: (key) => Promise.resolve(entries.get(key)),
    put: (key, value) => Promise.resolve(entries.set(key, value)),
    delete: (key) => Promise.resolve(entries.delete(key)),
  };
  return { auth, propsValue, store, files: {}, server: {}, isRepublish: false };
}

/** Runs an action with these values of its form. */
function act(action, propsValue) {
  untried.delete(action);
  return actions[action].run(engine(propsValue));
}
const run = (action, propsValue, check) =>
  step(name, action, async () => {
    const answer = await act(action, propsValue);
    await check(answer);
    return answer;
  });
const textsOf = async (id) => {
  const { results } = await request("GET", `/v1/blocks/${id}/children`);
  return results.map((block) => plain(block[block.type].rich_text ?? []));
};
const rowOf = (id) => request("GET", `/v1/pages/${id}`);

const root = await request("POST", "/v1/pages", {
  parent: { page_id: seed.root },
  properties: { title: title(name) },
});
const markdown = "# Heading\n\nA text with [a link](https://example.com/link)\n\n- one\n- two";
const database_id = seed.rows;
const values = {
  Name: "Row by a piece",
  Text: "written",
  Number: 5000,
  Select: "B",
  Tags: ["A", "B"],
  Status: "Done",
  Date: "2026-11-22T10:00:00.000Z",
  Done: true,
  Link: "https://example.com",
  Mail: "ann@example.com",
  Phone: "+1 555",
  People: [seed.me],
};

await step(name, "the connection is valid", async () => {
  const connection = notion.auth.find?.(({ type }) => type === "CUSTOM_AUTH") ?? notion.auth;
  assert.deepEqual(await connection.validate({ auth: auth.props }), { valid: true });
});
await step(name, "lists of the form", async () => {
  const { props } = actions.create_database_item;
  const { options } = await props.database_id.options({ auth });
  assert.ok(options.some(({ value }) => value === database_id));
  const fields = await props.databaseFields.props({ auth, database_id });
  for (const key of Object.keys(values)) assert.ok(fields[key], key);
  const items = actions.update_database_item.props.database_item_id;
  assert.ok((await items.options({ auth, database_id })).options.length >= 100);
  const pages = await actions.createPage.props.pageId.options({ auth });
  assert.ok(pages.options.length > 0);
});
await run("list_databases", { limit: 100 }, (answer) => {
  assertContains(JSON.stringify(answer), [database_id]);
});
await run("retrieve_database", { database_id }, (answer) => {
  assertContains(JSON.stringify(answer), ["Rows"]);
});
const row = await run(
  "create_database_item",
  { database_id, databaseFields: values, content: markdown },
  async ({ id }) => {
    const { properties } = await rowOf(id);
    assert.equal(properties.Number.number, 5000);
    assert.equal(properties.People.people[0].id, seed.me);
    assert.deepEqual(properties.Tags.multi_select.map((tag) => tag.name), ["A", "B"]);
    assert.ok((await textsOf(id)).length > 0);
  },
);
const item = { database_id, database_item_id: row?.id };
await run("update_database_item", { ...item, databaseFields: { Number: 5001 } }, async () => {
  assert.equal((await rowOf(row.id)).properties.Number.number, 5001);
});
await run(
  "notion-find-database-item",
  { database_id, filterDatabaseFields: { Name: "Row by a piece" } },
  (answer) => assertContains(JSON.stringify(answer), [row.id]),
);
await run(
  "list_database_pages",
  { database_id, limit: 10, filterDatabaseFields: { Number: 7 } },
  (answer) => assertContains(JSON.stringify(answer), ["Row 7"]),
);
await run("archive_database_item", item, async () => {
  assert.equal((await rowOf(row.id)).in_trash, true);
});
await run("restore_database_item", { database_id, archived_item_id: row?.id }, async () => {
  assert.equal((await rowOf(row.id)).in_trash, false);
});
const page = await run(
  "createPage",
  { pageId: root.id, title: "By a piece", content: markdown },
  async ({ id }) => assertContains((await textsOf(id)).join("\n"), ["A text with"]),
);
await run("append_to_page", { pageId: page?.id, content: markdown }, async () => {
  assertContains((await textsOf(page.id)).join("\n"), ["A text with a link", "two"]);
});
for (const isMarkdown of [false, true]) {
  await step(name, `getPageOrBlockChildren${isMarkdown ? ", as Markdown" : ""}`, async () => {
    const answer = await act("getPageOrBlockChildren", {
      parentId: seed.blocks,
      markdown: isMarkdown,
      dynamic: { depth: 3 },
    });
    assertContains(JSON.stringify(answer), ["First heading", "Inside the toggle"]);
  });
}
await run("add_comment", { page_id: page?.id, comment_text: "A remark" }, (comment) => {
  assertContains(JSON.stringify(comment), ["A remark"]);
});
await run("get_page_comments", { page_id: page?.id }, (answer) => {
  assertContains(JSON.stringify(answer), ["A remark"]);
});
await run("find_page", { title: "Grandchild page", exact_match: true, limit: 5 }, (answer) => {
  assertContains(JSON.stringify(answer), [seed.grandchild]);
});

const made = await run(
  "notion_create_page",
  { parent_page_id: root.id, title: "By an agent", content: markdown },
  async ({ id, page_id }) =>
    assertContains((await textsOf(id ?? page_id)).join("\n"), ["A text with"]),
);
const madeId = made?.id ?? made?.page_id;
await run("notion_get_page", { page_id: madeId }, (answer) => {
  assertContains(JSON.stringify(answer), ["By an agent"]);
});
await run("notion_append_to_page", { block_id: madeId, content: "Appended text" }, async () => {
  assert.equal((await textsOf(madeId)).at(-1), "Appended text");
});
await run(
  "notion_get_block_children",
  { block_id: seed.blocks, markdown: true, depth: 3 },
  (answer) => {
    assertContains(JSON.stringify(answer), ["First heading", "Inside the toggle"]);
  },
);
const { results: blocks } = await request("GET", `/v1/blocks/${madeId}/children`)
  .catch(() => ({ results: [] }));
const last = blocks.at(-1)?.id;
await run(
  "notion_update_block",
  { block_id: last, content: "Updated text", block_type: "paragraph" },
  async () => assert.equal((await textsOf(madeId)).at(-1), "Updated text"),
);
await run("notion_delete_block", { block_id: last }, async () => {
  assert.ok(!(await textsOf(madeId)).includes("Updated text"));
});
await run("notion_add_comment", { page_id: madeId, comment_text: "A second" }, (answer) => {
  assertContains(JSON.stringify(answer), ["A second"]);
});
await run("notion_get_page_comments", { page_id: madeId }, (answer) => {
  assertContains(JSON.stringify(answer), ["A second"]);
});
await run("notion_move_page", { page_id: madeId, new_parent_page_id: seed.linked }, async () => {
  assert.equal((await rowOf(madeId)).parent.page_id, seed.linked);
});
await run("notion_archive_page", { page_id: madeId, archived: true }, async () => {
  assert.equal((await rowOf(madeId)).in_trash, true);
});
await run("notion_search", { query: "Grandchild page", limit: 5 }, (answer) => {
  assertContains(JSON.stringify(answer), [seed.grandchild]);
});
await run("notion_list_users", { page_size: 100 }, (answer) => {
  assertContains(JSON.stringify(answer), [seed.me]);
});
await run("notion_get_user", { user_id: seed.me }, (answer) => {
  assertContains(JSON.stringify(answer), ["Ann"]);
});
await run("notion_get_database", { database_id }, (answer) => {
  assertContains(JSON.stringify(answer), ["multi_select", "rollup"]);
});
await run(
  "notion_query_database",
  {
    database_id,
    filter: { property: "Number", number: { less_than: 3 } },
    sorts: [{ property: "Number", direction: "descending" }],
    page_size: 10,
  },
  (answer) => assertContains(JSON.stringify(answer), ["Row 2", "Row 0"]),
);
const created = await run(
  "notion_create_database",
  { parent_page_id: root.id, title: "By an agent", properties: { Name: { title: {} } } },
  ({ database }) => assert.equal(plain(database.title), "By an agent"),
);
const own = created?.database;
await run(
  "notion_update_database_schema",
  { database_id: own?.id, title: "Renamed", properties: { Note: { rich_text: {} } } },
  async () => {
    const database = await request("GET", `/v1/databases/${own.id}`);
    assert.deepEqual(Object.keys(database.properties).sort(), ["Name", "Note"]);
    assert.equal(plain(database.title), "Renamed");
  },
);
const ownItem = await run(
  "notion_create_database_item",
  {
    database_id: own?.id,
    properties: { Name: title("An item"), Note: { rich_text: [text("noted")] } },
    content: "Its text",
  },
  async ({ item }) => assert.deepEqual(await textsOf(item.id), ["Its text"]),
);
const item_id = ownItem?.item.id;
await run(
  "notion_update_database_item",
  { item_id, properties: { Name: title("Renamed") } },
  async () => {
    assert.equal(plain((await rowOf(item_id)).properties.Name.title), "Renamed");
  },
);
await run(
  "notion_find_database_item",
  { database_id: own?.id, filter: { property: "Name", title: { equals: "Renamed" } } },
  (answer) => assertContains(JSON.stringify(answer), [item_id]),
);
await run("notion_archive_database_item", { item_id }, async () => {
  assert.equal((await rowOf(item_id)).in_trash, true);
});
await run("notion_restore_database_item", { item_id }, async () => {
  assert.equal((await rowOf(item_id)).in_trash, false);
});
await run(
  "custom_api_call",
  {
    url: { url: "/users/me" },
    method: "GET",
    // Like the vendor, the server wants a version; the action leaves it to its user.
    headers: { "Notion-Version": "2022-06-28" },
    queryParams: {},
  },
  ({ body }) => assert.equal(body.id, seed.me),
);

/** Turns a trigger on, changes something, and returns what it then finds. */
async function fire(trigger, propsValue, change) {
  untried.delete(trigger);
  const { onEnable, run } = notion.triggers()[trigger];
  const here = engine(propsValue);
  await onEnable(here);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const expected = await change();
  return { found: JSON.stringify(await run(here)), expected };
}
const addRow = async (Name) =>
  (await request("POST", "/v1/pages", {
    parent: { database_id: own.id },
    properties: { Name: title(Name) },
  })).id;
const triggers = {
  new_database_item: [{ database_id: own?.id }, () => addRow("Triggers")],
  updated_database_item: [{ database_id: own?.id }, async () => {
    await request("PATCH", `/v1/pages/${item_id}`, { properties: { Name: title("Changed") } });
    return item_id;
  }],
  new_comment: [{ page_id: root.id }, async () => {
    await request("POST", "/v1/comments", {
      parent: { page_id: root.id },
      rich_text: [text("Triggers")],
    });
    return "Triggers";
  }],
  updated_page: [{}, async () => {
    await request("PATCH", `/v1/pages/${page.id}`, { properties: { title: title("Changed") } });
    return page.id;
  }],
};
for (const [trigger, [propsValue, change]] of Object.entries(triggers)) {
  await step(name, `trigger ${trigger}`, async () => {
    const { found, expected } = await fire(trigger, propsValue, change);
    assertContains(found, [expected]);
  });
}
await step(name, "every action and trigger was run", () => assert.deepEqual([...untried], []));

if (row) await request("PATCH", `/v1/pages/${row.id}`, { archived: true });
await request("PATCH", `/v1/pages/${root.id}`, { archived: true });
finish();
