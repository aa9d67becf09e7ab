/**
 * The vendor's additions to pages: templates, locks, erasing, places among blocks, and moves.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { newDatabase, newRow } from "../api/database_driver.ts";
import { type AnyJson, type NotionApp, V, withNotion } from "./driver.ts";

const HEADERS = { "notion-version": V };
const MISSING = "00000000-0000-4000-8000-000000000000";

function text(content: string): AnyJson[] {
  return [{ text: { content } }];
}

function paragraph(content: string, children: AnyJson[] = []): AnyJson {
  return { paragraph: { rich_text: text(content), ...(children.length > 0 && { children }) } };
}

type Notion = Pick<NotionApp, "notion">;

async function newPage({ notion }: Notion, title: string, members: AnyJson = {}): Promise<string> {
  const { id } = await notion("POST /pages", {
    parent: { workspace: true },
    properties: { title: text(title) },
    ...members,
  });
  return id;
}

/** Texts of all blocks below a page or block, nested ones in lists of their own. */
async function outline({ notion }: Notion, id: string): Promise<AnyJson[]> {
  const { results } = await notion(`GET /blocks/${id}/children`);
  const lines: AnyJson[] = [];
  for (const block of results) {
    const value = block[block.type];
    const line = value.title ?? value.rich_text?.[0]?.plain_text ?? block.type;
    lines.push(line);
    if (block.has_children && block.type !== "child_page") {
      lines.push(await outline({ notion }, block.id));
    }
  }
  return lines;
}

function titleOf(page: AnyJson): string {
  const title: AnyJson = Object.values(page.properties).find((one: AnyJson) =>
    one.type === "title"
  );
  return title.title.map((item: AnyJson) => item.plain_text).join("");
}

const TREE = [paragraph("one", [paragraph("inner", [paragraph("deep")])]), paragraph("two")];

Deno.test("a new page takes over the content and look of its template", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const id = await newPage(app, "Template", { icon: { emoji: "🌿" }, children: TREE });
    await newPage(app, "Child", { parent: { page_id: id } });
    const template = { type: "template_id", template_id: id.replaceAll("-", "") };
    const made = await notion("POST /pages", { parent: { workspace: true }, template });
    assertEquals([titleOf(made), made.icon.emoji], ["Template", "🌿"]);
    assertEquals(await outline(app, made.id), ["one", ["inner", ["deep"]], "two"]);
    const own = await notion("POST /pages", {
      parent: { page_id: made.id },
      properties: { title: text("Own") },
      template,
      icon: { emoji: "🦆" },
    });
    assertEquals([titleOf(own), own.icon.emoji], ["Own", "🦆"]);
    assertEquals(await outline(app, id), ["one", ["inner", ["deep"]], "two", "Child"]);
    const plain = { parent: { workspace: true }, properties: {}, template: { type: "none" } };
    assertEquals(await outline(app, (await notion("POST /pages", plain)).id), []);
  }));

Deno.test("a new row takes over the values of a template in its database", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const { id: database_id } = await notion("POST /databases", {
      parent: { page_id: await newPage(app, "Home") },
      title: text("Birds"),
      properties: { Name: { title: {} }, Count: { number: {} }, No: { unique_id: {} } },
    });
    const row = await notion("POST /pages", {
      parent: { database_id },
      properties: { Name: { title: text("Usual") }, Count: { number: 3 } },
      children: TREE,
    });
    const template = { type: "template_id", template_id: row.id };
    const made = await notion("POST /pages", {
      parent: { database_id },
      properties: { Name: { title: text("Today") } },
      template,
    });
    assertEquals([titleOf(made), made.properties.Count.number], ["Today", 3]);
    assertEquals(made.properties.No.unique_id.number, 2);
    assertEquals(await outline(app, made.id), ["one", ["inner", ["deep"]], "two"]);
  }));

Deno.test("a copied synced block shows the original that was copied with it", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const id = await newPage(app, "Template", {
      children: [{ synced_block: { synced_from: null, children: [paragraph("shared")] } }],
    });
    const { results: [original] } = await notion(`GET /blocks/${id}/children`);
    await notion(`PATCH /blocks/${id}/children`, {
      children: [{ synced_block: { synced_from: { block_id: original.id } } }],
    });
    const template = { type: "template_id", template_id: id };
    const made = await notion("POST /pages", { parent: { workspace: true }, template });
    const { results: [first, second] } = await notion(`GET /blocks/${made.id}/children`);
    assert(first.id !== original.id, "a block of its own");
    assertEquals(second.synced_block.synced_from.block_id, first.id);
  }));

Deno.test("a template is appended to a page, or replaces what is in it", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const from = await newPage(app, "Template", { children: TREE });
    const page = await newPage(app, "Notes", { children: [paragraph("before")] });
    const template = { type: "template_id", template_id: from };
    const appended = await notion(`PATCH /pages/${page}`, {
      template,
      properties: { title: text("New notes") },
    });
    assertEquals(titleOf(appended), "New notes");
    assertEquals(await outline(app, page), ["before", "one", ["inner", ["deep"]], "two"]);
    await notion(`PATCH /pages/${page}`, { template, erase_content: true });
    assertEquals(await outline(app, page), ["one", ["inner", ["deep"]], "two"]);
    await notion(`PATCH /pages/${page}`, { erase_content: true });
    assertEquals(await outline(app, page), []);
    assertEquals((await notion(`GET /pages/${page}`)).in_trash, false);
    await notion(`PATCH /pages/${page}`, { template, in_trash: true });
    assertEquals((await notion(`GET /pages/${page}`)).in_trash, true);
  }));

Deno.test("an update of a page's content is answered as the page is read, with its tag", () =>
  withNotion(async (app) => {
    const from = await newPage(app, "Template", { children: TREE });
    const template = { type: "template_id", template_id: from };
    const { id: database_id } = await newDatabase(app, {
      Edited: { formula: { expression: 'prop("Last")' } },
      Last: { last_edited_time: {} },
    });
    const row = await newRow(app, database_id);
    for (const id of [await newPage(app, "Notes", { children: TREE }), row.id]) {
      for (
        const body of [
          { erase_content: true },
          { template },
          { template, icon: { emoji: "🌿" } },
          { erase_content: true, in_trash: true },
        ]
      ) {
        const written = await app.call(`PATCH /v1/pages/${id}`, { headers: HEADERS, body });
        const read = await app.call(`GET /v1/pages/${id}`, { headers: HEADERS });
        assertEquals(written.json, read.json, JSON.stringify(body));
        assertEquals(written.headers.get("etag"), read.headers.get("etag"));
      }
    }
  }));

Deno.test("a template must be a page that the caller sees, outside the trash", () =>
  withNotion(async (app) => {
    const { notion, refused, call, mint } = app;
    const id = await newPage(app, "Secret", { children: TREE });
    const { results: [block] } = await notion(`GET /blocks/${id}/children`);
    const create = (template: AnyJson, more: AnyJson = {}) =>
      refused("POST /pages", { parent: { workspace: true }, template, ...more });
    const by = (template_id: string) => ({ type: "template_id", template_id });
    assertEquals((await create(by(MISSING))).code, "object_not_found");
    assertEquals((await create(by(block.id))).code, "object_not_found");
    assertEquals((await create({ type: "default" })).code, "validation_error");
    assertEquals((await create({ type: "template_id" })).code, "validation_error");
    for (const name of ["children", "markdown"]) {
      const more = { [name]: name === "children" ? [paragraph("x")] : "x" };
      assertEquals((await create(by(id), more)).code, "validation_error");
    }
    const token = await mint({ workspace: "other", sub: "eve" });
    const foreign = await call("POST /v1/pages", {
      token,
      headers: HEADERS,
      body: { parent: { workspace: true }, template: by(id) },
    });
    assertEquals([foreign.status, foreign.text.includes("Secret")], [404, false]);
    const page = await newPage(app, "Mine");
    await notion(`PATCH /pages/${id}`, { in_trash: true });
    assertEquals((await create(by(id))).code, "validation_error");
    const update = await refused(`PATCH /pages/${page}`, { template: by(id), erase_content: true });
    assertEquals(update.code, "validation_error");
    const trashed = await refused(`PATCH /pages/${id}`, { erase_content: true });
    assertMatch(trashed.message, /Can't edit block that is archived/);
  }));

Deno.test("a template of 10,000 blocks is copied whole, and other requests are served meanwhile", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const id = await newPage(app, "Long");
    const children = Array.from(
      { length: 100 },
      (_, index) =>
        paragraph(`p${index}`, Array.from({ length: 49 }, (_, n) => paragraph(`c${n}`))),
    );
    for (let times = 0; times < 2; times++) {
      await notion(`PATCH /blocks/${id}/children`, { children });
    }
    const copying = notion("POST /pages", {
      parent: { workspace: true },
      template: { type: "template_id", template_id: id },
    });
    let served = 0;
    let isDone = false;
    const finished = copying.then((page) => {
      isDone = true;
      return page;
    });
    while (!isDone) {
      await notion(`GET /pages/${id}`);
      served++;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const made = await finished;
    assert(served > 1, `${served} requests`);
    const content = await app.store.content("default", made.id);
    assertEquals(content?.nodes.length, 10_000);
    const { results } = await notion(`GET /blocks/${made.id}/children?page_size=2`);
    assertEquals(results.map((one: AnyJson) => one.paragraph.rich_text[0].plain_text), [
      "p0",
      "p1",
    ]);
  }));

Deno.test("a lock is stored, answered and kept through other edits, and removed again", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const { id: database_id } = await notion("POST /databases", {
      parent: { page_id: await newPage(app, "Home") },
      properties: { Name: { title: {} }, Done: { checkbox: {} } },
    });
    const row = await notion("POST /pages", { parent: { database_id }, properties: {} });
    for (const id of [await newPage(app, "Plain"), row.id]) {
      assertEquals((await notion(`PATCH /pages/${id}`, { is_locked: true })).is_locked, true);
      assertEquals((await notion(`PATCH /pages/${id}`, { icon: { emoji: "🔒" } })).is_locked, true);
      const read = await notion(`GET /pages/${id}`);
      assertEquals([read.is_locked, read.icon.emoji], [true, "🔒"]);
      const open = await notion(`PATCH /pages/${id}`, { is_locked: false });
      assertEquals(open.is_locked ?? false, false);
    }
    const { code } = await app.refused(`PATCH /pages/${row.id}`, { is_locked: "yes" });
    assertEquals(code, "validation_error");
  }));

Deno.test("the lock of a database is stored and answered, and its data source has none", () =>
  withNotion(async ({ notion, refused, call }) => {
    const later = (route: string, body?: unknown) => notion(route, body, "2025-09-03");
    const { id, data_sources: [source], is_locked } = await later("POST /databases", {
      parent: { workspace: true },
      title: text("Birds"),
      initial_data_source: { properties: { Name: { title: {} } } },
    });
    assertEquals(is_locked, false);
    assertEquals((await later(`PATCH /databases/${id}`, { is_locked: true })).is_locked, true);
    await notion(`PATCH /databases/${id}`, { title: text("All birds") });
    assertEquals((await later(`GET /databases/${id}`)).is_locked, true);
    assertEquals("is_locked" in await later(`GET /data_sources/${source.id}`), false);
    const onSource = await refused(
      ...[`PATCH /data_sources/${source.id}`, { is_locked: false }, "2025-09-03"] as const,
    );
    assertMatch(onSource.message, /is_locked should be not present/);
    await notion(`PATCH /databases/${id}`, { is_locked: false });
    assertEquals((await later(`GET /databases/${id}`)).is_locked, false);
    const own = await call(`PATCH /v2/databases/${id}`, { body: { is_locked: true } });
    assertEquals([own.status, own.json.code], [400, "validation_error"]);
  }));

Deno.test("a new page goes to its place among the blocks of its parent", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const home = await newPage(app, "Home", { children: [paragraph("a"), paragraph("b")] });
    const { results: [first] } = await notion(`GET /blocks/${home}/children`);
    const parent = { page_id: home };
    const create = (title: string, position: AnyJson) => newPage(app, title, { parent, position });
    await create("start", { type: "page_start" });
    await create("end", { type: "page_end" });
    await create("middle", { type: "after_block", after_block: { id: first.id } });
    assertEquals(await outline(app, home), ["start", "a", "middle", "b", "end"]);
    const after = { type: "after_block", after_block: { id: MISSING } };
    const lost = { parent, properties: {}, position: after };
    assertEquals((await refused("POST /pages", lost)).code, "object_not_found");
    const top = { parent: { workspace: true }, properties: {}, position: { type: "page_end" } };
    assertEquals((await refused("POST /pages", top)).code, "validation_error");
  }));

Deno.test("a page moves to another page and to the top, with everything in it", () =>
  withNotion(async (app) => {
    const { notion, call } = app;
    const [a, b] = [
      await newPage(app, "A"),
      await newPage(app, "B", { children: [paragraph("x")] }),
    ];
    const page = await newPage(app, "Moving", { parent: { page_id: a }, children: TREE });
    const before = await notion(`GET /pages/${page}`);
    const moved = await notion(`POST /pages/${page}/move`, {
      parent: { type: "page_id", page_id: b },
    });
    assertEquals(moved.parent, { type: "page_id", page_id: b });
    assertEquals(moved.properties, before.properties);
    assertEquals(await notion(`GET /pages/${page}`), moved);
    assertEquals([await outline(app, a), await outline(app, b)], [[], ["x", "Moving"]]);
    assertEquals(await outline(app, page), ["one", ["inner", ["deep"]], "two"]);
    const inB = await call("POST /v2/search", {
      body: { query: "deep", filter: { property: "ancestor", value: b } },
    });
    if (inB.status === 200) assertEquals(inB.json.results.map(({ id }: AnyJson) => id), [page]);
    const top = await notion(`POST /pages/${page}/move`, { parent: { workspace: true } });
    assertEquals(top.parent, { type: "workspace", workspace: true });
    assertEquals(await outline(app, b), ["x"]);
  }));

Deno.test("a page becomes a row and a row a page, with the values that fit", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const home = await newPage(app, "Home");
    const database = async (properties: AnyJson) =>
      (await notion("POST /databases", {
        parent: { page_id: home },
        properties: { Name: { title: {} }, ...properties },
      })).id;
    const kind = { select: { options: [{ name: "duck" }] } };
    const first = await database({ Kind: kind, Count: { number: {} }, Note: { rich_text: {} } });
    const second = await database({ Kind: kind, Count: { checkbox: {} }, No: { unique_id: {} } });
    const page = await newPage(app, "Moving", { icon: { emoji: "🦆" }, children: TREE });
    await notion(`PATCH /pages/${page}`, { is_locked: true });
    const parent = (database_id: string) => ({ parent: { database_id } });
    const row = await notion(`POST /pages/${page}/move`, parent(first));
    assertEquals(row.parent, { type: "database_id", database_id: first });
    assertEquals([titleOf(row), row.icon.emoji, row.is_locked], ["Moving", "🦆", true]);
    await notion(`PATCH /pages/${page}`, {
      properties: { Kind: { select: { name: "goose" } }, Count: { number: 3 } },
    });
    const other = await notion(`POST /pages/${page}/move`, parent(second));
    assertEquals(other.properties.Kind.select.name, "goose");
    assertEquals([other.properties.Count.checkbox, other.properties.No.unique_id.number], [
      false,
      1,
    ]);
    assertEquals(await notion(`GET /pages/${page}`), other);
    const query = async (id: string, filter: AnyJson) =>
      (await notion(`POST /databases/${id}/query`, { filter })).results.map(
        ({ id }: AnyJson) => id,
      );
    const goose = { property: "Kind", select: { equals: "goose" } };
    assertEquals([await query(first, goose), await query(second, goose)], [[], [page]]);
    const again = await notion(`POST /pages/${page}/move`, { parent: { page_id: home } });
    assertEquals([titleOf(again), Object.keys(again.properties)], ["Moving", ["title"]]);
    assertEquals([again.icon.emoji, again.is_locked], ["🦆", true]);
    assertEquals(await query(second, goose), []);
    assertEquals(await outline(app, page), ["one", ["inner", ["deep"]], "two"]);
  }));

Deno.test("a page does not move into itself, to what is trashed, missing or another workspace's", () =>
  withNotion(async (app) => {
    const { notion, refused, call, mint } = app;
    const a = await newPage(app, "A", { children: [paragraph("x")] });
    const b = await newPage(app, "B", { parent: { page_id: a } });
    const c = await newPage(app, "C", { parent: { page_id: b } });
    const { results: [block] } = await notion(`GET /blocks/${a}/children`);
    const trashed = await newPage(app, "Trashed");
    await notion(`PATCH /pages/${trashed}`, { in_trash: true });
    const move = (id: string, parent: AnyJson) => refused(`POST /pages/${id}/move`, { parent });
    for (const parent of [{ page_id: a }, { page_id: b }, { page_id: c }]) {
      assertMatch((await move(a, parent)).message, /into itself/);
    }
    assertEquals((await move(b, { page_id: trashed })).code, "validation_error");
    assertEquals((await move(trashed, { page_id: a })).code, "validation_error");
    assertEquals((await move(b, { page_id: MISSING })).code, "object_not_found");
    assertEquals((await move(b, { database_id: a })).code, "validation_error");
    assertEquals((await move(b, { page_id: block.id })).code, "object_not_found");
    assertEquals((await move(block.id, { page_id: a })).code, "object_not_found");
    assertEquals((await move(b, {})).code, "validation_error");
    assertEquals((await move(b, { page_id: a, workspace: true })).code, "validation_error");
    const token = await mint({ workspace: "other", sub: "eve" });
    const options = { token, headers: HEADERS };
    const { json: theirs } = await call("POST /v1/pages", {
      ...options,
      body: { parent: { workspace: true }, properties: {} },
    });
    const stolen = await call(`POST /v1/pages/${b}/move`, {
      ...options,
      body: { parent: { page_id: theirs.id } },
    });
    assertEquals(stolen.status, 404);
    assertEquals((await move(b, { page_id: theirs.id })).code, "object_not_found");
    assertEquals((await notion(`GET /pages/${b}`)).parent.page_id, a);
  }));

Deno.test("a reply to a write has the properties that the query names", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { id: database_id } = await notion("POST /databases", {
      parent: { page_id: await newPage(app, "Home") },
      properties: { Name: { title: {} }, Done: { checkbox: {} }, Count: { number: {} } },
    });
    const body = { parent: { database_id }, properties: {} };
    const row = await notion("POST /pages?filter_properties=Done&filter_properties=title", body);
    assertEquals(Object.keys(row.properties).toSorted(), ["Done", "Name"]);
    const changed = await notion(`PATCH /pages/${row.id}?filter_properties=Count`, {
      properties: { Count: { number: 2 }, Done: { checkbox: true } },
    });
    assertEquals(Object.keys(changed.properties), ["Count"]);
    assertEquals((await notion(`GET /pages/${row.id}`)).properties.Done.checkbox, true);
    const { code } = await refused(`PATCH /pages/${row.id}?filter_properties=Nope`, {
      properties: { Count: { number: 7 } },
    });
    assertEquals(code, "validation_error");
    const { properties } = await notion(`GET /pages/${row.id}`);
    assertEquals(properties.Count.number, 2, "nothing was written");
  }));
