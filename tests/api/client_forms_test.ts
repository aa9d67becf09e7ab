import { assert, assertEquals, assertMatch } from "../assert.ts";
import { ORIGIN, withApp } from "../support/app.ts";
import { newDatabase, newRow, query, titled, valuesOf } from "./database_driver.ts";
import { append, appendOne, newPage, refusal, succeed, text, UNKNOWN } from "./driver.ts";

Deno.test("a link may say its type, which is not returned", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const link = { type: "url", url: "https://e.test" };
    const [block] = await append(app, page, {
      children: [{ paragraph: { rich_text: [{ text: { content: "a", link } }] } }],
    });
    const { rich_text: [item] } = block?.paragraph as { rich_text: Record<string, unknown>[] };
    assertEquals(item?.text, { content: "a", link: { url: "https://e.test" } });
    const body = {
      children: [{
        paragraph: { rich_text: [{ text: { content: "a", link: { type: "page", url: "x" } } }] },
      }],
    };
    assertEquals(refusal(await app.call(`PATCH /v2/blocks/${page}/children`, { body })), [
      ...[400, "validation_error"] as const,
    ]);
  }));

Deno.test("a datetime without an offset is in UTC, and all are read with an offset", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { When: { date: {} } });
    const read = async (date: object) =>
      valuesOf(await newRow(app, id, { Name: titled("r"), When: { date } })).When;
    const at = (start: string, end: string | null = null) => ({ start, end, time_zone: null });
    assertEquals(
      await read({ start: "2026-01-02T10:00:00.171423" }),
      at("2026-01-02T10:00:00.171+00:00"),
    );
    assertEquals(await read({ start: "2021-12-15 08:30" }), at("2021-12-15T08:30:00.000+00:00"));
    assertEquals(
      await read({ start: "2024-01-01T10:00+0200" }),
      at("2024-01-01T10:00:00.000+02:00"),
    );
    assertEquals(
      await read({
        start: "2024-01-01T10:00:00",
        end: "2024-07-01T10:00:00",
        time_zone: "America/New_York",
      }),
      at("2024-01-01T10:00:00.000-05:00", "2024-07-01T10:00:00.000-04:00"),
    );
    assertEquals(await read({ start: "2024-01-01" }), at("2024-01-01"));
    const filter = { property: "When", date: { equals: "2021-12-15 08:30" } };
    assertEquals(await query(app, id, { filter }), ["r"]);
  }));

Deno.test("a mentioned datetime is read with an offset", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const date = { start: "2026-01-02T10:00:00", time_zone: "Asia/Tokyo" };
    const block = await appendOne(app, page, { paragraph: { rich_text: [{ mention: { date } }] } });
    const { rich_text: [item] } = block.paragraph as { rich_text: Record<string, unknown>[] };
    const start = "2026-01-02T10:00:00.000+09:00";
    assertEquals(item?.mention, { type: "date", date: { start, end: null, time_zone: null } });
    assertEquals(item?.plain_text, start);
  }));

Deno.test("dates that an earlier version stored are read with an offset", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { When: { date: {} } });
    const row = await newRow(app, id, { When: { date: { start: "2026-01-02T10:00:00Z" } } });
    const page = await newPage(app);
    const mention = { date: { start: "2026-01-02T10:00:00Z" } };
    const block = await appendOne(app, page, { paragraph: { rich_text: [{ mention }] } });
    for (const one of [row.id, block.id]) {
      const node = await app.store.node("default", one);
      assert(node !== undefined);
      const doc = node.doc
        .replaceAll("2026-01-02T10:00:00.000+00:00", "2026-01-02T10:00:00")
        .replace('"time_zone":null', '"time_zone":"Europe/Paris"');
      assert(doc !== node.doc);
      const edit = { time: Date.now(), by: node.createdBy };
      const { title, hasMentions, version } = node;
      const change = { op: "update" as const, id: one, version, edit, title, hasMentions, doc };
      assertEquals(
        await app.store.commit("default", [
          one === row.id ? { ...change, cells: [] } : change,
        ]),
        "committed",
      );
    }
    const start = "2026-01-02T10:00:00.000+01:00";
    const read = valuesOf(await succeed(app, `GET /v2/pages/${row.id}`));
    assertEquals(read.When, { start, end: null, time_zone: null });
    const { paragraph } = await succeed(app, `GET /v2/blocks/${block.id}`);
    assertEquals(paragraph.rich_text[0].plain_text, start);
    assertEquals(paragraph.rich_text[0].mention.date, { start, end: null, time_zone: null });
  }));

Deno.test("a date that ends before it starts is refused", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { When: { date: {} } });
    const date = { start: "2026-01-02", end: "2026-01-01" };
    const body = { parent: { database_id: id }, properties: { When: { date } } };
    const answer = await app.call("POST /v2/pages", { body });
    assertEquals(refusal(answer), [400, "validation_error"]);
    assertEquals(answer.json.errors[0].pointer, "/properties/When/date/end");
  }));

Deno.test("filter_properties may have brackets, with and without an index", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { N: { number: {} }, B: { checkbox: {} } });
    const row = await newRow(app, id, { N: { number: 1 } });
    for (const name of ["filter_properties[]", "filter_properties%5B%5D", "filter_properties[0]"]) {
      const page = await succeed(app, `GET /v2/pages/${row.id}?${name}=N`);
      assertEquals(Object.keys(page.properties), ["N"]);
      const list = await succeed(app, `POST /v2/databases/${id}/query?${name}=N&${name}=B`, {
        body: {},
      });
      assertEquals(Object.keys(list.results[0].properties).sort(), ["B", "N"]);
    }
    const other = await app.call(`GET /v2/blocks/${row.id}/children?page_size[]=1`);
    assertEquals(refusal(other), [400, "validation_error"]);
  }));

Deno.test("a compound filter without conditions restricts nothing", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { N: { number: {} } });
    for (const [name, number] of [["a", 1], ["b", 2]] as const) {
      await newRow(app, id, { Name: titled(name), N: { number } });
    }
    const found = async (filter: object) => (await query(app, id, { filter })).sort();
    const two = { property: "N", number: { equals: 2 } };
    assertEquals(await found({ and: [] }), ["a", "b"]);
    assertEquals(await found({ or: [] }), ["a", "b"]);
    assertEquals(await found({ and: [two, { or: [] }, { and: [] }] }), ["b"]);
    assertEquals(await found({ or: [two, { and: [] }] }), ["a", "b"]);
  }));

Deno.test("property values may come without the name of their type", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, {
      N: { number: {} },
      Done: { checkbox: {} },
      Url: { url: {} },
      Sel: { select: {} },
      Tags: { multi_select: {} },
      D: { date: {} },
      T: { rich_text: {} },
      X: { number: {} },
    });
    const row = await newRow(app, id, {
      Name: text("bare"),
      N: 5,
      Done: true,
      Url: "https://e.test",
      Sel: { name: "a" },
      Tags: [{ name: "x" }, { name: "y" }],
      D: { start: "2026-01-02" },
      T: text("t"),
      X: null,
    });
    const values = valuesOf(row);
    assertEquals([values.N, values.Done, values.Url, values.X], [5, true, "https://e.test", null]);
    assertMatch(JSON.stringify(values.Sel), /"name":"a"/);
    assertMatch(JSON.stringify(values.Tags), /"name":"x".*"name":"y"/);
    assertEquals(values.D, { start: "2026-01-02", end: null, time_zone: null });
    const cleared = await succeed(app, `PATCH /v2/pages/${row.id}`, {
      body: { properties: { N: null, Tags: null, T: [], Url: null } },
    });
    const empty = valuesOf(cleared);
    assertEquals([empty.N, empty.Tags, empty.T, empty.Url], [null, [], [], null]);
    const wrong = await app.call(`PATCH /v2/pages/${row.id}`, {
      body: { properties: { N: "five", Done: 1, Sel: "a", D: { start: "soon" } } },
    });
    assertEquals(refusal(wrong), [400, "validation_error"]);
    assertEquals(wrong.json.message.split("\n"), [
      "N is expected to be number.",
      "Done is expected to be checkbox.",
      "Sel is expected to be select.",
      "D is expected to be date.",
    ]);
  }));

Deno.test("a place is written, read, found and cleared", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Where: { place: {} } });
    const place = { lat: 48.2082, lon: 16.3738, name: "Vienna", address: "Stephansplatz" };
    const row = await newRow(app, id, { Name: titled("here"), Where: { place } });
    const whole = { ...place, aws_place_id: null, google_place_id: null };
    assertEquals(valuesOf(row).Where, whole);
    const filter = { property: "Where", place: { is_not_empty: true } };
    assertEquals(await query(app, id, { filter }), ["here"]);
    const bad = await app.call(`PATCH /v2/pages/${row.id}`, {
      body: { properties: { Where: { place: { lat: 91, lon: 0 } } } },
    });
    assertEquals(refusal(bad), [400, "validation_error"]);
    const body = { properties: { Where: { place: null } } };
    assertEquals(valuesOf(await succeed(app, `PATCH /v2/pages/${row.id}`, { body })).Where, null);
  }));

Deno.test("a parent that does not exist is not found, and a mention may come before its user", () =>
  withApp(async (app) => {
    const body = { parent: { page_id: UNKNOWN }, properties: {} };
    assertEquals(refusal(await app.call("POST /v2/pages", { body })), [404, "object_not_found"]);
    const page = await newPage(app);
    const rich_text = [{ mention: { user: { id: UNKNOWN } } }];
    const block = await appendOne(app, page, { paragraph: { rich_text } });
    const { rich_text: [item] } = block.paragraph as { rich_text: Record<string, unknown>[] };
    assertEquals(item?.plain_text, "@Anonymous");
  }));

Deno.test("the url of a page and a database ends with its id as 32 digits", () =>
  withApp(async (app) => {
    const page = await succeed(app, `GET /v2/pages/${await newPage(app)}`);
    const database = await newDatabase(app);
    for (const { object, id, url } of [page, database]) {
      assertEquals(url, `${ORIGIN}/v2/${object}s/${id.replaceAll("-", "")}`);
      assertEquals((await succeed(app, `GET ${url.slice(ORIGIN.length)}`)).id, id);
    }
  }));

Deno.test("pages can have their url in a front end", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Named" });
    const database = await newDatabase(app);
    const digits = (id: string) => id.replaceAll("-", "");
    assertEquals(
      (await succeed(app, `GET /v2/pages/${page}`)).url,
      `https://wiki.test/x-${digits(page)}`,
    );
    assertEquals(database.url, `https://wiki.test/x-${digits(database.id)}`);
    const rich_text = [{ mention: { page: { id: page } } }, {
      mention: { database: { id: database.id } },
    }];
    const holder = await newPage(app, {
      children: [{ paragraph: { rich_text } }, { link_to_page: { database_id: database.id } }],
    });
    const { markdown } = await succeed(app, `GET /v2/pages/${holder}/content/markdown`);
    assert(markdown.includes(`](https://wiki.test/x-${digits(page)} "mention")`), markdown);
    const body = { parent: { workspace: true }, properties: {}, markdown };
    const { id } = await succeed(app, "POST /v2/pages", { body });
    const again = await succeed(app, `GET /v2/pages/${id}/content/markdown`);
    assertEquals(again.markdown, markdown);
  }, { environment: { RECTO_PAGE_URL: "https://wiki.test/x-{id}" } }));

Deno.test("a page titled exactly as asked comes first in search", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { N: { number: {} } });
    await newRow(app, id, { Name: titled("Row 3") });
    await newRow(app, id, { Name: titled("Row"), N: { number: 3 } });
    await newRow(app, id, { Name: titled("Row 3 and more") });
    const { results } = await succeed(app, "POST /v2/search", { body: { query: "row 3" } });
    assertEquals(results[0].properties.Name.title[0].plain_text, "Row 3");
  }));
