// The vendor's SDK: every method, on content of every type. Arguments: the SDK, and a version.
import { everyBlock, everyProperty, everyValue, rich } from "./content.mjs";
import { collect, openSdk, walk } from "./dialect.mjs";
import { assert, finish, plain, request, seed, setting, step, text, title } from "./lib.mjs";

const dialect = await openSdk(process.argv[2], process.argv[3]);
const { client, library, name, hasSources, version } = dialect;
const run = (operation, work) => step(name, operation, work);
const has = (group, method) => typeof client[group]?.[method] === "function";
const root = await request("POST", "/v1/pages", {
  parent: { page_id: seed.root },
  properties: { title: title(`By ${name}`) },
});
const parent = { type: "page_id", page_id: root.id };

/** The error that a call ends with. */
async function refusal(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("The call was not refused");
}

// Users
const person = seed.me;
await run("users.me", async () => {
  const me = await client.users.me({});
  assert.deepEqual([me.object, me.id, me.name], ["user", person, "Ann"]);
});
await run("users.list", async () => {
  const users = await collect((cursor) => client.users.list({ page_size: 1, ...cursor }));
  const ann = users.find(({ id }) => id === person);
  assert.equal(ann.name, "Ann");
  assert.equal(ann.person.email, "ann@example.com");
  assert.ok(users.length >= 2);
});
await run("users.retrieve", async () => {
  const user = await client.users.retrieve({ user_id: person });
  assert.deepEqual([user.id, user.type, user.name], [person, "person", "Ann"]);
});

// Pages
const page = await run("pages.create", async () => {
  const made = await client.pages.create({
    parent,
    properties: { title: title("A page") },
    icon: { type: "emoji", emoji: "🚀" },
    cover: { type: "external", external: { url: "https://files.test/cover.png" } },
    children: [{ paragraph: rich("First") }, { paragraph: rich("Last") }],
  });
  assert.equal(made.object, "page");
  assert.equal(plain(made.properties.title.title), "A page");
  assert.deepEqual(made.parent, { type: "page_id", page_id: root.id });
  assert.equal(made.icon.emoji, "🚀");
  return made;
});
await run("pages.retrieve", async () => {
  const read = await client.pages.retrieve({ page_id: page.id });
  assert.equal(plain(read.properties.title.title), "A page");
  assert.equal(read.cover.external.url, "https://files.test/cover.png");
  assert.equal("archived" in read, version < "2026-03-11");
  assert.equal(read.in_trash, false);
});
await run("pages.retrieve by the id in its url", async () => {
  const id = /[0-9a-f]{32}$/.exec(page.url)?.[0];
  assert.ok(id, page.url);
  if (library.extractPageId) assert.equal(library.extractPageId(page.url), page.id);
  assert.equal((await client.pages.retrieve({ page_id: id })).id, page.id);
});
await run("pages.update", async () => {
  const changed = await client.pages.update({
    page_id: page.id,
    properties: { title: title("Renamed") },
    icon: null,
  });
  assert.equal(plain(changed.properties.title.title), "Renamed");
  assert.equal(changed.icon, null);
});
await run("pages.update: trash and restore", async () => {
  const trashed = await client.pages.update({ page_id: page.id, ...dialect.trash });
  assert.equal(trashed.in_trash, true);
  const restored = await client.pages.update({ page_id: page.id, ...dialect.restore });
  assert.equal(restored.in_trash, false);
});
await run("pages.properties.retrieve", async () => {
  const item = await client.pages.properties.retrieve({ page_id: page.id, property_id: "title" });
  assert.equal(item.object, "list");
  assert.equal(item.results[0].title.plain_text, "Renamed");
});
if (has("pages", "move")) {
  await run("pages.move", async () => {
    const moved = await client.pages.create({ parent, properties: { title: title("Moves") } });
    await client.pages.move({ page_id: moved.id, parent: { type: "page_id", page_id: page.id } });
    const read = await client.pages.retrieve({ page_id: moved.id });
    assert.deepEqual(read.parent, { type: "page_id", page_id: page.id });
    await client.pages.update({ page_id: moved.id, ...dialect.trash });
  });
}
if (has("pages", "retrieveMarkdown")) {
  await run("pages.retrieveMarkdown", async () => {
    const read = await client.pages.retrieveMarkdown({ page_id: page.id });
    assert.equal(read.object, "page_markdown");
    assert.match(read.markdown, /First[\s\S]*Last/);
    assert.equal(read.truncated, false);
  });
  await run("pages.updateMarkdown", async () => {
    const made = await client.pages.create({ parent, properties: { title: title("Markdown") } });
    const write = (body) => client.pages.updateMarkdown({ page_id: made.id, ...body });
    await write({ type: "replace_content", replace_content: { new_str: "# One\n\nTwo **bold**" } });
    await write({
      type: "update_content",
      update_content: { content_updates: [{ old_str: "Two", new_str: "Three" }] },
    });
    await write({ type: "insert_content", insert_content: { content: "At the end" } });
    const blocks = await walk(client, made.id);
    assert.deepEqual(blocks.map((block) => [block.type, plain(block[block.type].rich_text)]), [
      ["heading_1", "One"],
      ["paragraph", "Three bold"],
      ["paragraph", "At the end"],
    ]);
  });
  await run("pages.update: is_locked, erase_content", async () => {
    const made = await client.pages.create({
      parent,
      properties: { title: title("Locked") },
      children: [{ paragraph: rich("Erased") }],
    });
    const locked = await client.pages.update({ page_id: made.id, is_locked: true });
    assert.equal(locked.is_locked, true);
    await client.pages.update({ page_id: made.id, is_locked: false, erase_content: true });
    assert.deepEqual(await walk(client, made.id), []);
  });
  await run("pages.create from markdown", async () => {
    const made = await client.pages.create({ parent, markdown: "# A title\n\nA text" });
    const blocks = await walk(client, made.id);
    assert.match(JSON.stringify(blocks), /A text/);
  });
}

// Blocks
await run("blocks.children.append, every type", async () => {
  const children = everyBlock({ page: seed.linked, person });
  const { results } = await dialect.append(page.id, children);
  assert.deepEqual(
    results.map(({ type }) => type),
    children.map((child) => Object.keys(child)[0]),
  );
  const copies = await dialect.append(page.id, [{
    synced_block: { synced_from: { type: "block_id", block_id: results.at(-1).id } },
  }]);
  const [copy] = copies.results;
  assert.equal(copy.has_children, true);
  const [below] = await walk(client, copy.id);
  assert.equal(plain(below.paragraph.rich_text), "Synced text");
});
await run("blocks.children.list, walked", async () => {
  const blocks = await walk(client, seed.blocks);
  const expected = everyBlock({ page: seed.linked, person }).map((child) => Object.keys(child)[0]);
  assert.deepEqual(blocks.map(({ type }) => type), [...expected, "synced_block"]);
  const nested = blocks[0].children[0];
  assert.equal(plain(nested.paragraph.rich_text), "A nested paragraph");
  assert.deepEqual(nested.parent, { type: "block_id", block_id: blocks[0].id });
  const table = blocks.find(({ type }) => type === "table");
  assert.deepEqual(
    table.children.map(({ table_row }) => table_row.cells.map(plain)),
    [["Name", "Size"], ["Cell", "12"]],
  );
  const columns = blocks.find(({ type }) => type === "column_list").children;
  assert.equal(plain(columns[1].children[0].paragraph.rich_text), "Right column");
});
await run("blocks.children.list, 250 blocks by pages", async () => {
  const blocks = await collect((cursor) =>
    client.blocks.children.list({ block_id: seed.long, page_size: 100, ...cursor })
  );
  assert.equal(blocks.length, 250);
  assert.equal(plain(blocks[249].paragraph.rich_text), "Line 249");
});
await run("blocks.children.append after a block", async () => {
  const [first] = await walk(client, page.id);
  await dialect.append(page.id, [{ paragraph: rich("Second") }], first.id);
  const [, second] = await walk(client, page.id);
  assert.equal(plain(second.paragraph.rich_text), "Second");
});
await run("blocks.retrieve, update, delete, restore", async () => {
  const [block] = await walk(client, page.id);
  const read = await client.blocks.retrieve({ block_id: block.id });
  assert.equal(plain(read.paragraph.rich_text), "First");
  const changed = await client.blocks.update({ block_id: block.id, paragraph: rich("Changed") });
  assert.equal(plain(changed.paragraph.rich_text), "Changed");
  const deleted = await client.blocks.delete({ block_id: block.id });
  assert.equal(deleted.in_trash, true);
  const restored = await client.blocks.update({ block_id: block.id, ...dialect.restore });
  assert.equal(restored.in_trash, false);
});

// Databases and data sources
const related = await run("databases.create", async () => {
  const made = await dialect.createDatabase(parent, "Costs", {
    Name: { title: {} },
    Cost: { number: {} },
  });
  assert.equal(made.answer.object, "database");
  assert.equal(plain(made.answer.title), "Costs");
  assert.equal("properties" in made.answer, !hasSources);
  if (hasSources) assert.notEqual(made.source, made.id);
  return made;
});
const database = await run("databases.create, every property", async () => {
  const properties = everyProperty(related.id);
  Object.assign(properties.Related.relation, dialect.relationTo(related.source));
  if (hasSources) delete properties.Related.relation.database_id;
  const made = await dialect.createDatabase(parent, "Rows", properties, {
    is_inline: true,
    icon: { type: "emoji", emoji: "📚" },
  });
  const read = await dialect.schemaOf(made.source);
  for (const [key, value] of Object.entries(properties)) {
    assert.equal(read.properties[key]?.type, Object.keys(value)[0], key);
  }
  const { relation } = read.properties.Related;
  assert.equal(relation.database_id, related.id);
  if (hasSources) assert.equal(relation.data_source_id, related.source);
  return made;
});
await run("databases.retrieve", async () => {
  const read = await client.databases.retrieve({ database_id: database.id });
  assert.equal(plain(read.title), "Rows");
  assert.equal(read.is_inline, true);
  assert.deepEqual(read.parent, parent);
  if (hasSources) assert.deepEqual(read.data_sources.map(({ id }) => id), [database.source]);
});
await run("databases.update", async () => {
  const changed = await client.databases.update({
    database_id: database.id,
    title: [text("More rows")],
    description: [text("Described")],
  });
  assert.equal(plain(changed.title), "More rows");
  assert.equal(plain(changed.description), "Described");
});
await run(hasSources ? "dataSources.update" : "databases.update: properties", async () => {
  const changed = await dialect.updateSchema(database.source, {
    properties: { Extra: { rich_text: {} }, Phone: { name: "Telephone" } },
  });
  assert.equal(changed.properties.Extra.type, "rich_text");
  assert.equal(changed.properties.Telephone.type, "phone_number");
  const back = await dialect.updateSchema(database.source, {
    properties: { Extra: null, Telephone: { name: "Phone" } },
  });
  assert.equal(back.properties.Extra, undefined);
  assert.equal(back.properties.Phone.type, "phone_number");
});
const rowsMade = await run("pages.create in a database, every property", async () => {
  const cost = await client.pages.create({
    parent: dialect.rowParent(related.source),
    properties: { Name: title("one"), Cost: { number: 3 } },
  });
  const made = [];
  for (const number of [1, 2, 3]) {
    made.push(
      await client.pages.create({
        parent: dialect.rowParent(database.source),
        properties: everyValue(`Row ${number}`, { number, person, related: [cost.id] }),
      }),
    );
  }
  const { properties, parent: place } = made[1];
  assert.equal(plain(properties.Name.title), "Row 2");
  assert.equal(properties.Double.formula.number, 4);
  assert.equal(properties.Sum.rollup.number, 3);
  assert.equal(properties.Date.date.start, "2026-11-22T10:00:00.000+01:00");
  assert.deepEqual(properties.Related.relation, [{ id: cost.id }]);
  assert.equal(properties.People.people[0].name, "Ann");
  assert.equal(properties.People.people[0].person.email, "ann@example.com");
  assert.equal(properties.Author.created_by.name, "Ann");
  assert.equal(properties.Status.status.name, "Done");
  assert.equal(place.type, hasSources ? "data_source_id" : "database_id");
  assert.equal(place.database_id, database.id);
  return made;
});
await run("pages.create in a database, by database_id", async () => {
  const made = await client.pages.create({
    parent: { database_id: related.id },
    properties: { Name: title("by its database") },
  });
  assert.equal(made.parent.database_id, related.id);
});
await run("pages.properties.retrieve, every property", async () => {
  const [row] = rowsMade;
  const results = {};
  for (const [key, { id }] of Object.entries(row.properties)) {
    const item = await client.pages.properties.retrieve({ page_id: row.id, property_id: id });
    results[key] = item.object === "list" ? item.results : item[item.type];
  }
  assert.equal(results.Number, 1);
  assert.equal(results.Text[0].rich_text.plain_text, "some text");
  assert.equal(results.People[0].people.name, "Ann");
  assert.equal(results.Related.length, 1);
  assert.equal(results.Double.number, 2);
});
const query = hasSources ? "dataSources.query" : "databases.query";
const rows = await run(`${query}, 300 rows by pages`, async () => {
  const source = await dialect.sourceOf(seed.rows);
  const found = await collect((cursor) => dialect.query(source, { page_size: 100, ...cursor }));
  assert.equal(found.length, seed.rowCount);
  assert.equal(new Set(found.map(({ id }) => id)).size, seed.rowCount);
  return source;
});
await run(`${query}, filters of every type`, async () => {
  const all = seed.rowCount;
  const cases = [
    [{ property: "Name", title: { equals: "Row 7" } }, 1],
    [{ property: "Text", rich_text: { contains: "some" } }, all],
    [{ property: "Number", number: { less_than: 10 } }, 10],
    [{ property: "Select", select: { equals: "A" } }, all],
    [{ property: "Tags", multi_select: { contains: "B" } }, all],
    [{ property: "Status", status: { equals: "Done" } }, all],
    [{ property: "Date", date: { on_or_after: "2026-11-23" } }, 0],
    [{ property: "People", people: { contains: person } }, all],
    [{ property: "Files", files: { is_not_empty: true } }, all],
    [{ property: "Done", checkbox: { equals: false } }, 0],
    [{ property: "Link", url: { ends_with: ".com" } }, all],
    [{ property: "Mail", email: { starts_with: "ann" } }, all],
    [{ property: "Phone", phone_number: { is_empty: true } }, 0],
    [{ property: "Double", formula: { number: { greater_than: 590 } } }, 4],
    [{ property: "Related", relation: { contains: seed.related[0] } }, all],
    [{ property: "Sum", rollup: { number: { equals: 3 } } }, all],
    [{ property: "Author", created_by: { contains: person } }, all],
    [{ property: "Id", unique_id: { less_than_or_equal_to: 5 } }, 5],
    [{ timestamp: "created_time", created_time: { past_week: {} } }, all],
    [{ and: [] }, all],
    [{ and: [{ property: "Number", number: { equals: 1 } }, { or: [] }] }, 1],
  ];
  for (const [filter, count] of cases) {
    const found = await collect((cursor) => dialect.query(rows, { filter, ...cursor }));
    assert.equal(found.length, count, JSON.stringify(filter));
  }
});
await run(`${query}, sorts`, async () => {
  const { results } = await dialect.query(rows, {
    sorts: [{ property: "Number", direction: "descending" }],
    page_size: 3,
  });
  assert.deepEqual(results.map(({ properties }) => properties.Number.number), [299, 298, 297]);
});
await run(`${query}, filter_properties`, async () => {
  const { Number: number } = (await dialect.schemaOf(rows)).properties;
  const { results } = await dialect.query(rows, { filter_properties: [number.id], page_size: 1 });
  assert.deepEqual(Object.keys(results[0].properties), ["Number"]);
});
if (hasSources) {
  await run("dataSources.retrieve", async () => {
    const read = await client.dataSources.retrieve({ data_source_id: database.source });
    assert.equal(read.object, "data_source");
    assert.equal(read.parent.database_id, database.id);
    assert.deepEqual(read.database_parent, parent);
  });
  await run("dataSources.listTemplates", async () => {
    const read = await client.dataSources.listTemplates({ data_source_id: database.source });
    assert.deepEqual(read.templates, []);
  });
  await run("pages.create from the default template", async () => {
    const data_source_id = database.source;
    const made = await client.pages.create({
      parent: { data_source_id },
      properties: { Name: title("Usual") },
      children: [{ paragraph: rich("From the template") }],
    });
    const choose = (default_template_id) =>
      client.request({
        path: `data_sources/${data_source_id}`,
        method: "patch",
        body: { default_template_id },
      });
    await choose(made.id);
    const { templates } = await client.dataSources.listTemplates({ data_source_id });
    assert.deepEqual(templates, [{ id: made.id, name: "Usual", is_default: true }]);
    const copy = await client.pages.create({
      parent: { data_source_id },
      template: { type: "default" },
    });
    assert.match(JSON.stringify(await walk(client, copy.id)), /From the template/);
    await choose(null);
    for (const { id } of [made, copy]) {
      await client.pages.update({ page_id: id, ...dialect.trash });
    }
  });
  await run("databases.update: is_locked", async () => {
    const lock = (is_locked) => client.databases.update({ database_id: related.id, is_locked });
    assert.equal((await lock(true)).is_locked, true);
    const read = await client.databases.retrieve({ database_id: related.id });
    assert.equal(read.is_locked, true);
    assert.equal((await lock(false)).is_locked, false);
  });
}
await run("databases: trash and restore", async () => {
  const trashed = await client.databases.update({ database_id: related.id, ...dialect.trash });
  assert.equal(trashed.in_trash, true);
  const restored = await client.databases.update({ database_id: related.id, ...dialect.restore });
  assert.equal(restored.in_trash, false);
});

// Search
await run("search", async () => {
  const { results, type } = await client.search({ query: "Grandchild page", page_size: 5 });
  assert.equal(results[0].id, seed.grandchild);
  assert.equal(type, hasSources ? "page_or_data_source" : "page_or_database");
});
await run("search, exact title first", async () => {
  const { results } = await client.search({
    query: "Row 3",
    filter: { property: "object", value: "page" },
    page_size: 1,
  });
  assert.equal(plain(results[0].properties.Name.title), "Row 3");
});
await run(`search, ${dialect.searchesFor}s`, async () => {
  const { results } = await client.search({
    query: "More rows",
    filter: { property: "object", value: dialect.searchesFor },
    sort: { timestamp: "last_edited_time", direction: "descending" },
  });
  const found = results.find(({ id }) => id === database.source);
  assert.equal(found?.object, dialect.searchesFor);
  assert.equal(found.properties.Name.type, "title");
});

// Comments
if (has("comments", "create")) {
  const comment = await run("comments.create", async () => {
    const made = await client.comments.create({
      parent: { page_id: page.id },
      rich_text: [text("A remark")],
    });
    assert.equal(made.object, "comment");
    assert.equal(plain(made.rich_text), "A remark");
    const reply = await client.comments.create({
      discussion_id: made.discussion_id,
      rich_text: [text("A reply")],
    });
    assert.equal(reply.discussion_id, made.discussion_id);
    return made;
  });
  await run("comments.list", async () => {
    const found = await collect((cursor) =>
      client.comments.list({ block_id: page.id, page_size: 1, ...cursor })
    );
    assert.deepEqual(found.map(({ rich_text }) => plain(rich_text)), ["A remark", "A reply"]);
    assert.equal(found[0].id, comment.id);
  });
  if (has("comments", "retrieve")) {
    await run("comments.retrieve, on a block", async () => {
      const [block] = await walk(client, page.id);
      const made = await client.comments.create({
        parent: { block_id: block.id },
        rich_text: [text("On a block")],
      });
      const read = await client.comments.retrieve({ comment_id: made.id });
      assert.deepEqual(read.parent, { type: "block_id", block_id: block.id });
    });
  }
  if (has("comments", "update")) {
    await run("comments.update, delete", async () => {
      const changed = await client.comments.update({
        comment_id: comment.id,
        rich_text: [text("Changed")],
      });
      assert.equal(plain(changed.rich_text), "Changed");
      await client.comments.delete({ comment_id: comment.id });
      const left = await client.comments.list({ block_id: page.id });
      assert.deepEqual(left.results.map(({ rich_text }) => plain(rich_text)), ["A reply"]);
    });
  }
}

// Files
if (has("fileUploads", "create")) {
  const blob = (content, type = "text/plain") => new Blob([content], { type });
  const download = async (url) => (await fetch(url)).text();
  await run("fileUploads.create, send, attached", async () => {
    const made = await client.fileUploads.create({ filename: "a.txt", content_type: "text/plain" });
    assert.deepEqual([made.object, made.status], ["file_upload", "pending"]);
    const sent = await client.fileUploads.send({
      file_upload_id: made.id,
      file: { filename: "a.txt", data: blob("file content") },
    });
    assert.equal(sent.status, "uploaded");
    const { results } = await dialect.append(page.id, [{
      file: { type: "file_upload", file_upload: { id: made.id } },
    }]);
    const { file } = results[0];
    assert.equal(file.type, "file");
    assert.equal(await download(file.file.url), "file content");
  });
  await run("fileUploads, multi-part", async () => {
    const made = await client.fileUploads.create({
      mode: "multi_part",
      filename: "b.txt",
      content_type: "text/plain",
      number_of_parts: 2,
    });
    const part = (part_number, content) =>
      client.fileUploads.send({
        file_upload_id: made.id,
        part_number,
        file: { filename: "b.txt", data: blob(content) },
      });
    await part("2", "b".repeat(100));
    await part("1", "a".repeat(5 * 1024 * 1024));
    const done = await client.fileUploads.complete({ file_upload_id: made.id });
    assert.equal(done.status, "uploaded");
    assert.equal(done.content_length, 5 * 1024 * 1024 + 100);
  });
  await run("fileUploads.retrieve, list", async () => {
    const made = await client.fileUploads.create({});
    const read = await client.fileUploads.retrieve({ file_upload_id: made.id });
    assert.equal(read.status, "pending");
    const listed = await collect((cursor) =>
      client.fileUploads.list({ status: "pending", page_size: 100, ...cursor })
    );
    assert.ok(listed.some(({ id }) => id === made.id));
    assert.ok(listed.every(({ status }) => status === "pending"));
  });
}

// Errors
const { APIErrorCode } = library;
await run("errors: object_not_found", async () => {
  const page_id = "00000000-0000-4000-8000-000000000000";
  const error = await refusal(() => client.pages.retrieve({ page_id }));
  assert.ok(library.APIResponseError.isAPIResponseError?.(error) ?? true);
  assert.equal(error.code, APIErrorCode.ObjectNotFound);
  assert.match(error.message, /^Could not find page with ID: 00000000-0000-4000-8000-000000000000/);
});
await run("errors: validation_error", async () => {
  const error = await refusal(() =>
    client.pages.create({
      parent: dialect.rowParent(database.source),
      properties: {
        Number: { rich_text: [text("no number")] },
      },
    })
  );
  assert.equal(error.code, APIErrorCode.ValidationError);
  assert.match(error.message, /Number is expected to be number\./);
  const unknown = await refusal(() =>
    client.pages.create({
      parent: dialect.rowParent(database.source),
      properties: {
        Nothing: { number: 1 },
      },
    })
  );
  assert.match(unknown.message, /Nothing is not a property that exists\./);
});
await run("errors: unauthorized", async () => {
  const error = await refusal(() => client.users.me({ auth: "nobody" }));
  assert.equal(error.code, APIErrorCode.Unauthorized);
});
await run("errors: restricted_resource", async () => {
  const auth = setting.otherToken;
  const error = await refusal(() => client.users.list({ auth }));
  assert.equal(error.code, APIErrorCode.RestrictedResource);
});
await run("errors: invalid_request_url", async () => {
  const error = await refusal(() => client.request({ path: "nothing/here", method: "get" }));
  assert.equal(error.code, APIErrorCode.InvalidRequestURL);
  if (has("views", "list")) {
    const views = await refusal(() => client.views.list({ database_id: database.id }));
    assert.equal(views.code, APIErrorCode.InvalidRequestURL);
  }
});

await client.pages.update({ page_id: root.id, ...dialect.trash });
finish();
