import { assertEquals } from "../assert.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { newDatabase, newRow } from "./database_driver.ts";
import { newPage, succeed, text, UNKNOWN } from "./driver.ts";
import { everyType } from "./every_type.ts";

function many(item: unknown): readonly unknown[] {
  return Array(101).fill(item);
}

function unexpected(path: string, expected: string, received: unknown): string {
  const place = `body.properties.${path}`;
  return `body failed validation: ${place} should be ${expected}, instead was \`${
    JSON.stringify(received)
  }\`.`;
}

type Refused = readonly [given: unknown, at: string, sentence: string | RegExp];

/** Values that a type rejects: the pointer below the value, and the message. */
const REFUSED: Readonly<Record<string, readonly Refused[]>> = {
  rich_text: [
    ["x", "", unexpected("rich_text.rich_text", "an array", "x")],
    [null, "", /should be an array/],
    [[{ text: { content: "x".repeat(2_001) } }], "/0/text/content", /of length ≤ `2000`/],
    [many(text("x")[0]), "", /of length ≤ `100`/],
    [[{}], "/0", /should be an object with one of `text`, `mention`, `equation`/],
  ],
  number: [
    ["1", "", unexpected("number.number", "a number", "1")],
    [true, "", unexpected("number.number", "a number", true)],
  ],
  checkbox: [
    ["yes", "", unexpected("checkbox.checkbox", "a boolean", "yes")],
    [null, "", unexpected("checkbox.checkbox", "a boolean", null)],
  ],
  url: [["", "", /of length ≥ `1`/], ["x".repeat(2_001), "", /≤ `2000`/], [3, "", /a string/]],
  email: [["", "", /of length ≥ `1`/], ["x".repeat(201), "", /of length ≤ `200`/]],
  phone_number: [["", "", /of length ≥ `1`/], ["1".repeat(201), "", /of length ≤ `200`/]],
  select: [
    ["A", "", /should be an object/],
    [{ name: "a,b" }, "/name", "Invalid select option, commas not allowed: a,b"],
    [{ name: "" }, "/name", /of length ≥ `1`/],
    [{ name: "x".repeat(101) }, "/name", /of length ≤ `100`/],
    [{ id: "nope" }, "/id", 'Select option "nope" does not exist.'],
    [{ name: "C", color: "blue_background" }, "/color", /should be \("default"/],
  ],
  multi_select: [
    [{ name: "A" }, "", /should be an array/],
    [[{ name: "A" }, { name: "," }], "/1/name", /commas not allowed/],
    [[{ id: "nope" }], "/0/id", /does not exist/],
    [many({ name: "A" }), "", /of length ≤ `100`/],
  ],
  status: [
    [{ name: "Nope" }, "/name", 'Invalid status option. Status option "Nope" does not exist.'],
    [{ id: "nope" }, "/id", /does not exist/],
  ],
  date: [
    ["2026-11-19", "", /should be an object/],
    [{}, "/start", /should be defined/],
    [{ start: "tomorrow" }, "/start", /an ISO 8601 date or datetime/],
    [{ start: "2026-02-30" }, "/start", /a day that exists/],
    [{ start: "2026-11-19T10:00:00", end: "2026-11-18" }, "/end", /not before `start`/],
    [{ start: "2026-11-19", time_zone: "Europe/Berlin" }, "/start", /without an offset/],
    [{ start: "2026-11-19T10:00:00", time_zone: "Mars" }, "/time_zone", /an IANA time zone/],
    [{ start: "2026-11-19", end: "2026-11-32" }, "/end", /an ISO 8601 date/],
  ],
  place: [
    [{ lat: 91, lon: 0 }, "/lat", /≤ `90`/],
    [{ lat: 0 }, "/lon", /should be defined/],
  ],
  people: [
    [[{ id: "me" }], "/0/id", /should be a valid uuid/],
    [[UNKNOWN], "/0", /should be an object/],
    [many({ id: UNKNOWN }), "", /of length ≤ `100`/],
  ],
  files: [
    [[{ external: { url: "https://a.test" } }], "/0/name", /should be defined/],
    [[{ name: "a", external: { url: "" } }], "/0/external/url", /of length ≥ `1`/],
    [[{ file_upload: { id: UNKNOWN } }], "/0/file_upload/id", /Could not find file_upload/],
    [
      [{ name: "a", file: { url: "https://a.test", expiry_time: "2026-11-19T10:00:00Z" } }],
      "/0/file/url",
      /the url of a file as it was read/,
    ],
  ],
  relation: [
    [
      [{ id: UNKNOWN }],
      "/0/id",
      `Could not find page with ID: ${UNKNOWN} in the related database.`,
    ],
    [[UNKNOWN], "/0", /should be an object/],
    [many({ id: UNKNOWN }), "", /of length ≤ `100`/],
  ],
  verification: [
    [{ state: "maybe" }, "/state", /should be \("unverified"/],
    [{ state: "verified", date: { start: "2026-02-30" } }, "/date/start", /a day that exists/],
  ],
};

Deno.test("an invalid value of every type is rejected with the same pointer and message on both routes", () =>
  withFaithfulApp(async (app) => {
    const { id } = await everyType(app);
    const row = await newRow(app, id);
    for (const [type, refused] of Object.entries(REFUSED)) {
      for (const [given, at, sentence] of refused) {
        const properties = { [type]: { [type]: given } };
        const answers = await Promise.all([
          app.call(`PATCH /v2/pages/${row.id}`, { body: { properties } }),
          app.call("POST /v2/pages", { body: { parent: { database_id: id }, properties } }),
        ]);
        for (const { status, json } of answers) {
          const [{ pointer, detail }] = json.errors;
          assertEquals([status, pointer], [400, `/properties/${type}/${type}${at}`]);
          const isSaid = typeof sentence === "string" ? detail === sentence : sentence.test(detail);
          assertEquals([isSaid, detail], [true, detail]);
        }
      }
    }
    const after = await succeed(app, `GET /v2/pages/${row.id}`);
    assertEquals(after, row);
  }));

Deno.test("a list with the URL of no upload as the whole value of a property is rejected", () =>
  withFaithfulApp(async (app) => {
    const { id } = await everyType(app);
    const row = await newRow(app, id);
    const properties = { files: [{ name: "a", file: { url: "", expiry_time: "" } }] };
    const parents = [{ type: "workspace", workspace: true }, { database_id: id }];
    const answers = await Promise.all([
      app.call(`PATCH /v2/pages/${row.id}`, { body: { properties } }),
      ...parents.map((parent) => app.call("POST /v2/pages", { body: { parent, properties } })),
    ]);
    for (const { status, json } of answers) {
      assertEquals([status, json.errors[0].pointer], [400, "/properties/files"]);
    }
  }));

const COMPUTED = [
  "formula",
  "rollup",
  "unique_id",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "button",
];

Deno.test("computed properties cannot be written", () =>
  withFaithfulApp(async (app) => {
    const { id } = await everyType(app);
    const row = await newRow(app, id);
    for (const name of COMPUTED) {
      const given = row.properties[name][name];
      const { status, json } = await app.call(`PATCH /v2/pages/${row.id}`, {
        body: { properties: { [name]: { [name]: given } } },
      });
      assertEquals(status, 400);
      assertEquals(json.errors, [{
        pointer: `/properties/${name}`,
        detail: `\`${name}\` is computed: it cannot be written.`,
      }]);
    }
  }));

Deno.test("all issues of a row's values are reported at once, with the messages that clients match", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, {
      Count: { number: {} },
      "a/b~c": { checkbox: {} },
      Kind: { select: {} },
    });
    const body = {
      parent: { database_id: id },
      properties: {
        Nope: { number: 1 },
        Count: { rich_text: [] },
        "a/b~c": text("x"),
        Kind: { select: { name: "a,b" } },
        title: text("one"),
        Name: { title: text("two") },
        // An ordinary name, which JavaScript objects treat specially.
        ["__proto__"]: { number: 1 },
        constructor: { number: 1 },
      },
    };
    const { status, json } = await app.call("POST /v2/pages", { body });
    assertEquals([status, json.code], [400, "validation_error"]);
    const told = [
      ["/properties/Nope", "Nope is not a property that exists."],
      ["/properties/Count", "Count is expected to be number."],
      ["/properties/a~1b~0c", "a/b~c is expected to be checkbox."],
      ["/properties/Kind/select/name", "Invalid select option, commas not allowed: a,b"],
      ["/properties/Name", "`Name` is the property `title`, which is given already."],
      ["/properties/__proto__", "__proto__ is not a property that exists."],
      ["/properties/constructor", "constructor is not a property that exists."],
    ];
    assertEquals(json.errors, told.map(([pointer, detail]) => ({ pointer, detail })));
    assertEquals(json.message, told.map(([, detail]) => detail).join("\n"));
    const rows = await succeed(app, `POST /v2/databases/${id}/query`);
    assertEquals(rows.results, []);
    const { properties } = await succeed(app, `GET /v2/databases/${id}`);
    assertEquals(properties.Kind.select.options, []);
  }));

Deno.test("a page that is not a row can have only a title", () =>
  withFaithfulApp(async (app) => {
    const { json } = await app.call("POST /v2/pages", {
      body: { parent: { workspace: true }, properties: { Name: { title: text("x") } } },
    });
    assertEquals(json.message, "Name is not a property that exists.");
    const page = await newPage(app);
    const edit = await app.call(`PATCH /v2/pages/${page}`, {
      body: { properties: { title: { number: 1 } } },
    });
    assertEquals(edit.json.message, "title is expected to be title.");
  }));

Deno.test("a row cannot move to another parent, and its database must exist", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app);
    const row = await newRow(app, id);
    const moved = await app.call(`PATCH /v2/pages/${row.id}`, { body: { parent: row.parent } });
    assertEquals(moved.json.errors[0].pointer, "/parent");
    const nowhere = await app.call("POST /v2/pages", {
      body: { parent: { database_id: UNKNOWN }, properties: {} },
    });
    assertEquals([nowhere.status, nowhere.json.message], [
      404,
      `Could not find database with ID: ${UNKNOWN}.`,
    ]);
    for (
      const [parent, told, pointer] of [
        [{ database_id: row.id }, "is a page, not a database", "/parent/database_id"],
        [{ page_id: id }, "is a database, not a page", "/parent/page_id"],
      ] as const
    ) {
      const { status, json } = await app.call("POST /v2/pages", {
        body: { parent, properties: {} },
      });
      assertEquals([status, json.message.includes(told)], [400, true]);
      assertEquals(json.errors, [{ pointer, detail: json.message }]);
    }
  }));
