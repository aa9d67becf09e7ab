/**
 * The differences between versions of the wire format, in requests and in replies.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { everyType } from "../api/every_type.ts";
import { dataSourceIdOf } from "../../src/notion/data_source_ids.ts";
import { type AnyJson, type NotionApp, V, VERSIONS, withNotion } from "./driver.ts";

const text = (content: string) => [{ text: { content } }];

async function newPage({ notion }: NotionApp, title = "Page"): Promise<AnyJson> {
  const properties = { title: text(title) };
  return await notion("POST /pages", { parent: { workspace: true }, properties });
}

/** A database with a row of each name, in a page. */
async function newRows(app: NotionApp, properties: object = {}): Promise<AnyJson> {
  const page = await newPage(app);
  const database = await app.notion("POST /databases", {
    parent: { page_id: page.id },
    title: text("Birds"),
    properties: { Name: { title: {} }, ...properties },
  });
  return { page, database, source: dataSourceIdOf(database.id) };
}

Deno.test("2026-03-11 says in_trash alone, and takes neither archived nor after", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const now = "2026-03-11";
    const page = await newPage(app);
    const first = await notion(`PATCH /blocks/${page.id}/children`, {
      children: [{ paragraph: { rich_text: text("one") } }],
    }, now);
    const [one] = first.results;
    assertEquals([one.in_trash, "archived" in one], [false, false]);
    assertEquals("archived" in await notion(`GET /pages/${page.id}`, undefined, now), false);
    assertEquals((await notion(`GET /pages/${page.id}`)).archived, false);
    const children = [{ paragraph: { rich_text: text("zero") } }];
    const after = await refused(
      `PATCH /blocks/${page.id}/children`,
      { children, after: one.id },
      now,
    );
    assertEquals(
      after.message,
      `body failed validation: body.after should be not present, instead was \`"${one.id}"\`.`,
    );
    const archived = await refused(`PATCH /pages/${page.id}`, { archived: true }, now);
    assertEquals(
      archived.message,
      "body failed validation: body.archived should be not present, instead was `true`.",
    );
    const position = { type: "start" };
    await notion(`PATCH /blocks/${page.id}/children`, { children, position }, now);
    const listed = await notion(`GET /blocks/${page.id}/children`, undefined, now);
    const texts = listed.results.map((block: AnyJson) => block.paragraph.rich_text[0].plain_text);
    assertEquals(texts, ["zero", "one"]);
    const trashed = await notion(`PATCH /pages/${page.id}`, { in_trash: true }, now);
    assertEquals([trashed.in_trash, "archived" in trashed], [true, false]);
  }));

Deno.test("2025-09-03 divides a database from its data source", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const version = "2025-09-03";
    const page = await newPage(app);
    const container = await notion("POST /databases", {
      parent: { page_id: page.id },
      title: text("Birds"),
      initial_data_source: { properties: { Name: { title: {} }, Count: { number: {} } } },
    }, version);
    const [{ id: sourceId, name }] = container.data_sources;
    assertEquals([container.object, name, "properties" in container], ["database", "Birds", false]);
    assert(sourceId !== container.id, "the IDs differ");
    const source = await notion(`GET /data_sources/${sourceId}`, undefined, version);
    assertEquals([source.object, source.id, source.title[0].plain_text], [
      "data_source",
      sourceId,
      "Birds",
    ]);
    assertEquals(source.parent, { type: "database_id", database_id: container.id });
    assertEquals(source.database_parent, { type: "page_id", page_id: page.id });
    assertEquals(Object.keys(source.properties), ["Name", "Count"]);
    const changed = await notion(`PATCH /data_sources/${sourceId}`, {
      properties: { Seen: { checkbox: {} } },
    }, version);
    assertEquals([changed.object, Object.keys(changed.properties)], [
      "data_source",
      ["Name", "Count", "Seen"],
    ]);
    const properties = { Name: { title: text("Wren") } };
    const parent = { type: "data_source_id", data_source_id: sourceId };
    const row = await notion("POST /pages", { parent, properties }, version);
    assertEquals(row.parent, { ...parent, database_id: container.id });
    for (const parent of [{ database_id: container.id }, { data_source_id: sourceId }]) {
      await notion("POST /pages", { parent, properties }, version);
      await notion("POST /pages", { parent, properties }, V);
    }
    const found = await notion(`POST /data_sources/${sourceId}/query`, {
      filter: { property: "Name", title: { equals: "Wren" } },
    }, version);
    assertEquals([found.results.length, found.type], [5, "page_or_data_source"]);
    assertEquals(found.page_or_data_source, {});
    const old = await notion(`POST /databases/${container.id}/query`, {}, V);
    assertEquals(old.results.length, 5);
    for (
      const [route, at] of [
        [`POST /data_sources/${sourceId}/query`, V],
        [`POST /databases/${container.id}/query`, version],
      ] as const
    ) {
      const { status, code } = await refused(route, {}, at);
      assertEquals([status, code], [400, "invalid_request_url"]);
    }
    const wrong = await refused(`GET /data_sources/${container.id}`, undefined, version);
    assertEquals([wrong.status, wrong.code], [404, "object_not_found"]);
    assertEquals(
      wrong.message,
      `Could not find data_source with ID: ${container.id}. Make sure the relevant pages and databases are shared with your integration.`,
    );
    const malformed = await refused("GET /data_sources/x", undefined, version);
    assertEquals(
      malformed.message,
      'path failed validation: path.data_source_id should be a valid uuid, instead was `"x"`.',
    );
  }));

Deno.test("2025-09-03 finds data sources, and names both IDs in relations", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const version = "2025-09-03";
    const { database, page, source } = await newRows(app);
    const asked = { filter: { property: "object", value: "data_source" } };
    const found = await notion("POST /search", asked, version);
    assertEquals(found.results.map(({ object, id }: AnyJson) => [object, id]), [
      ["data_source", source],
    ]);
    assertEquals(found.type, "page_or_data_source");
    const old = await refused("POST /search", {
      filter: { property: "object", value: "database" },
    }, version);
    assertEquals(
      old.message,
      'body failed validation: body.filter.value should be `"page"` or `"data_source"`, instead was `"database"`.',
    );
    const initial_data_source = {
      properties: {
        Name: { title: {} },
        Bird: { relation: { data_source_id: source, single_property: {} } },
      },
    };
    const parent = { page_id: page.id };
    const related = await notion("POST /databases", { parent, initial_data_source }, version);
    const [{ id }] = related.data_sources;
    const { properties } = await notion(`GET /data_sources/${id}`, undefined, version);
    assertEquals(properties.Bird.relation, {
      database_id: database.id,
      type: "single_property",
      single_property: {},
      data_source_id: source,
    });
    const byDatabase = await refused("POST /databases", {
      parent,
      initial_data_source: {
        properties: {
          Name: { title: {} },
          Bird: { relation: { database_id: database.id, single_property: {} } },
        },
      },
    }, version);
    assertEquals(
      byDatabase.message,
      "body failed validation: body.initial_data_source.properties.Bird.relation.data_source_id should be defined, instead was `undefined`.",
    );
    const misplaced = await refused("POST /databases", { parent, properties: {} }, version);
    assertEquals(
      misplaced.message,
      "body failed validation: body.properties should be not present, instead was `{}`.",
    );
    const faulty = await refused("POST /databases", {
      parent,
      initial_data_source: { properties: { Name: { title: {} }, X: { number: { format: "no" } } } },
    }, version);
    assert(
      faulty.message.includes("body.initial_data_source.properties.X.number.format"),
      faulty.message,
    );
  }));

Deno.test("2022-02-22 has flat relations, no parents of blocks, and parents that are pages", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const version = "2022-02-22";
    const { database, page } = await newRows(app);
    const related = await notion("POST /databases", {
      parent: { page_id: page.id },
      properties: { Name: { title: {} }, Bird: { relation: { database_id: database.id } } },
    }, version);
    const { relation } = related.properties.Bird;
    assertEquals(Object.keys(relation).sort(), [
      "database_id",
      "synced_property_id",
      "synced_property_name",
    ]);
    const now = await notion(`GET /databases/${related.id}`);
    assertEquals(now.properties.Bird.relation.type, "dual_property");
    const single = await notion(`PATCH /databases/${related.id}`, {
      properties: { One: { relation: { database_id: database.id, single_property: {} } } },
    }, version);
    assertEquals(single.properties.One.relation, { database_id: database.id });
    const { results: [block] } = await notion(`PATCH /blocks/${page.id}/children`, {
      children: [{ toggle: { rich_text: text("in"), children: [{ divider: {} }] } }],
    }, version);
    assertEquals("parent" in block, false);
    assertEquals((await notion(`GET /blocks/${block.id}`)).parent.type, "page_id");
  }));

Deno.test("2021-08-16 names the text of blocks and conditions `text`", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const version = "2021-08-16";
    const { page, database } = await newRows(app, {
      Note: { rich_text: {} },
      Call: { phone_number: {} },
      Sum: { formula: { expression: 'prop("Note")' } },
    });
    const children = [
      {
        toggle: { text: text("out"), children: [{ to_do: { text: text("in"), checked: true } }] },
      },
      { code: { text: text("x"), language: "css", caption: text("y") } },
      {
        paragraph: { rich_text: text("new name") },
      },
    ];
    const added = await notion(`PATCH /blocks/${page.id}/children`, { children }, version);
    const [toggle, code] = added.results;
    assertEquals([toggle.toggle.text[0].plain_text, "rich_text" in toggle.toggle], ["out", false]);
    assertEquals(code.code.caption[0].plain_text, "y");
    const inner = await notion(`GET /blocks/${toggle.id}/children`);
    assertEquals(inner.results[0].to_do.rich_text[0].plain_text, "in");
    const updated = await notion(`PATCH /blocks/${toggle.id}`, {
      toggle: { text: text("changed") },
    }, version);
    assertEquals(updated.toggle.text[0].plain_text, "changed");
    const row = await notion("POST /pages", {
      parent: { database_id: database.id },
      properties: {
        Name: { title: text("Wren") },
        Note: { rich_text: text("small") },
        Call: { phone_number: "123" },
      },
      children: [{ quote: { text: text("in a row") } }],
    }, version);
    for (
      const filter of [
        { property: "Name", text: { equals: "Wren" } },
        { property: "Note", text: { contains: "mal" } },
        { property: "Call", phone: { starts_with: "12" } },
        { property: "Sum", formula: { text: { equals: "small" } } },
        { and: [{ or: [{ property: "Note", text: { is_not_empty: true } }] }] },
      ]
    ) {
      const found = await notion(`POST /databases/${database.id}/query`, { filter }, version);
      assertEquals(found.results.map(({ id }: AnyJson) => id), [row.id], JSON.stringify(filter));
    }
    const item = await notion(
      `GET /pages/${row.id}/properties/${row.properties.Call.id}`,
      undefined,
      version,
    );
    assertEquals([item.phone_number, "id" in item], ["123", false]);
  }));

Deno.test("2021-05-13 ignores unknown names, and appending returns the parent", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const version = "2021-05-13";
    const page = await newPage(app);
    const children = [{ paragraph: { text: text("x"), colour: "red" }, extra: 1 }];
    const body = { children, unknown: { a: [1] } };
    const parent = await notion(`PATCH /blocks/${page.id}/children?debug=1`, body, version);
    assertEquals([parent.object, parent.id, parent.type], ["block", page.id, "child_page"]);
    const strict = await refused(`PATCH /blocks/${page.id}/children`, body, "2021-08-16");
    assertEquals(strict.code, "validation_error");
    assert(strict.message.startsWith("body failed validation. Fix one:\n"), strict.message);
    const listed = await notion(`GET /blocks/${page.id}/children`);
    assertEquals(listed.results[0].paragraph.rich_text[0].plain_text, "x");
    // Known names are checked as ever.
    const wrong = await refused(`PATCH /blocks/${page.id}/children`, { children: 1 }, version);
    assertEquals(
      wrong.message,
      "body failed validation: body.children should be an array, instead was `1`.",
    );
  }));

Deno.test("2021-05-13 ignores unknown names of a large body, however many blocks have one", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const version = "2021-05-13";
    const page = await newPage(app);
    const children = Array.from({ length: 100 }, (_, n) => ({
      paragraph: {
        text: [{ text: { content: `${n} ${"x".repeat(700)}`, extra: n } }],
        colour: "red",
      },
      extra: 1,
    }));
    const body = { children, unknown: 1, other: 2 };
    await notion(`PATCH /blocks/${page.id}/children`, body, version);
    const { results } = await notion(`GET /blocks/${page.id}/children`);
    assertEquals(results.length, 100);
    const wrong = { ...body, children: [...children.slice(1), { paragraph: { text: 1 } }] };
    const { code } = await refused(`PATCH /blocks/${page.id}/children`, wrong, version);
    assertEquals(code, "validation_error");
  }));

Deno.test("2021-05-13 leaves out empty values, and names what rollups collected as it did", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const { id, related, one } = await everyType(app);
    const row = await notion("POST /pages", {
      parent: { database_id: id },
      properties: { Name: { title: text("empty") }, relation: { relation: [{ id: one }] } },
    });
    const old = await notion(`GET /pages/${row.id}`, undefined, "2021-05-13");
    const gone = Object.keys(row.properties).filter((name) => !(name in old.properties));
    assertEquals(gone.sort(), ["date", "email", "number", "select"]);
    await notion(`PATCH /databases/${related}`, { properties: { Files: { files: {} } } });
    const shown = {
      rollup: {
        relation_property_name: "relation",
        rollup_property_name: "Files",
        function: "show_original",
      },
    };
    await notion(`PATCH /databases/${id}`, { properties: { Shown: shown } });
    const read = await notion(`GET /pages/${row.id}`, undefined, "2021-05-13");
    assertEquals(read.properties.Shown.rollup.array, [{ type: "file", file: [] }]);
    const now = await notion(`GET /pages/${row.id}`);
    assertEquals(now.properties.Shown.rollup.array, [{ type: "files", files: [] }]);
    const items = await notion(
      `GET /pages/${row.id}/properties/${now.properties.Shown.id}`,
      undefined,
      "2021-08-16",
    );
    assertEquals([items.type, items.rollup.type, "property_item" in items], [
      "rollup",
      "array",
      false,
    ]);
  }));

Deno.test("2021-05-11 names text values `text`", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const version = "2021-05-11";
    const { database } = await newRows(app, { Note: { rich_text: {} } });
    const row = await notion("POST /pages", {
      parent: { database_id: database.id },
      properties: { Name: { title: text("Wren") }, Note: { type: "text", text: text("small") } },
    }, version);
    assertEquals([row.properties.Note.type, row.properties.Note.text[0].plain_text], [
      "text",
      "small",
    ]);
    const now = await notion(`GET /pages/${row.id}`);
    assertEquals(now.properties.Note.rich_text[0].plain_text, "small");
  }));

Deno.test("every version reads users, pages, blocks and databases", () =>
  withNotion(async (app) => {
    const { database, page } = await newRows(app);
    for (const version of VERSIONS) {
      const objects = [];
      for (const path of [`pages/${page.id}`, `databases/${database.id}`, `blocks/${page.id}`]) {
        objects.push((await app.notion(`GET /${path}`, undefined, version)).object);
      }
      objects.push((await app.notion("GET /users/me", undefined, version)).object);
      assertEquals(objects, ["page", "database", "block", "user"], version);
    }
  }));
