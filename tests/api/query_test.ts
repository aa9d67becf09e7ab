import { assert, assertEquals } from "../assert.ts";
import type { Answer, TestApp } from "../support/app.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import {
  namedRows,
  nameOf,
  newDatabase,
  newRow,
  query,
  titled,
  valuesOf,
} from "./database_driver.ts";
import { refusal, succeed, text } from "./driver.ts";

function ask(app: TestApp, id: string, body: object, search = ""): Promise<Answer> {
  return app.call(`POST /v2/databases/${id}/query${search}`, { body });
}

async function page(app: TestApp, id: string, body: object): Promise<Answer["json"]> {
  return (await ask(app, id, body)).json;
}

Deno.test("a query without a body returns all rows outside the trash, newest first", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const { a = "", b = "", gone = "" } = await namedRows(app, id, { a: {}, gone: {}, b: {} });
    await succeed(app, `DELETE /v2/pages/${gone}`);
    const list = await succeed(app, `POST /v2/databases/${id}/query`);
    assertEquals(list.type, "page_or_database");
    assertEquals([list.has_more, list.next_cursor], [false, null]);
    const alone = await Promise.all([b, a].map((row) => succeed(app, `GET /v2/pages/${row}`)));
    assertEquals(list.results, alone);
  }));

Deno.test("rows in the trash are listed on request, with `in_trash` or `archived`", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const { a = "" } = await namedRows(app, id, { a: { Count: { number: 1 } }, b: {} });
    await succeed(app, `DELETE /v2/pages/${a}`);
    for (const name of ["archived", "in_trash"]) {
      assertEquals(await query(app, id, { [name]: true }), ["a"]);
      assertEquals(await query(app, id, { [name]: false }), ["b"]);
      const filter = { property: "Count", number: { is_empty: true } };
      assertEquals(await query(app, id, { [name]: true, filter }), []);
    }
    const both = await ask(app, id, { archived: true, in_trash: false });
    assertEquals(refusal(both), [400, "validation_error"]);
  }));

Deno.test("filter_properties is in the query string and does not affect filters and sorts", () =>
  withFaithfulApp(async (app) => {
    const { id, properties } = await newDatabase(app, {
      Count: { number: {} },
      Tick: { checkbox: {} },
    });
    await namedRows(app, id, { a: { Count: { number: 1 } }, b: { Count: { number: 2 } } });
    const body = { sorts: [{ property: "Count", direction: "descending" }] };
    const search = `?filter_properties=${properties.Tick.id}&filter_properties=title`;
    const { json } = await ask(app, id, body, search);
    assertEquals(
      json.results.map(valuesOf),
      ["b", "a"].map((name) => ({
        Name: json.results.find((row: Answer["json"]) =>
          nameOf(row) === name
        ).properties.Name.title,
        Tick: false,
      })),
    );
    const unknown = await ask(app, id, body, "?filter_properties=Nope");
    assertEquals(unknown.json.errors[0].pointer, "/filter_properties/0");
    assertEquals((await ask(app, id, { filter_properties: ["title"] })).status, 400);
  }));

Deno.test("pages have the requested length, 100 by default", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app);
    await Promise.all(
      Array.from({ length: 101 }, (_, index) => newRow(app, id, { Name: titled(`${index}`) })),
    );
    for (
      const [body, length] of [[{}, 100], [{ page_size: 0 }, 100], [{ page_size: 7 }, 7]] as const
    ) {
      const { results, has_more } = await page(app, id, { ...body, start_cursor: null });
      assertEquals([results.length, has_more], [length, true]);
    }
    assertEquals(new Set(await query(app, id, {}, 25)).size, 101);
    for (const page_size of [101, -1, 1.5, "7", null]) {
      assertEquals(refusal(await ask(app, id, { page_size })), [400, "validation_error"]);
    }
  }));

const up = (property: string) => ({ property, direction: "ascending" });

/** Sorts and filters, stored and computed, that all return the rows by their number. */
const NUMBERED: readonly object[] = [
  { sorts: [up("Count")] },
  { sorts: [up("Tick"), up("Count")] },
  { sorts: [up("Double")] },
  { sorts: [up("Other"), up("Count")] },
  {
    sorts: [up("Count")],
    filter: { property: "Double", formula: { number: { greater_than: 0 } } },
  },
  { sorts: [up("Double")], filter: { property: "Count", number: { greater_than: 0 } } },
];

Deno.test("rows created, deleted or moved between pages neither repeat nor hide others", () =>
  withFaithfulApp(async (app) => {
    const { id: others } = await newDatabase(app);
    for (const order of NUMBERED) {
      const { id } = await newDatabase(app, {
        Count: { number: {} },
        Tick: { checkbox: {} },
        Double: { formula: { expression: 'prop("Count") * 2' } },
        Other: { relation: { database_id: others, single_property: {} } },
      });
      const add = (count: number) =>
        newRow(app, id, { Name: titled(`${count}`), Count: { number: count } });
      const rows = new Map<number, string>();
      for (const count of [10, 20, 30, 40, 50, 60]) rows.set(count, (await add(count)).id);
      const first = await page(app, id, { ...order, page_size: 2 });
      await add(5);
      await add(15);
      await add(25);
      // The row of the cursor, one before it, and one after it.
      for (const count of [20, 10, 40]) await succeed(app, `DELETE /v2/pages/${rows.get(count)}`);
      const moved = { properties: { Count: { number: 45 } } };
      await succeed(app, `PATCH /v2/pages/${rows.get(60)}`, { body: moved });
      const names = first.results.map(nameOf);
      let cursor = first.next_cursor;
      while (cursor !== null) {
        const next = await page(app, id, { ...order, page_size: 2, start_cursor: cursor });
        names.push(...next.results.map(nameOf));
        cursor = next.next_cursor;
      }
      assertEquals(names, ["10", "20", "25", "30", "60", "50"], JSON.stringify(order));
    }
  }));

Deno.test("a cursor is valid only for its own query", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const other = await newDatabase(app, { Count: { number: {} } });
    await namedRows(app, id, { a: {}, b: {}, c: {} });
    await namedRows(app, other.id, { a: {}, b: {} });
    const filter = { property: "Count", number: { is_empty: true } };
    const body = { page_size: 1, filter, sorts: [up("Name")] };
    const { next_cursor: cursor } = await page(app, id, body);
    assertEquals(
      (await page(app, id, { ...body, page_size: 2, start_cursor: cursor })).results.length,
      2,
    );
    const refused: readonly (readonly [database: string, body: object])[] = [
      [id, { page_size: 1, filter }],
      [id, { ...body, filter: { property: "Name", title: { is_not_empty: true } } }],
      [id, { ...body, sorts: [{ ...up("Name"), direction: "descending" }] }],
      [id, { ...body, in_trash: true }],
      [other.id, body],
    ];
    const tampered = `${cursor[0] === "A" ? "B" : "A"}${cursor.slice(1)}`;
    const answers = await Promise.all([
      ...refused.map(([database, body]) => ask(app, database, { ...body, start_cursor: cursor })),
      ...[tampered, cursor.slice(1), `${cursor}A`, "", "x", cursor.repeat(50)].map((start_cursor) =>
        ask(app, id, { ...body, start_cursor })
      ),
    ]);
    for (const answer of answers) {
      assertEquals(refusal(answer), [400, "validation_error"]);
      assert(answer.json.message.includes("start_cursor"));
      assertEquals(answer.json.errors[0].pointer, "/start_cursor");
    }
  }));

Deno.test("a cursor can hold the maximum number of sorts by long texts", () =>
  withFaithfulApp(async (app) => {
    const names = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    const { id } = await newDatabase(
      app,
      Object.fromEntries(names.map((name) => [name, { rich_text: {} }])),
    );
    // Each weight is a control character, which takes six characters in JSON.
    const long = { rich_text: text("_".repeat(200)) };
    const values = Object.fromEntries(names.map((name) => [name, long]));
    await namedRows(app, id, { a: values, b: values, c: values });
    assertEquals(await query(app, id, { sorts: names.map(up) }, 1), ["a", "b", "c"]);
  }));

Deno.test("relative dates count from the time of the request", () => {
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
  let now = noon("2026-11-19");
  return withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { Day: { date: {} } });
    const days = [
      "2025-11-19",
      "2026-10-19",
      "2026-11-12",
      "2026-11-16",
      "2026-11-19",
      "2026-11-22",
      "2026-11-26",
      "2026-12-19",
      "2027-11-19",
    ];
    for (const day of days) {
      await newRow(app, id, { Name: titled(day), Day: { date: { start: day } } });
    }
    // A token lives for minutes.
    const today: Pick<TestApp, "call"> = {
      call: async (route, options) => app.call(route, { token: await app.mint(), ...options }),
    };
    const during = async (period: string) => {
      const filter = { property: "Day", date: { [period]: {} } };
      const found = await query(today, id, { filter, sorts: [up("Day")] });
      return [found[0], found.at(-1)];
    };
    assertEquals(await during("this_week"), ["2026-11-16", "2026-11-22"]);
    assertEquals(await during("past_week"), ["2026-11-12", "2026-11-19"]);
    assertEquals(await during("past_month"), ["2026-10-19", "2026-11-19"]);
    assertEquals(await during("past_year"), ["2025-11-19", "2026-11-19"]);
    assertEquals(await during("next_week"), ["2026-11-19", "2026-11-26"]);
    assertEquals(await during("next_month"), ["2026-11-19", "2026-12-19"]);
    assertEquals(await during("next_year"), ["2026-11-19", "2027-11-19"]);
    now = noon("2026-11-22");
    assertEquals(await during("this_week"), ["2026-11-16", "2026-11-22"]);
    now = noon("2026-11-23");
    assertEquals(await during("this_week"), ["2026-11-26", "2026-11-26"]);
  }, { now: () => now });
});
