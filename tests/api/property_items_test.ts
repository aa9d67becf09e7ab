import { assert, assertEquals } from "../assert.ts";
import { type Answer, ORIGIN, type TestApp } from "../support/app.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { namedRows, newDatabase, newRow } from "./database_driver.ts";
import { newPage, refusal, succeed, text, UNKNOWN } from "./driver.ts";
import { everyType, valueOf } from "./every_type.ts";
import { valueSamples } from "./value_samples.ts";

const LISTED = new Set(["title", "rich_text", "people", "relation"]);

/** All items of a property, over all pages by `next_url`. */
async function itemsOf(
  app: TestApp,
  pageId: string,
  property: string,
  pageSize = 100,
): Promise<Answer["json"][]> {
  const items: Answer["json"][] = [];
  const path = `/v2/pages/${pageId}/properties/${encodeURIComponent(property)}`;
  let url: string | null = `${ORIGIN}${path}?page_size=${pageSize}`;
  while (url !== null) {
    assert(url.startsWith(ORIGIN));
    const list: Answer["json"] = await succeed(app, `GET ${url.slice(ORIGIN.length)}`);
    assertEquals(list.type, "property_item");
    assertEquals(list.property_item.next_url !== null, list.has_more);
    if (list.has_more) assertEquals(list.results.length, pageSize);
    items.push(...list.results);
    url = list.property_item.next_url;
  }
  return items;
}

/** The only property of a type in the schema of a database. */
function propertyOf(database: Answer["json"], type: string): Answer["json"] {
  return Object.values<Answer["json"]>(database.properties).find((one) => one.type === type);
}

Deno.test("a property of every type is read alone as in its row, by id and by name", () =>
  withFaithfulApp(async (app) => {
    const every = await everyType(app);
    const samples = Object.entries(valueSamples(every));
    const values = samples.map(([type, { values: [first] }]) => [type, { [type]: first?.[0] }]);
    const full = await newRow(app, every.id, Object.fromEntries(values));
    const empty = await newRow(app, every.id, { status: { status: null } });
    const types = Object.values<{ type: string }>(full.properties).map(({ type }) => type);
    assertEquals(types.length, 24);
    for (const row of [full, empty]) {
      for (const type of types.filter((type) => type !== "rollup")) {
        const { id, name } = propertyOf(every.database, type);
        const value = valueOf(row, type);
        if (!LISTED.has(type)) {
          const { request_id, ...alone } = await succeed(
            app,
            `GET /v2/pages/${row.id}/properties/${id}`,
          );
          assert(typeof request_id === "string");
          assertEquals(alone, { object: "property_item", id, type, [type]: value });
          continue;
        }
        assert(Array.isArray(value));
        const items = value.map((item) => ({ object: "property_item", id, type, [type]: item }));
        for (const key of [id, name]) assertEquals(await itemsOf(app, row.id, key, 1), items, type);
      }
    }
  }));

Deno.test("a list of property items names their type, even if it is empty", () =>
  withFaithfulApp(async (app) => {
    const { id, database } = await everyType(app);
    const row = await newRow(app, id);
    for (const type of LISTED) {
      const property = propertyOf(database, type);
      const list = await succeed(app, `GET /v2/pages/${row.id}/properties/${property.id}`);
      assertEquals([list.results, list.next_cursor, list.has_more], [[], null, false]);
      assertEquals(list.property_item, { id: property.id, type, [type]: {}, next_url: null });
    }
  }));

Deno.test("a rollup lists the collected values along with its result", () =>
  withFaithfulApp(async (app) => {
    const others = await newDatabase(app, { Cost: { number: {} }, Tags: { multi_select: {} } });
    const rows = await namedRows(app, others.id, {
      a: { Cost: { number: 2 }, Tags: { multi_select: [{ name: "x" }, { name: "y" }] } },
      b: {},
      c: { Cost: { number: 3 } },
    });
    const rollup = (property: string, name: string) => ({
      rollup: { relation_property_name: "Others", rollup_property_name: property, function: name },
    });
    const { id } = await newDatabase(app, {
      Others: { relation: { database_id: others.id, single_property: {} } },
      Sum: rollup("Cost", "sum"),
      Names: rollup("Name", "show_original"),
      Tags: rollup("Tags", "show_unique"),
    });
    const row = await newRow(app, id, {
      Others: { relation: Object.values(rows).map((id) => ({ id })) },
    });
    const read = async (name: string, pageSize: number) => {
      const items = await itemsOf(app, row.id, name, pageSize);
      const path = `GET /v2/pages/${row.id}/properties/${name}?page_size=1`;
      const { property_item } = await succeed(app, path);
      assertEquals(property_item.rollup, row.properties[name].rollup);
      return items.map((item) => item[item.type]);
    };
    for (const pageSize of [1, 2, 100]) {
      assertEquals(await read("Sum", pageSize), [2, null, 3]);
      const names = await read("Names", pageSize);
      assertEquals(names.map(({ plain_text }) => plain_text), ["a", "b", "c"]);
    }
    assertEquals(row.properties.Sum.rollup, { type: "number", number: 5, function: "sum" });
    assertEquals((await read("Tags", 1)).flat().map(({ name }) => name), ["x", "y"]);
  }));

Deno.test("a long list is read page by page, and its cursor is invalid for other properties", () =>
  withFaithfulApp(async (app) => {
    const { id, ann } = await everyType(app);
    const parts = Array.from({ length: 100 }, (_, index) => text(`${index} `)).flat();
    const row = await newRow(app, id, {
      Name: { title: parts },
      rich_text: { rich_text: parts },
      people: { people: [{ id: ann }] },
    });
    for (const size of [1, 7, 99, 100]) {
      const items = await itemsOf(app, row.id, "title", size);
      assertEquals<unknown>(items.map(({ title }) => title), valueOf(row, "title"));
    }
    const path = `GET /v2/pages/${row.id}/properties`;
    const { next_cursor: cursor } = await succeed(app, `${path}/title?page_size=3`);
    const other = await newRow(app, id, { Name: { title: parts } });
    const answers = await Promise.all([
      `${path}/rich_text?start_cursor=${cursor}`,
      `GET /v2/pages/${other.id}/properties/title?start_cursor=${cursor}`,
      `${path}/title?start_cursor=${cursor}A`,
      `${path}/title?start_cursor=3`,
    ].map((route) => app.call(route)));
    for (const answer of answers) {
      assertEquals(refusal(answer), [400, "validation_error"]);
      assert(answer.json.message.includes("start_cursor"));
    }
    for (const size of ["x", "101", "-1", "1.5"]) {
      assertEquals((await app.call(`${path}/title?page_size=${size}`)).status, 400);
    }
  }));

Deno.test("a page that is not a row has only a title", () =>
  withFaithfulApp(async (app) => {
    const page = await newPage(app, { title: "Home" });
    const [item] = await itemsOf(app, page, "title");
    assertEquals(item.title.plain_text, "Home");
    const { id } = await everyType(app);
    const row = await newRow(app, id);
    for (const [of, name] of [[page, "Name"], [row.id, "Nope"], [row.id, "__proto__"]]) {
      const answer = await app.call(`GET /v2/pages/${of}/properties/${name}`);
      assertEquals(refusal(answer), [404, "object_not_found"]);
      assertEquals(answer.json.message, `Could not find property with ID: ${name}.`);
    }
    const nowhere = await app.call(`GET /v2/pages/${UNKNOWN}/properties/title`);
    assertEquals(refusal(nowhere), [404, "object_not_found"]);
    assertEquals((await app.call(`GET /v2/pages/${id}/properties/title`)).status, 400);
  }));
