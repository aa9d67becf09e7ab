import { addOptions } from "../../../src/content/properties/given.ts";
import { assertEquals } from "../../assert.ts";
import { createWorld, issuesOf, NAME, pointersOf, typed, type World } from "./helpers.ts";

function choices(world: World, id: string, name = "A"): readonly (readonly string[])[] {
  return typed(world, id, { name, type: "select" }).options.map((option) => [
    option.id,
    option.name,
    option.color,
  ]);
}

Deno.test("editDatabaseSteps() finds a property by name or id, and prefers ids", () => {
  const world = createWorld();
  const id = world.create({ Name: { title: {} }, title: { number: {} }, B: { date: {} } });
  const { id: dateId } = world.property(id, "B");
  world.patch(id, { title: { name: "Heading" }, [dateId]: { name: "When" } });
  assertEquals(world.properties(id).map(({ name }) => name), ["Heading", "title", "When"]);
  const { id: numberId } = world.property(id, "title");
  world.patch(id, { title: { id: numberId, name: "Count" } });
  assertEquals(world.properties(id).map(({ name }) => name), ["Heading", "Count", "When"]);
});

Deno.test("editDatabaseSteps() renames, describes, changes types, adds and deletes", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, A: { number: {} }, B: { number: {} }, C: { date: {} } });
  const { id: kept } = world.property(id, "A");
  world.patch(id, {
    A: { name: "Alpha", description: "first", type: "number", number: { format: "euro" } },
    B: { url: {}, name: "Bravo" },
    C: null,
    D: { select: {}, description: "new" },
  });
  assertEquals(
    world.properties(id).map(({ name, type, description }) => [name, type, description]),
    [
      ["Name", "title", null],
      ["Alpha", "number", "first"],
      ["Bravo", "url", null],
      ["D", "select", "new"],
    ],
  );
  assertEquals(typed(world, id, { name: "Alpha", type: "number" }).id, kept);
  world.patch(id, { Alpha: { description: null } });
  const alpha = typed(world, id, { name: "Alpha", type: "number" });
  assertEquals([alpha.format, alpha.description], ["euro", null]);
});

Deno.test("editDatabaseSteps() keeps the members that a configuration leaves out", () => {
  const world = createWorld();
  const id = world.create({
    ...NAME,
    A: { select: { options: [{ name: "a" }] } },
    N: { number: { format: "yen" } },
    U: { unique_id: { prefix: "U" } },
    F: { formula: { expression: "1 + 1" } },
    S: { status: {} },
  });
  const before = world.properties(id);
  world.patch(id, {
    A: { select: {} },
    N: { number: {} },
    U: { unique_id: {} },
    F: { formula: {} },
    S: { status: {} },
  });
  assertEquals(world.properties(id), before);
});

Deno.test("names can be swapped in one request", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, A: { number: {} }, B: { date: {} } });
  world.patch(id, { A: { name: "B" }, B: { name: "A" } });
  assertEquals([world.property(id, "A").type, world.property(id, "B").type], ["date", "number"]);
});

Deno.test("options keep their id, name and colour when their list is edited", () => {
  const world = createWorld();
  const options = [{ name: "x", color: "red" }, { name: "y" }, { name: "z" }];
  const id = world.create({ ...NAME, A: { select: { options } } });
  const [x = [], y = [], z = []] = choices(world, id);
  world.patch(id, {
    A: { select: { options: [{ id: z[0] }, { name: "new" }, { name: "x", description: "ten" }] } },
  });
  const [first, second, third] = choices(world, id);
  assertEquals([first, second?.slice(1), third], [z, ["new", "default"], x]);
  const [, , described] = typed(world, id, { name: "A", type: "select" }).options;
  assertEquals(described?.description, "ten");
  assertEquals(choices(world, id).some(([option]) => option === y[0]), false);
});

Deno.test("the name and the colour of an option cannot be changed", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, A: { select: { options: [{ name: "x", color: "red" }] } } });
  const [[x] = []] = choices(world, id);
  const edit = (option: unknown) => () => world.patch(id, { A: { select: { options: [option] } } });
  assertEquals(pointersOf(edit({ id: x, name: "y" })), ["/properties/A/select/options/0/name"]);
  assertEquals(pointersOf(edit({ name: "x", color: "blue" })), [
    "/properties/A/select/options/0/color",
  ]);
  edit({ id: x, name: "x", color: "red" })();
});

Deno.test("options stay when a select becomes a multi-select, a status, and a select again", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, A: { select: { options: [{ name: "x" }, { name: "y" }] } } });
  const before = choices(world, id);
  world.patch(id, { A: { multi_select: {} } });
  world.patch(id, { A: { status: {} } });
  const { groups } = typed(world, id, { name: "A", type: "status" });
  assertEquals(groups.map(({ option_ids }) => option_ids), [
    before.map(([of]) => of ?? ""),
    [],
    [],
  ]);
  world.patch(id, { A: { select: {} } });
  assertEquals(choices(world, id), before);
});

Deno.test("a status keeps its groups; their names, colours and options can change", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, S: { status: {} } });
  const before = typed(world, id, { name: "S", type: "status" });
  world.patch(id, {
    S: {
      status: {
        options: [{ name: "Done" }, { name: "Later" }, { name: "Not started" }],
        groups: [{ name: "Complete", color: "red" }, { name: "To-do" }, { name: "Doing" }],
      },
    },
  });
  const { groups, options } = typed(world, id, { name: "S", type: "status" });
  const [todo, doing, done] = before.groups;
  assertEquals(groups.map((group) => [group.id, group.name, group.color]), [
    [done?.id, "Complete", "red"],
    [todo?.id, "To-do", "gray"],
    [doing?.id, "Doing", "blue"],
  ]);
  const names = groups.map(({ option_ids }) =>
    option_ids.map((of) => options.find((option) => option.id === of)?.name)
  );
  assertEquals(names, [["Done", "Later"], ["Not started"], []]);
});

Deno.test("editDatabaseSteps() protects the title property and reports all issues at once", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, A: { number: {} }, N: { unique_id: {} } });
  const { id: numberId } = world.property(id, "A");
  const properties = {
    Name: null,
    A: { name: "N" },
    [numberId]: { date: {} },
    T: { title: {} },
    U: { unique_id: {} },
    Gone: null,
    Missing: { name: "x" },
  };
  assertEquals(pointersOf(() => world.patch(id, properties)).toSorted(), [
    "/properties/A",
    "/properties/Gone",
    "/properties/Missing",
    "/properties/Name",
    "/properties/T",
    "/properties/U",
    `/properties/${numberId}`,
  ]);
  const title = issuesOf(() => world.patch(id, { title: { rich_text: {} } }));
  assertEquals(title.map(({ pointer }) => pointer), ["/properties/title/rich_text"]);
  const unknown = issuesOf(() => world.patch(id, { Gone: null }));
  assertEquals(unknown, [{
    pointer: "/properties/Gone",
    detail: "Gone is not a property that exists.",
  }]);
  assertEquals(pointersOf(() => world.patch(id, { A: { title: {} } })), ["/properties/A"]);
});

Deno.test("editDatabaseSteps() can change only the appearance", () => {
  const world = createWorld();
  const id = world.create(NAME, { icon: { emoji: "🦊" }, is_inline: true });
  const before = world.properties(id);
  world.patch(id, {}, { icon: null, description: [{ mention: { page: { id: "0".repeat(32) } } }] });
  const { icon, cover, is_inline } = world.read(id);
  assertEquals([icon, cover, is_inline], [null, null, true]);
  assertEquals(world.node(id).hasMentions, true);
  assertEquals(world.properties(id), before);
  assertEquals(world.changes, []);
});

Deno.test("addOptions() appends each name once, in its colour", () => {
  const world = createWorld();
  const id = world.create({
    ...NAME,
    A: { select: { options: [{ name: "x" }] } },
    B: { multi_select: {} },
  });
  const [a, b] = ["A", "B"].map((name) => world.property(id, name).id);
  let count = 0;
  const missing = [
    { propertyId: b ?? "", name: "y", color: undefined },
    { propertyId: a ?? "", name: "x", color: "red" as const },
    { propertyId: a ?? "", name: "z", color: "red" as const },
    { propertyId: a ?? "", name: "z", color: undefined },
  ];
  const schema = addOptions(world.properties(id), missing, () => `new${++count}`);
  const optionsOf = schema.map((property) =>
    "options" in property
      ? property.options.map(({ id: of, name, color }) => [of, name, color])
      : []
  );
  assertEquals(optionsOf.map((options) => options.map(([, name]) => name)), [[], ["x", "z"], [
    "y",
  ]]);
  assertEquals(optionsOf[1]?.[1], ["new1", "z", "red"]);
});
