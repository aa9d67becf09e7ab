import { assertEquals } from "../assert.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { newDatabase, newRow } from "./database_driver.ts";
import { refusal, succeed, UNKNOWN } from "./driver.ts";
import { withFixture } from "./query_fixture.ts";

const ONE = { property: "number", number: { equals: 1 } };

function nested(levels: number): object {
  return levels === 0 ? ONE : { and: [nested(levels - 1)] };
}

function is(property: string, key: string, condition: unknown): object {
  return { property, [key]: condition };
}

/** A filter, the pointer of its issue, and the message. */
type Refused = readonly [filter: unknown, pointer: string, told: RegExp];

const UNREADABLE: readonly Refused[] = [
  [null, "", /should be an object/],
  ["x", "", /should be an object/],
  [[], "", /should be an object with `and` or `or`, or with `property` and one of `title`/],
  [{}, "", /should be an object with `and` or `or`/],
  [{ property: "number" }, "", /should be an object with .*`property` and one of `title`/],
  [is("button", "button", {}), "", /should be an object with .*`property` and one of `title`/],
  [{ number: { equals: 1 } }, "/property", /should be defined/],
  [{ ...ONE, type: "date" }, "/type", /should be "number"/],
  [{ ...ONE, date: { is_empty: true } }, "/date", /should be not present/],
  [{ ...ONE, nope: 1 }, "/nope", /should be not present/],
  [{ and: {} }, "/and", /should be an array/],
  [{ and: [ONE], or: [ONE] }, "/or", /should be not present/],
  [{ and: Array(101).fill(ONE) }, "/and", /should be of length ≤ `100`/],
  [{ timestamp: "created" }, "", /should be an object with `timestamp` and one of `created_time`/],
  [{ timestamp: "created_time" }, "", /should be an object with `timestamp`/],
  [
    { timestamp: "created_time", last_edited_time: { is_empty: true } },
    "/timestamp",
    /should be "last_edited_time"/,
  ],
  [
    { timestamp: "created_time", created_time: { is_empty: true }, property: "date" },
    "/property",
    /should be not present/,
  ],
];

const OPERATIONS: readonly Refused[] = [
  [is("number", "number", { like: 1 }), "/number", /with one of `equals`, `does_not_equal`/],
  [is("number", "number", { constructor: 1 }), "/number", /with one of `equals`/],
  [is("number", "number", {}), "/number", /with one of `equals`/],
  [is("number", "number", { equals: 1, less_than: 2 }), "/number/less_than", /not present/],
  [is("number", "number", { equals: "1" }), "/number/equals", /should be a number/],
  [is("number", "number", { is_empty: false }), "/number/is_empty", /should be true/],
  [is("checkbox", "checkbox", { equals: "true" }), "/checkbox/equals", /should be a boolean/],
  [is("checkbox", "checkbox", { is_empty: true }), "/checkbox", /with one of `equals`/],
  [is("select", "select", { contains: "A" }), "/select", /with one of `equals`/],
  [is("select", "select", { equals: { name: "A" } }), "/select/equals", /should be a string/],
  [is("date", "date", { before: "soon" }), "/date/before", /an ISO 8601 date/],
  [is("date", "date", { before: "2026-02-30" }), "/date/before", /a day that exists/],
  [is("date", "date", { this_week: true }), "/date/this_week", /should be an object/],
  [is("people", "people", { contains: "me" }), "/people/contains", /a valid uuid/],
  [is("relation", "relation", { equals: UNKNOWN }), "/relation", /with one of `contains`/],
  [is("files", "files", { contains: "a" }), "/files", /with one of `is_empty`/],
  [is("verification", "verification", { status: "no" }), "/verification/status", /"verified"/],
  [is("Name", "title", { equals: "x".repeat(2_001) }), "/title/equals", /≤ `2000`/],
  [is("cost", "rollup", { some: {} }), "/rollup", /with one of `any`, `every`, `none`/],
  [is("cost", "rollup", { any: {} }), "/rollup/any", /with one of `title`/],
  [is("formula number", "formula", { text: {} }), "/formula", /with one of `string`/],
  [
    is("formula date", "formula", { date: { after: "2026-02-30" } }),
    "/formula/date/after",
    /a day that exists/,
  ],
  [
    is("rollup date", "rollup", { any: { date: { after: "2025-02-29" } } }),
    "/rollup/any/date/after",
    /a day that exists/,
  ],
];

/** Conditions that do not fit their property: every name of a condition, on other types. */
const CLASHES: readonly (readonly [property: string, key: string, condition: object])[] = [
  ["number", "rich_text", { equals: "1" }],
  ["number", "formula", { number: { equals: 1 } }],
  ["select", "multi_select", { contains: "A" }],
  ["multi_select", "select", { equals: "A" }],
  ["select", "status", { equals: "A" }],
  ["date", "created_time", { is_empty: true }],
  ["people", "created_by", { is_empty: true }],
  ["button", "rich_text", { is_empty: true }],
  ["formula number", "number", { equals: 1 }],
  ["formula number", "formula.string", { equals: "1" }],
  ["formula checkbox", "formula.number", { equals: 1 }],
  ["cost", "rollup.any.number", { equals: 1 }],
  ["cost", "rollup.date", { is_empty: true }],
  ["rollup number", "rollup.number", { equals: 1 }],
  ["rollup number", "rollup.every.rich_text", { equals: "1" }],
];

Deno.test("an invalid filter is rejected with a pointer", () =>
  withFixture(async ({ app, id }) => {
    for (const [filter, pointer, told] of [...UNREADABLE, ...OPERATIONS]) {
      const { status, json } = await app.call(`POST /v2/databases/${id}/query`, {
        body: { filter },
      });
      const [issue] = json.errors ?? [];
      const asked = JSON.stringify(filter);
      assertEquals([status, json.code, json.errors?.length], [400, "validation_error", 1], asked);
      assertEquals(issue.pointer, `/filter${pointer}`, asked);
      assertEquals([told.test(issue.detail), issue.detail], [true, issue.detail]);
    }
  }));

Deno.test("a condition for another type is rejected with the message that clients match", () =>
  withFixture(async ({ app, id }) => {
    const { properties } = await succeed(app, `GET /v2/databases/${id}`);
    for (const [property, key, condition] of CLASHES) {
      const path = key.split(".");
      const inner = path.reduceRight<object>((below, name) => ({ [name]: below }), condition);
      const { status, json } = await app.call(`POST /v2/databases/${id}/query`, {
        body: { filter: { property, ...inner } },
      });
      const { type } = properties[property];
      const detail = `Property \`${property}\` of type ${type} does not match filter ${key}.`;
      assertEquals(status, 400);
      assertEquals(json.errors, [{ pointer: `/filter/${path[0]}`, detail }]);
    }
  }));

Deno.test("all issues of filter and sorts are reported at once", () =>
  withFixture(async ({ app, id }) => {
    const { json } = await app.call(`POST /v2/databases/${id}/query`, {
      body: {
        filter: {
          and: [
            ONE,
            is("Nope", "number", { equals: 1 }),
            { or: [{ and: [] }, is("number", "date", { equals: "2026-02-30" }), { or: [] }] },
            is("__proto__", "title", { is_empty: true }),
          ],
        },
        sorts: [
          { property: "number", direction: "ascending" },
          { property: "Gone", direction: "ascending" },
          { property: "constructor", direction: "descending" },
        ],
      },
    });
    const told = [
      ["/filter/and/1/property", "Could not find property with name or id: Nope"],
      ["/filter/and/2/or/1/date", "Property `number` of type number does not match filter date."],
      ["/filter/and/3/property", "Could not find property with name or id: __proto__"],
      ["/sorts/1/property", "Could not find sort property with name or id: Gone"],
      ["/sorts/2/property", "Could not find sort property with name or id: constructor"],
    ];
    assertEquals(json.errors, told.map(([pointer, detail]) => ({ pointer, detail })));
    assertEquals(json.message, told.map(([, detail]) => detail).join("\n"));
  }));

Deno.test("a filter can have at most 20 levels and 1,000 conditions", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { number: { number: {} } });
    await newRow(app, id, { number: { number: 1 } });
    const ask = (filter: object) =>
      app.call(`POST /v2/databases/${id}/query`, { body: { filter } });
    const many = (ors: number, each: number) => ({
      and: Array(ors).fill({ or: Array(each).fill(ONE) }),
    });
    for (const filter of [nested(20), many(10, 100)]) {
      assertEquals((await ask(filter)).json.results.length, 1);
    }
    assertEquals((await ask(nested(21))).json.errors, [{
      pointer: `/filter${"/and/0".repeat(20)}/and`,
      detail: "Compound filters can be nested at most 20 levels deep.",
    }]);
    assertEquals((await ask({ or: [many(10, 100), ONE] })).json.errors, [{
      pointer: "/filter",
      detail: "A filter can have at most 1000 conditions.",
    }]);
    assertEquals((await ask(nested(1_000))).status, 400);
  }));

Deno.test("invalid sorts are rejected with a pointer", () =>
  withFixture(async ({ app, id }) => {
    const refused: readonly Refused[] = [
      [{}, "", /should be an array/],
      [[{}], "/0", /should be an object with one of `property`, `timestamp`/],
      [[{ property: "number" }], "/0/direction", /should be defined/],
      [[{ property: "number", direction: "up" }], "/0/direction", /"ascending", or "descending"/],
      [[{ timestamp: "created", direction: "ascending" }], "/0/timestamp", /"created_time"/],
      [
        [{ property: "number", timestamp: "created_time", direction: "ascending" }],
        "/0/timestamp",
        /should be not present/,
      ],
      [Array(101).fill({ property: "number", direction: "ascending" }), "", /≤ `100`/],
    ];
    for (const [sorts, pointer, told] of refused) {
      const { json } = await app.call(`POST /v2/databases/${id}/query`, { body: { sorts } });
      const [issue] = json.errors;
      assertEquals(issue.pointer, `/sorts${pointer}`);
      assertEquals([told.test(issue.detail), issue.detail], [true, issue.detail]);
    }
  }));

Deno.test("a query of anything but a database, or with unknown members, is rejected", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app);
    const row = await newRow(app, id);
    const ask = (id: string, body: object = {}) =>
      app.call(`POST /v2/databases/${id}/query`, { body });
    assertEquals(refusal(await ask(UNKNOWN)), [404, "object_not_found"]);
    const page = await ask(row.id);
    assertEquals([page.status, page.json.message.includes("is a page, not a database")], [
      400,
      true,
    ]);
    for (const body of [{ nope: 1 }, { in_trash: "x" }, { start_cursor: 1 }, { page_size: "1" }]) {
      const { json } = await ask(id, body);
      assertEquals(json.errors[0].pointer, `/${Object.keys(body)[0]}`);
    }
    assertEquals(refusal(await ask("nope")), [400, "validation_error"]);
  }));
