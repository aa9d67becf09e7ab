// n8n's Notion nodes, their trigger and their credential, run by a stand-in for n8n: parameters get
// their defaults from the node's own description, and requests are authenticated by the credential.
import { createRequire } from "node:module";
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

const require = createRequire(import.meta.url);
const workflow = require("n8n-workflow");
const { Notion } = require("../packed/n8n/dist/nodes/Notion/Notion.node.js");
const { NotionTrigger } = require("../packed/n8n/dist/nodes/Notion/NotionTrigger.node.js");
const { NotionApi } = require("../packed/n8n/dist/credentials/NotionApi.credentials.js");
const notion = new Notion();
const trigger = new NotionTrigger();
const credential = new NotionApi();
const VERSION = "n8n-nodes-base 2.41.2";

/** Sends what a node asks for, as n8n does. */
async function send(options) {
  const url = new URL(options.uri ?? options.url, options.baseURL && `${options.baseURL}/`);
  for (const [key, value] of Object.entries(options.qs ?? {})) url.searchParams.set(key, value);
  const response = await fetch(url, {
    method: options.method ?? "GET",
    headers: {
      ...options.headers,
      ...(options.body && { "content-type": "application/json" }),
    },
    ...(options.body && { body: JSON.stringify(options.body) }),
  });
  const body = await response.text();
  if (response.ok) return JSON.parse(body);
  throw Object.assign(new Error(`${response.status} ${body}`), {
    statusCode: response.status,
    description: body,
  });
}

async function sendAuthenticated(_type, options) {
  return send(await credential.authenticate({ apiKey: setting.token }, options));
}

/** What a node sees of n8n. */
function context(description, typeVersion, parameters, extra = {}) {
  const node = { name: "Notion", type: "n8n-nodes-base.notion", typeVersion, parameters };
  const filled = workflow.NodeHelpers.getNodeParameters(
    description.properties,
    parameters,
    true,
    false,
    node,
    description,
  ) ?? {};
  const read = (name, fallback, options) => {
    const value = name.split(".").reduce((at, key) => at?.[key], filled);
    if (value === undefined) return fallback;
    return options?.extractValue && value?.__rl ? value.value : value;
  };
  return {
    getNode: () => node,
    getMode: () => "trigger",
    getTimezone: () => "Europe/Berlin",
    continueOnFail: () => false,
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name, ...rest) => {
      const [first, ...others] = rest;
      return typeof first === "number" ? read(name, ...others) : read(name, ...rest);
    },
    getCurrentNodeParameter: (name, options) => read(name, undefined, options),
    getCurrentNodeParameters: () => filled,
    helpers: {
      request: send,
      requestWithAuthentication: sendAuthenticated,
      httpRequestWithAuthentication: sendAuthenticated,
      returnJsonArray: (data) => (Array.isArray(data) ? data : [data]).map((json) => ({ json })),
      constructExecutionMetaData: (items, { itemData }) =>
        items.map((item) => ({ ...item, pairedItem: itemData })),
      prepareBinaryData: (data) => ({ data }),
    },
    ...extra,
  };
}

/** Runs one operation of the node; returns the items it hands on. */
async function execute(typeVersion, parameters) {
  const node = notion.nodeVersions[typeVersion];
  const here = context(node.description, typeVersion, parameters);
  const [items] = await node.execute.call(here);
  return items.map(({ json }) => json);
}

/** Calls what fills a list of the editor. */
function load(typeVersion, group, method, parameters, ...args) {
  const node = notion.nodeVersions[typeVersion];
  const here = context(node.description, typeVersion, parameters);
  return node.methods[group][method].call(here, ...args);
}

const byId = (value) => ({ __rl: true, mode: "id", value });

await step(`${VERSION}, credential`, "test of the credential", async () => {
  const { baseURL, url } = credential.test.request;
  const me = await sendAuthenticated("notionApi", { url: `${baseURL}${url}`, method: "GET" });
  assert.equal(me.id, seed.me);
});
await step(`${VERSION}, credential`, "HTTP Request node with the credential", async () => {
  const url = `https://api.notion.com/v1/databases/${seed.rows}/query`;
  const { results } = await sendAuthenticated("notionApi", {
    url,
    method: "POST",
    body: { page_size: 5 },
  });
  assert.equal(results.length, 5);
  assert.equal(results[0].properties.Text.rich_text[0].plain_text, "some text");
});

const values = (key) =>
  [
    { key: "Text|rich_text", richText: false, textContent: "written" },
    { key: "Number|number", numberValue: 4000 },
    { key: "Done|checkbox", checkboxValue: true },
    { key: "Select|select", selectValue: "B" },
    { key: "Tags|multi_select", multiSelectValue: ["A", "B"] },
    { key: "Status|status", statusValue: "Done" },
    {
      key: "Date|date",
      range: false,
      includeTime: true,
      date: "2026-11-22T10:00:00",
      timezone: "default",
    },
    { key: "People|people", peopleValue: [seed.me] },
    { key: "Link|url", urlValue: "https://example.com", ignoreIfEmpty: false },
    { key: "Mail|email", emailValue: "ann@example.com" },
    { key: "Phone|phone_number", phoneValue: "+1 555" },
    { key: "Related|relation", relationValue: [seed.related[0]] },
    {
      key: "Files|files",
      fileUrls: { fileUrl: [{ name: "a.txt", url: "https://files.test/a.txt" }] },
    },
  ].map((value) => ({ ...value, [key]: value.key }));

const richBlock = (type, content) => ({
  type,
  richText: true,
  text: {
    text: [{ textType: "text", text: content, isLink: false, annotationUi: { bold: true } }],
  },
  ...(type === "to_do" && { checked: true }),
});
const blockValues = [
  { type: "paragraph", richText: false, textContent: "By n8n" },
  ...[
    "heading_1",
    "heading_2",
    "heading_3",
    "toggle",
    "to_do",
    "bulleted_list_item",
    "numbered_list_item",
  ].map((type) => richBlock(type, `A ${type}`)),
  { type: "image", url: "https://files.test/picture.png" },
];
const root = await request("POST", "/v1/pages", {
  parent: { page_id: seed.root },
  properties: { title: title("n8n") },
});
const textsOf = async (id) => {
  const { results } = await request("GET", `/v1/blocks/${id}/children`);
  return results.map((block) => plain(block[block.type].rich_text ?? []));
};
const row = (name, more) => ({ resource: "databasePage", operation: name, ...more });
const rowFilter = (field, key, more) => ({
  filterType: "manual",
  matchType: "allFilters",
  filters: { conditions: [{ key, condition: "equals", ...more }] },
  returnAll: true,
  ...field,
});

/** The values of a filter under the names that node 3 gives them. */
function newValues(condition) {
  const { titleValue, urlValue, emailValue, phoneNumberValue, richTextValue } = condition;
  const { selectValue, multiSelectValue, statusValue, date } = condition;
  return {
    richTextValue: richTextValue ?? titleValue ?? urlValue ?? emailValue ?? phoneNumberValue,
    optionValue: selectValue ?? multiSelectValue ?? statusValue,
    dateValue: date,
  };
}

for (const typeVersion of [2.2, 3]) {
  const name = `${VERSION}, node ${typeVersion}`;
  const run = (operation, work) => step(name, operation, work);
  const isNew = typeVersion === 3;
  const source = isNew
    ? (await request("GET", `/v1/databases/${seed.rows}`, undefined, { version: "2026-03-11" })
      .catch(() => undefined))?.data_sources?.[0].id
    : seed.rows;
  const database = isNew ? { dataSourceId: byId(source) } : { databaseId: byId(source) };
  const page = await request("POST", "/v1/pages", {
    parent: { page_id: root.id },
    properties: { title: title(name) },
  });

  await run("user: get", async () => {
    const [user] = await execute(typeVersion, {
      resource: "user",
      operation: "get",
      userId: seed.me,
    });
    assert.equal(user.name, "Ann");
  });
  await run("user: getAll", async () => {
    const users = await execute(typeVersion, {
      resource: "user",
      operation: "getAll",
      returnAll: true,
    });
    assert.ok(users.some(({ id }) => id === seed.me));
  });
  await run("block: append", async () => {
    const [answer] = await execute(typeVersion, {
      resource: "block",
      operation: "append",
      blockId: byId(page.id),
      blockUi: { blockValues },
    });
    assert.equal(answer.results.length, blockValues.length);
    assertContains((await textsOf(page.id)).join("\n"), ["By n8n", "A heading_1", "A to_do"]);
  });
  await run("block: getAll, nested", async () => {
    const blocks = await execute(typeVersion, {
      resource: "block",
      operation: "getAll",
      blockId: byId(seed.blocks),
      returnAll: true,
      fetchNestedBlocks: true,
      simplifyOutput: false,
    });
    const whole = JSON.stringify(blocks);
    assertContains(whole, ["A nested bullet", "Inside the toggle", "Right column"]);
    assert.equal(whole.split('"plain_text":"Synced text"').length - 1, 2);
  });
  await run("block: getAll, simplified", async () => {
    const blocks = await execute(typeVersion, {
      resource: "block",
      operation: "getAll",
      blockId: byId(seed.blocks),
      returnAll: true,
    });
    // Node 3 looks for texts under their name before 2022 and leaves the blocks as they are.
    const whole = isNew ? JSON.stringify(blocks) : blocks.map(({ content }) => content).join("\n");
    assertContains(whole, ["First heading", "A quote", "A task"]);
  });
  await run("block: getAll, 250 blocks", async () => {
    const blocks = await execute(typeVersion, {
      resource: "block",
      operation: "getAll",
      blockId: byId(seed.long),
      returnAll: true,
    });
    assert.equal(blocks.length, 250);
  });
  await run("database: get", async () => {
    const [read] = await execute(typeVersion, {
      resource: "database",
      operation: "get",
      databaseId: byId(seed.rows),
    });
    assert.equal(read.name ?? read.title, "Rows");
  });
  if (isNew) {
    await run("dataSource: get", async () => {
      const [read] = await execute(typeVersion, {
        resource: "dataSource",
        operation: "get",
        ...database,
        simple: false,
      });
      assert.equal(read.properties.Number.type, "number");
    });
    await run("dataSource: search", async () => {
      const found = await execute(typeVersion, {
        resource: "dataSource",
        operation: "search",
        text: "Rows",
        returnAll: true,
      });
      assert.ok(found.some(({ id }) => id === source));
    });
    await run("block: append after a block", async () => {
      const { results } = await request("GET", `/v1/blocks/${page.id}/children`);
      await execute(typeVersion, {
        resource: "block",
        operation: "append",
        blockId: byId(page.id),
        afterBlockId: results[0].id,
        blockUi: { blockValues: [{ type: "paragraph", richText: false, textContent: "Second" }] },
      });
      assert.equal((await textsOf(page.id))[1], "Second");
    });
    await run("block: getMarkdown", async () => {
      const [{ markdown }] = await execute(typeVersion, {
        resource: "block",
        operation: "getMarkdown",
        blockId: byId(page.id),
      });
      assertContains(markdown, ["By n8n", "Second", "https://files.test/picture.png"]);
    });
    await run("page: getMarkdown", async () => {
      const [{ markdown }] = await execute(typeVersion, {
        resource: "page",
        operation: "getMarkdown",
        pageId: byId(seed.blocks),
      });
      assertContains(markdown, ["First heading", "Inside the toggle"]);
    });
    await run("page: updateMarkdown", async () => {
      const [made] = await execute(typeVersion, {
        resource: "page",
        operation: "create",
        pageId: byId(page.id),
        title: "From Markdown",
        contentType: "markdown",
        markdown: "# One\n\nTwo",
      });
      const update = { resource: "page", operation: "updateMarkdown", pageId: byId(made.id) };
      await execute(typeVersion, {
        ...update,
        markdownUpdateType: "update_content",
        contentUpdates: { updates: [{ oldString: "Two", newString: "Three" }] },
      });
      assert.deepEqual(await textsOf(made.id), ["One", "Three"]);
      await execute(typeVersion, { ...update, markdown: "Replaced" });
      assert.deepEqual(await textsOf(made.id), ["Replaced"]);
    });
  } else {
    for (const operation of ["getAll", "search"]) {
      await run(`database: ${operation}`, async () => {
        const found = await execute(typeVersion, {
          resource: "database",
          operation,
          ...(operation === "search" && { text: "Rows" }),
          returnAll: true,
        });
        assert.ok(found.some(({ id }) => id === seed.rows));
      });
    }
  }
  const made = await run("databasePage: create, every property", async () => {
    const [answer] = await execute(
      typeVersion,
      row("create", {
        ...database,
        title: "Row by n8n",
        simple: false,
        propertiesUi: { propertyValues: values("key") },
        blockUi: {
          blockValues: [{ type: "paragraph", richText: false, textContent: "In the row" }],
        },
      }),
    );
    const { properties } = answer;
    assert.equal(plain(properties.Name.title), "Row by n8n");
    assert.equal(plain(properties.Text.rich_text), "written");
    assert.equal(properties.Number.number, 4000);
    assert.equal(properties.Select.select.name, "B");
    assert.equal(properties.Date.date.start, "2026-11-22T10:00:00.000+01:00");
    assert.deepEqual(properties.Related.relation, [{ id: seed.related[0] }]);
    assert.deepEqual(await textsOf(answer.id), ["In the row"]);
    return answer;
  });
  await run("databasePage: update", async () => {
    const [answer] = await execute(
      typeVersion,
      row("update", {
        pageId: byId(made.id),
        propertiesUi: { propertyValues: [{ key: "Number|number", numberValue: 4001 }] },
      }),
    );
    assert.equal(answer.property_number, 4001);
  });
  await run("databasePage: get, simplified", async () => {
    const [answer] = await execute(typeVersion, row("get", { pageId: byId(made.id) }));
    assert.deepEqual(answer.property_people, ["ann@example.com"]);
    assert.equal(answer.property_author, "Ann");
    assert.equal(answer.property_text, "written");
  });
  await run("databasePage: getAll, 300 rows", async () => {
    const found = await execute(typeVersion, row("getAll", { ...database, returnAll: true }));
    assert.ok(found.length >= seed.rowCount);
  });
  await run("databasePage: getAll, sorted", async () => {
    const sort = {
      sortValue: [{ timestamp: false, key: "Number|number", direction: "ascending" }],
    };
    const found = await execute(
      typeVersion,
      row("getAll", { ...database, limit: 2, options: { sort } }),
    );
    assert.deepEqual(found.map(({ property_number }) => property_number), [0, 1]);
  });
  await run("databasePage: getAll, match all without conditions", async () => {
    const found = await execute(
      typeVersion,
      row("getAll", { ...database, filterType: "manual", matchType: "allFilters", limit: 3 }),
    );
    assert.equal(found.length, 3);
  });
  const filters = [
    ["title", { key: "Name|title", type: "title", condition: "equals", titleValue: "Row 7" }, 1],
    ["rich_text", {
      key: "Text|rich_text",
      type: "rich_text",
      condition: "equals",
      richTextValue: "written",
    }, 1],
    ["number", { key: "Number|number", type: "number", condition: "less_than", numberValue: 5 }, 5],
    ["checkbox", {
      key: "Done|checkbox",
      type: "checkbox",
      condition: "does_not_equal",
      checkboxValue: true,
    }, 0],
    ["select", { key: "Select|select", type: "select", condition: "equals", selectValue: "B" }, 1],
    ["multi_select", {
      key: "Tags|multi_select",
      type: "multi_select",
      condition: "does_not_contain",
      multiSelectValue: "A",
    }, 0],
    ["status", {
      key: "Status|status",
      type: "status",
      condition: "does_not_equal",
      statusValue: "Done",
    }, 0],
    [
      "date",
      { key: "Date|date", type: "date", condition: "after", date: "2030-01-01T00:00:00" },
      0,
    ],
    ["date, past_week", {
      key: "Created|created_time",
      type: "created_time",
      condition: "is_empty",
    }, 0],
    ["people", {
      key: "People|people",
      type: "people",
      condition: "does_not_contain",
      peopleValue: seed.me,
    }, 0],
    [
      "url",
      { key: "Link|url", type: "url", condition: "does_not_contain", urlValue: "example" },
      0,
    ],
    ["email", {
      key: "Mail|email",
      type: "email",
      condition: "does_not_equal",
      emailValue: "ann@example.com",
    }, 0],
    ["phone_number", {
      key: "Phone|phone_number",
      type: "phone_number",
      condition: "does_not_equal",
      phoneNumberValue: "+1 555",
    }, 0],
    ["relation", {
      key: "Related|relation",
      type: "relation",
      condition: "does_not_contain",
      relationValue: seed.related[0],
    }, 0],
    ["files", { key: "Files|files", type: "files", condition: "is_empty" }, 0],
    ["formula", {
      key: "Double|formula",
      type: "formula",
      returnType: "number",
      condition: "equals",
      numberValue: 20,
    }, 1],
  ];
  await run("databasePage: getAll, filters", async () => {
    const failures = [];
    for (const [kind, condition, count] of filters) {
      try {
        const form = isNew ? { ...condition, ...newValues(condition) } : condition;
        const found = await execute(
          typeVersion,
          row("getAll", rowFilter(database, condition.key, form)),
        );
        const results = found.filter(({ id }) => id);
        if (results.length !== count) failures.push(`${kind}: ${results.length}, not ${count}`);
      } catch (error) {
        failures.push(`${kind}: ${error.description ?? error.message}`);
      }
    }
    assert.deepEqual(failures, []);
  });
  await run("databasePage: getAll, filter as JSON", async () => {
    const filterJson = JSON.stringify({ property: "Number", number: { equals: 3 } });
    const found = await execute(
      typeVersion,
      row("getAll", { ...database, filterType: "json", filterJson, returnAll: true }),
    );
    assert.deepEqual(found.map(({ property_number }) => property_number), [3]);
  });
  const created = await run("page: create", async () => {
    const [answer] = await execute(typeVersion, {
      resource: "page",
      operation: "create",
      pageId: byId(page.id),
      title: "Page by n8n",
      simple: false,
      blockUi: { blockValues },
      options: { icon: "🚀" },
    });
    assert.equal(plain(answer.properties.title.title), "Page by n8n");
    assert.equal((await textsOf(answer.id)).length, blockValues.length);
    return answer;
  });
  await run("page: search", async () => {
    const [first] = await execute(typeVersion, {
      resource: "page",
      operation: "search",
      text: "Grandchild page",
      limit: 5,
    });
    assert.equal(first.id, seed.grandchild);
  });
  await run("page: archive", async () => {
    const [answer] = await execute(typeVersion, {
      resource: "page",
      operation: "archive",
      pageId: byId(created.id),
      simple: false,
    });
    assert.equal(answer.in_trash, true);
  });
  if (made) await request("PATCH", `/v1/pages/${made.id}`, { archived: true });
  await run("lists of the editor", async () => {
    const users = await load(typeVersion, "loadOptions", "getUsers", {});
    assert.ok(users.some(({ value }) => value === seed.me));
    const list = await load(
      typeVersion,
      "listSearch",
      isNew ? "getDataSources" : "getDatabases",
      {},
      "Rows",
    );
    assert.ok(list.results.some(({ value }) => value === source));
    const parameters = row("create", database);
    const method = isNew ? "getDataSourcePropertiesOptions" : "getDatabaseProperties";
    const properties = await load(typeVersion, "loadOptions", method, parameters);
    assert.ok(properties.some(({ value }) => value === "Number|number"));
    const filterable = await load(
      typeVersion,
      "loadOptions",
      "getFilterProperties",
      row("getAll", database),
    );
    assert.ok(filterable.length >= 15);
  });
}

for (const typeVersion of [1, 1.1]) {
  const isNew = typeVersion === 1.1;
  const name = `${VERSION}, trigger ${typeVersion}`;
  for (const event of ["pageAddedToDatabase", "pagedUpdatedInDatabase"]) {
    await step(name, event, async () => {
      const source = isNew
        ? (await request("GET", `/v1/databases/${seed.small}`, undefined, {
          version: "2026-03-11",
        }))
          .data_sources[0].id
        : seed.small;
      const parameters = {
        event,
        simple: false,
        ...(isNew ? { dataSourceId: byId(source) } : { databaseId: byId(source) }),
      };
      const data = {};
      const poll = async (mode) => {
        const here = context(trigger.description, typeVersion, parameters, {
          getMode: () => mode,
          getWorkflowStaticData: () => data,
        });
        const items = await trigger.poll.call(here);
        return (items?.[0] ?? []).map(({ json }) => json);
      };
      assert.equal((await poll("manual")).length, 1);
      await poll("trigger");
      const row = await request("POST", "/v1/pages", {
        parent: { database_id: seed.small },
        properties: { Name: { title: [text("Triggered")] } },
      });
      const found = await poll("trigger");
      // It may hand on others of the last minute, too: it takes times for whole minutes.
      assert.ok(found.some(({ id }) => id === row.id));
      await request("PATCH", `/v1/pages/${row.id}`, { archived: true });
    });
  }
}

await request("PATCH", `/v1/pages/${root.id}`, { archived: true });
finish();
