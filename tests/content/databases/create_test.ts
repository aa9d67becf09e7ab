import * as v from "valibot";
import { databaseCreateInput } from "../../../src/content/databases/input.ts";
import { database } from "../../../src/content/databases/json.ts";
import { assert, assertEquals } from "../../assert.ts";
import { createWorld, edit, issuesOf, NAME, pointersOf, typed, type World } from "./helpers.ts";

/** The input and the output of each type, without ids of options and groups. */
const SAMPLES: Readonly<Record<string, readonly (readonly [given: unknown, read: unknown])[]>> = {
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
  number: [[{}, { format: "number" }], [{ format: "peruvian_sol" }, { format: "peruvian_sol" }]],
  select: [
    [{}, { options: [] }],
    [{ options: [{ name: "A", color: "red", description: "first" }, { name: "B" }] }, {
      options: [
        { name: "A", color: "red", description: "first" },
        { name: "B", color: "default", description: null },
      ],
    }],
  ],
  multi_select: [
    [{ options: [{ name: "A" }] }, {
      options: [{ name: "A", color: "default", description: null }],
    }],
  ],
  formula: [
    [{}, { expression: "" }],
    [{ expression: 'prop("Name") + "!"' }, { expression: 'prop("Name") + "!"' }],
  ],
  unique_id: [[{}, { prefix: null }], [{ prefix: "TASK" }, { prefix: "TASK" }]],
};

for (const [type, samples] of Object.entries(SAMPLES)) {
  Deno.test(`newDatabaseSteps() creates a property of type ${type}`, () => {
    for (const [given, read] of samples) {
      const world = createWorld();
      const id = world.create({ ...NAME, It: { type, [type]: given, description: "why" } });
      const { It } = world.read(id).properties;
      const { options } = (It?.[type] ?? {}) as { options?: { id: string }[] };
      const named = options?.map(({ id: _id, ...option }) => option);
      const config = named === undefined ? It?.[type] : { options: named };
      assertEquals(config, read);
      assertEquals(It?.description, "why");
      assertEquals(It?.type, type);
    }
  });
}

/** The groups of a status with the names of their options. */
function groupsOf(world: World, id: string): readonly unknown[] {
  const { options, groups } = typed(world, id, { name: "State", type: "status" });
  const nameOf = (of: string) => options.find((option) => option.id === of)?.name;
  return groups.map(({ name, color, option_ids }) => [name, color, option_ids.map(nameOf)]);
}

Deno.test("newDatabaseSteps() creates a status with three groups", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, State: { status: {} } });
  assertEquals(groupsOf(world, id), [
    ["To-do", "gray", ["Not started"]],
    ["In progress", "blue", ["In progress"]],
    ["Complete", "green", ["Done"]],
  ]);
  const { options, groups } = typed(world, id, { name: "State", type: "status" });
  assertEquals(world.read(id).properties.State?.status, { options, groups });
});

Deno.test("newDatabaseSteps() puts options into the groups that name them, and others into the first", () => {
  const world = createWorld();
  const options = [{ name: "a", id: "x1" }, { name: "b" }, { name: "c" }];
  const groups = [{ name: "Open" }, { option_ids: ["b"] }, { color: "pink", option_ids: ["x1"] }];
  const id = world.create({ ...NAME, State: { status: { options, groups } } });
  assertEquals(groupsOf(world, id), [
    ["Open", "gray", ["c"]],
    ["In progress", "blue", ["b"]],
    ["Complete", "pink", ["a"]],
  ]);
});

Deno.test("newDatabaseSteps() returns a database that fits the schema, with the given appearance", () => {
  const world = createWorld();
  const icon = { emoji: "🦊" };
  const cover = { external: { url: "https://example.org/a.png" } };
  const title = [{ text: { content: "Tasks" } }];
  const id = world.create(NAME, { title, description: title, icon, cover, is_inline: true });
  const read = world.read(id);
  v.parse(database, read);
  assertEquals(read.icon, { type: "emoji", ...icon });
  assertEquals(read.cover, { type: "external", ...cover });
  assertEquals(read.title.map(({ plain_text }) => plain_text), ["Tasks"]);
  assertEquals(read.is_inline, true);
  const { kind, type, parentKind, title: plain, version, createdBy } = world.node(id);
  assertEquals([kind, type, parentKind], ["database", "child_database", "workspace"]);
  assertEquals([plain, version, createdBy], ["Tasks", 1, edit.by]);
});

Deno.test("newDatabaseSteps() assigns the id `title` to the title, and new ids to the others", () => {
  const world = createWorld();
  const id = world.create({ title: { number: {} }, Name: { title: {} }, id: { date: {} } });
  assertEquals(world.property(id, "Name").id, "title");
  assertEquals(new Set(world.properties(id).map((property) => property.id)).size, 3);
});

Deno.test("properties can have any name, including names of JavaScript's own properties", () => {
  const world = createWorld();
  const names = ["__proto__", "constructor", "prototype", "toString", " ", "a/b~c", "🦊"];
  const body = JSON.parse(
    `{${names.map((name) => `${JSON.stringify(name)}:{"number":{}}`).join(",")},"N":{"title":{}}}`,
  );
  const id = world.create(body);
  assertEquals(Object.keys(world.read(id).properties).toSorted(), [...names, "N"].toSorted());
  world.patch(id, JSON.parse('{"__proto__":{"name":"p"},"constructor":null}'));
  assertEquals(world.property(id, "p").type, "number");
  assert(!Object.hasOwn(world.read(id).properties, "constructor"));
});

Deno.test("newDatabaseSteps() reports all issues at once", () => {
  const world = createWorld();
  const properties = {
    One: { title: {} },
    Two: { title: {}, name: "One" },
    "": { number: {} },
    Choice: { select: { options: [{ name: "a" }, { name: "a" }, { id: "none" }, {}] } },
    State: {
      status: {
        options: [{ name: "a" }],
        groups: [{ option_ids: ["a"] }, { option_ids: ["a", "b"] }, {}],
      },
    },
    N1: { unique_id: {} },
    N2: { unique_id: {} },
    Rel: {
      relation: { database_id: "00000000-0000-4000-8000-0000000000ff", single_property: {} },
    },
    Sum: { rollup: {} },
    Sum2: {
      rollup: { function: "sum", relation_property_name: "N1", rollup_property_name: "x" },
    },
    "a/b": { formula: { expression: 'prop("Nope")' } },
  };
  const more = {
    icon: { emoji: "no" },
    title: [{ mention: { date: { start: "2024-02-30" } } }],
  };
  assertEquals(pointersOf(() => world.create(properties, more)), [
    "/title/0/mention/date/start",
    "/icon/emoji",
    "/properties/Choice/select/options/2/id",
    "/properties/Choice/select/options/3/name",
    "/properties/Choice/select/options/1",
    "/properties/State/status/groups/1/option_ids/0",
    "/properties/State/status/groups/1/option_ids/1",
    "/properties/Two",
    "/properties/",
    "/properties/Two",
    "/properties/N2",
    "/properties/Rel/relation/database_id",
    "/properties/Sum/rollup/relation_property_name",
    "/properties/Sum/rollup/rollup_property_name",
    "/properties/Sum/rollup/function",
    "/properties/Sum2/rollup/relation_property_name",
    "/properties/a~1b/formula/expression",
  ]);
});

Deno.test("newDatabaseSteps() requires a title property", () => {
  const world = createWorld();
  const [issue] = issuesOf(() => world.create({ A: { number: {} } }));
  assertEquals(issue?.pointer, "/properties");
});

Deno.test("newDatabaseSteps() rejects a schema over 50 kB and more than 500 properties", () => {
  const world = createWorld();
  const options = (from: number) =>
    Array.from({ length: 220 }, (_, index) => ({ name: `option ${from + index}` }));
  const choices = {
    A: { select: { options: options(0) } },
    B: { select: { options: options(0) } },
  };
  world.create({ ...NAME, A: choices.A });
  assertEquals(pointersOf(() => world.create({ ...NAME, ...choices, C: choices.A })), [
    "/properties",
  ]);
  const many = Object.fromEntries(
    Array.from({ length: 501 }, (_, index) => [`p${index}`, { date: {} }]),
  );
  assertEquals(pointersOf(() => world.create({ ...NAME, ...many })), ["/properties"]);
});

/** Bodies that the schema rejects, and the pointers of the issues. */
const REFUSED: readonly (readonly [properties: unknown, path: string])[] = [
  [{ A: {} }, "A"],
  [{ A: null }, "A"],
  [{ A: { nope: {} } }, "A"],
  [{ A: { number: { format: "groats" } } }, "A.number.format"],
  [{ A: { number: {}, select: {} } }, "A.select"],
  [{ A: { type: "select", number: {} } }, "A.type"],
  [{ A: { date: { format: "x" } } }, "A.date.format"],
  [{ A: { select: { options: [{ name: "a,b" }] } } }, "A.select.options.0.name"],
  [{ A: { select: { options: [{ name: "" }] } } }, "A.select.options.0.name"],
  [{ A: { select: { options: [{ name: "x".repeat(101) }] } } }, "A.select.options.0.name"],
  [
    { A: { select: { options: [{ name: "a", color: "red_background" }] } } },
    "A.select.options.0.color",
  ],
  [{ A: { status: { options: [] } } }, "A.status.options"],
  [{ A: { status: { groups: [{}, {}] } } }, "A.status.groups"],
  [{ A: { rollup: { function: "mean" } } }, "A.rollup.function"],
  [{ A: { relation: { database_id: "x", single_property: {} } } }, "A.relation.database_id"],
  [{ A: { relation: { database_id: "0".repeat(32) } } }, "A.relation"],
  [{ A: { unique_id: { prefix: "" } } }, "A.unique_id.prefix"],
  [{ A: { number: {}, description: "x".repeat(281) } }, "A.description"],
  [{ A: { number: {}, name: "" } }, "A.name"],
];

Deno.test("the schema of properties rejects invalid configurations with a pointer", () => {
  for (const [properties, path] of REFUSED) {
    const body = { parent: { workspace: true }, properties };
    const { issues = [] } = v.safeParse(databaseCreateInput, body);
    const paths = issues.map(({ path }) => path?.slice(1).map(({ key }) => key).join("."));
    assert(paths.includes(path), `${JSON.stringify(properties)}: ${paths}`);
  }
});

Deno.test("the parent of a database is a page or the workspace", () => {
  const parents = [
    { database_id: "0".repeat(32) },
    { type: "database_id", database_id: "0".repeat(32) },
    {},
  ];
  for (const parent of parents) {
    const { issues = [] } = v.safeParse(databaseCreateInput, { parent, properties: NAME });
    assertEquals(issues.map(({ path }) => path?.map(({ key }) => key)), [["parent"]]);
  }
  v.parse(databaseCreateInput, { parent: { page_id: "0".repeat(32) }, properties: NAME });
});
