import { assert, assertEquals } from "../assert.ts";
import type { Answer, TestApp } from "../support/app.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { newDatabase, newRow, query, valuesOf } from "./database_driver.ts";
import { refusal, succeed, text, UNKNOWN } from "./driver.ts";
import { everyType } from "./every_type.ts";

function change(app: TestApp, id: string, properties: object): Promise<Answer["json"]> {
  return succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
}

/** A configuration without the ids that the service assigned. */
function nameless(config: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      config,
      (key, value) => key === "id" || key === "option_ids" ? undefined : value,
    ),
  );
}

const option = (name: string, color = "default", description: string | null = null) => ({
  name,
  color,
  description,
});
const statusOptions = [
  option("Not started"),
  option("In progress", "blue"),
  option("Done", "green"),
];
const statusGroups = [
  { name: "To-do", color: "gray" },
  { name: "In progress", color: "blue" },
  { name: "Complete", color: "green" },
];

/** Configurations by type, as written and as read, to be applied in order. */
const CONFIGS: Readonly<Record<string, readonly (readonly [given: object, read: object])[]>> = {
  number: [
    [{}, { format: "number" }],
    [{ format: "yen" }, { format: "yen" }],
    [{}, { format: "yen" }],
  ],
  select: [
    [{}, { options: [] }],
    [
      { options: [{ name: "A", color: "red", description: "first" }, { name: "B" }] },
      { options: [option("A", "red", "first"), option("B")] },
    ],
    [{}, { options: [option("A", "red", "first"), option("B")] }],
    [{ options: [{ name: "B" }] }, { options: [option("B")] }],
  ],
  multi_select: [[{ options: [{ name: "A" }] }, { options: [option("A")] }]],
  status: [
    [{}, { options: statusOptions, groups: statusGroups }],
    [
      { options: [{ name: "Done" }, { name: "Late", color: "red" }] },
      { options: [option("Done", "green"), option("Late", "red")], groups: statusGroups },
    ],
  ],
  formula: [
    [{ expression: "1 + 1" }, { expression: "1 + 1" }],
    [{ expression: 'prop("Count") * 2' }, { expression: 'prop("Count") * 2' }],
    [{}, { expression: 'prop("Count") * 2' }],
  ],
  unique_id: [
    [{}, { prefix: null }],
    [{ prefix: "T" }, { prefix: "T" }],
    [{}, { prefix: "T" }],
    [{ prefix: null }, { prefix: null }],
  ],
  ...Object.fromEntries(
    [
      "rich_text",
      "date",
      "people",
      "files",
      "checkbox",
      "url",
      "email",
      "phone_number",
      "created_time",
      "created_by",
      "last_edited_time",
      "last_edited_by",
      "button",
      "verification",
    ].map((type) => [type, [[{}, {}]]]),
  ),
};

Deno.test("a property of every type is created, read, reconfigured, renamed and deleted", () =>
  withFaithfulApp(async (app) => {
    for (const [type, steps] of Object.entries(CONFIGS)) {
      const [[first, read] = [{}, {}]] = steps;
      const made = await newDatabase(app, { Count: { number: {} }, X: { [type]: first } });
      const { id, name, description } = made.properties.X;
      assertEquals([name, description, nameless(made.properties.X[type])], ["X", null, read], type);
      const added = await change(
        app,
        made.id,
        type === "unique_id" ? {} : { Y: { [type]: first } },
      );
      if (type !== "unique_id") assertEquals(nameless(added.properties.Y[type]), read);
      for (const [given, read] of steps) {
        const { properties } = await change(app, made.id, { X: { [type]: given } });
        assertEquals([properties.X.id, nameless(properties.X[type])], [id, read], type);
      }
      const renamed = await change(app, made.id, { [id]: { name: "Z", description: "why" } });
      assertEquals([renamed.properties.Z.id, renamed.properties.Z.description], [id, "why"]);
      assert(!("X" in renamed.properties));
      const removed = await change(app, made.id, { Z: null });
      assert(!("Z" in removed.properties));
      assertEquals(await succeed(app, `GET /v2/databases/${made.id}`), removed);
    }
  }));

Deno.test("every type can be changed to every other, and rows follow the schema", () =>
  withFaithfulApp(async (app) => {
    const every = await everyType(app);
    const types = Object.keys(every.database.properties).filter((name) => name !== "Name");
    const configs = new Map(types.map((type) => [type, every.database.properties[type][type]]));
    const row = await newRow(app, every.id, { rich_text: { rich_text: text("1") } });
    const simple = types.filter((type) => !["unique_id", "relation", "rollup"].includes(type));
    const { id } = every.database.properties.rich_text;
    for (const type of [...simple, ...simple.toReversed()]) {
      const config = ["select", "multi_select", "status"].includes(type) ? {} : configs.get(type);
      await change(app, every.id, { [id]: { [type]: config } });
      const read = await succeed(app, `GET /v2/pages/${row.id}`);
      assertEquals(read.properties.rich_text.type, type);
      const list = await succeed(app, `POST /v2/databases/${every.id}/query`, {
        body: { sorts: [{ property: id, direction: "ascending" }] },
      });
      assertEquals(list.results, [read]);
    }
  }));

const ISSUES: readonly (readonly [properties: object, pointer: string, told: RegExp])[] = [
  [{ X: { number: { format: "dollars" } } }, "/X/number/format", /should be \("number"/],
  [{ X: { number: { nope: 1 } } }, "/X/number/nope", /not present/],
  [{ X: { number: {}, checkbox: {} } }, "/X/checkbox", /not present/],
  [{ X: { nope: {} } }, "/X/nope", /not present/],
  [{ X: {} }, "/X", /X is not a property that exists/],
  [{ "": { number: {} } }, "/", /under a name of 1 to `900` characters/],
  [{ X: { select: { options: [{ name: "a,b" }] } } }, "/X/select/options/0/name", /without commas/],
  [{ X: { select: { options: [{ name: "A" }, { name: "A" }] } } }, "/X/select/options/1", /twice/],
  [{ X: { status: { options: [] } } }, "/X/status/options", /of length ≥ `1`/],
  [{ X: { unique_id: {} } }, "/X", /at most one property of type `unique_id`/],
  [{ X: { title: {} } }, "/X", /exactly one property of type `title`/],
  [{ number: { name: "url" } }, "/number", /can't have the same name: `url`/],
  [{ Name: null }, "/Name", /title/],
  [{ Nope: null }, "/Nope", /Nope is not a property that exists/],
  [{ X: { formula: { expression: "1 +" } } }, "/X/formula/expression", /^Line 1, column 4: /],
  [
    { X: { formula: { expression: '1 +\n  "a" * 2' } } },
    "/X/formula/expression",
    /^Line 2, column \d+: /,
  ],
  [
    { X: { formula: { expression: 'prop("Nope")' } } },
    "/X/formula/expression",
    /^Line 1, column 6: There is no property "Nope"/,
  ],
  [
    { X: { relation: { database_id: UNKNOWN, single_property: {} } } },
    "/X/relation/database_id",
    /Could not find database/,
  ],
  [
    { X: { relation: { database_id: UNKNOWN } } },
    "/X/relation",
    /`single_property` or `dual_property`/,
  ],
  [{ X: { rollup: { function: "sum" } } }, "/X/rollup/relation_property_name", /should be defined/],
  [
    rollup("number", "Cost", "sum"),
    "/X/rollup/relation_property_name",
    /expected to be relation/,
  ],
  [
    rollup("relation", "Nope", "sum"),
    "/X/rollup/rollup_property_name",
    /not a property that exists/,
  ],
  [rollup("relation", "Name", "sum"), "/X/rollup/function", /needs values of type number/],
  [rollup("relation", "Cost", "total"), "/X/rollup/function", /should be \("count"/],
  [{ X: { formula: { expression: 'prop("X")' } } }, "/X/formula", /from itself: X → X/],
];

function rollup(relation: string, property: string, name: string): object {
  return {
    X: {
      rollup: { relation_property_name: relation, rollup_property_name: property, function: name },
    },
  };
}

Deno.test("an invalid schema is rejected with a pointer, and nothing is written", () =>
  withFaithfulApp(async (app) => {
    const { id, database } = await everyType(app);
    for (const [properties, pointer, told] of ISSUES) {
      const answer = await app.call(`PATCH /v2/databases/${id}`, {
        body: { properties: { Fine: { number: {} }, ...properties } },
      });
      assertEquals(refusal(answer), [400, "validation_error"], JSON.stringify(properties));
      const [{ pointer: at, detail }] = answer.json.errors;
      assertEquals(at.startsWith(`/properties${pointer}`), true, `${at} ${detail}`);
      assertEquals([told.test(detail), detail], [true, detail]);
    }
    assertEquals(await succeed(app, `GET /v2/databases/${id}`), database);
  }));

Deno.test("no property can be computed from itself, not even through another database", () =>
  withFaithfulApp(async (app) => {
    const one = await newDatabase(app, { Count: { number: {} } });
    const two = await newDatabase(app, {
      One: { relation: { database_id: one.id, dual_property: { synced_property_name: "Two" } } },
    });
    const sum = (relation: string, property: string) => ({
      rollup: {
        relation_property_name: relation,
        rollup_property_name: property,
        function: "show_original",
      },
    });
    await change(app, one.id, { Twice: { formula: { expression: 'prop("Count") * 2' } } });
    await change(app, two.id, {
      Twices: sum("One", "Twice"),
      Sum: { formula: { expression: 'prop("Twices").sum()' } },
    });
    const around = await app.call(`PATCH /v2/databases/${one.id}`, {
      body: {
        properties: {
          Twice: { formula: { expression: 'prop("Two").map(current.prop("Sum")).sum()' } },
        },
      },
    });
    assertEquals(refusal(around), [400, "validation_error"]);
    const [{ pointer, detail }] = around.json.errors;
    assert(pointer.startsWith("/properties/Twice/formula"));
    assert(detail.startsWith("A property can't be computed from itself"), detail);
    const row = await newRow(app, one.id, { Count: { number: 2 } });
    const other = await newRow(app, two.id, { One: { relation: [{ id: row.id }] } });
    assertEquals(valuesOf(other).Sum, { type: "number", number: 4 });
  }));

Deno.test("no formula reveals an e-mail address", () =>
  withFaithfulApp(async (app) => {
    const token = await app.mint({ sub: "ann", name: "Ann", email: "ann@mail.test" });
    const { id: ann } = await succeed(app, "GET /v2/users/me", { token });
    const { id } = await newDatabase(app, { Who: { people: {} }, By: { created_by: {} } });
    const told: readonly (readonly [expression: string, string: string | null])[] = [
      ['prop("Who").first().email()', null],
      ['prop("Who").map(current.email()).join(",")', ""],
      ['email(prop("By"))', null],
      ['prop("Who")', "Ann"],
      ['format(prop("By"))', "Ann"],
    ];
    for (const [expression, string] of told) {
      await change(app, id, { Told: { formula: { expression } } });
      const row = await succeed(app, "POST /v2/pages", {
        token,
        body: { parent: { database_id: id }, properties: { Who: { people: [{ id: ann }] } } },
      });
      assertEquals(valuesOf(row).Told, { type: "string", string }, expression);
      const filter = { property: "Told", formula: { string: { contains: "mail" } } };
      assertEquals(await query(app, id, { filter }), []);
    }
  }));

Deno.test("relations, rollups and formulas show current names, and nothing once their source is deleted", () =>
  withFaithfulApp(async (app) => {
    const { id, related, one } = await everyType(app);
    const row = await newRow(app, id, { relation: { relation: [{ id: one }] } });
    await change(app, related, { Cost: { name: "Price" } });
    await change(app, id, { number: { name: "Count" }, relation: { name: "Thing" } });
    const { properties } = await succeed(app, `GET /v2/databases/${id}`);
    assertEquals(properties.formula.formula.expression, 'prop("Count") * 2');
    const { relation_property_name, rollup_property_name } = properties.rollup.rollup;
    assertEquals([relation_property_name, rollup_property_name], ["Thing", "Price"]);
    await change(app, related, { Price: null });
    const read = await succeed(app, `GET /v2/pages/${row.id}`);
    assertEquals(valuesOf(read).rollup, { type: "unsupported", unsupported: {}, function: "sum" });
  }));
