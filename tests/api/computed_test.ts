import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { newDatabase, newRow, query, titled, valuesOf } from "./database_driver.ts";
import { succeed } from "./driver.ts";

const formula = (expression: string) => ({ formula: { expression } });

Deno.test("a formula reads another formula's list as a list, although its result is text", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, {
      Tags: { multi_select: {} },
      Shouted: formula('prop("Tags").map(upper(current))'),
      First: formula('prop("Shouted").first()'),
    });
    const row = await newRow(app, id, {
      Tags: { multi_select: [{ name: "a" }, { name: "b" }] },
    });
    const { Shouted, First } = valuesOf(await succeed(app, `GET /v2/pages/${row.id}`));
    assertEquals(Shouted, { type: "string", string: "A, B" });
    assertEquals(First, { type: "string", string: "A" });
  }));

Deno.test("a formula reads rows two relations away, through a database that computes nothing", () =>
  withApp(async (app) => {
    const c = await newDatabase(app, { Cost: { number: {} } });
    const b = await newDatabase(app, {
      C: { relation: { database_id: c.id, single_property: {} } },
    });
    const a = await newDatabase(app, {
      B: { relation: { database_id: b.id, single_property: {} } },
      Costs: formula(
        'prop("B").map(current.prop("C").map(current.prop("Cost")).sum()).sum()',
      ),
    });
    const c1 = await newRow(app, c.id, { Cost: { number: 3 } });
    const c2 = await newRow(app, c.id, { Cost: { number: 4 } });
    const b1 = await newRow(app, b.id, { C: { relation: [{ id: c1.id }, { id: c2.id }] } });
    const b2 = await newRow(app, b.id, { C: { relation: [{ id: c2.id }] } });
    const row = await newRow(app, a.id, { B: { relation: [{ id: b1.id }, { id: b2.id }] } });
    assertEquals(valuesOf(row).Costs, { type: "number", number: 11 });
    const read = await succeed(app, `GET /v2/pages/${row.id}`);
    assertEquals(valuesOf(read).Costs, { type: "number", number: 11 });
  }));

Deno.test("a rollup of a formula with a list collects the text of its result", () =>
  withApp(async (app) => {
    const things = await newDatabase(app, {
      Tags: { multi_select: {} },
      List: formula('prop("Tags")'),
    });
    const boxes = await newDatabase(app, {
      Things: { relation: { database_id: things.id, single_property: {} } },
      Lists: {
        rollup: {
          relation_property_name: "Things",
          rollup_property_name: "List",
          function: "show_original",
        },
      },
      Joined: formula('prop("Lists").join(" / ")'),
    });
    const thing = await newRow(app, things.id, {
      Tags: { multi_select: [{ name: "x" }, { name: "y" }] },
    });
    const box = await newRow(app, boxes.id, {
      Name: titled("box"),
      Things: { relation: [{ id: thing.id }] },
    });
    assertEquals(valuesOf(box).Joined, { type: "string", string: "x, y" });
    const filter = {
      property: "Lists",
      rollup: { any: { rich_text: { contains: "X, Y" } } },
    };
    assertEquals(await query(app, boxes.id, { filter }), ["box"]);
  }));

Deno.test("rows are ordered by titles of related rows and by names of people", () =>
  withApp(async (app) => {
    const others = await newDatabase(app);
    const { id } = await newDatabase(app, {
      Other: { relation: { database_id: others.id, single_property: {} } },
      Who: { people: {} },
    });
    const a = await newRow(app, others.id, { Name: titled("a") });
    const b = await newRow(app, others.id, { Name: titled("b") });
    const zoe = await app.mint({ sub: "zoe", name: "Zoe" });
    const adam = await app.mint({ sub: "adam", name: "Adam" });
    const [{ id: zoeId }, { id: adamId }] = await Promise.all(
      [zoe, adam].map((token) => succeed(app, "GET /v2/users/me", { token })),
    );
    await newRow(app, id, {
      Name: titled("to b, Adam"),
      Other: { relation: [{ id: b.id }] },
      Who: { people: [{ id: adamId }] },
    });
    await newRow(app, id, {
      Name: titled("to a, Zoe"),
      Other: { relation: [{ id: a.id }] },
      Who: { people: [{ id: zoeId }] },
    });
    await newRow(app, id, { Name: titled("none") });
    const order = (property: string, direction: string) =>
      query(app, id, { sorts: [{ property, direction }] }, 1);
    assertEquals(await order("Other", "ascending"), ["to a, Zoe", "to b, Adam", "none"]);
    assertEquals(await order("Other", "descending"), ["to b, Adam", "to a, Zoe", "none"]);
    assertEquals(await order("Who", "ascending"), ["to b, Adam", "to a, Zoe", "none"]);
  }));

Deno.test("a row that is read on two ways gives each the value that it needs", () =>
  withApp(async (app) => {
    const c = await newDatabase(app, { Age: { number: {} }, Score: { number: {} } });
    const toC = { relation: { database_id: c.id, single_property: {} } };
    const b = await newDatabase(app, {
      C: toC,
      Score: formula('prop("C").map(current.prop("Score")).sum()'),
    });
    const sumOf = (relation_property_name: string, rollup_property_name: string) => ({
      rollup: { relation_property_name, rollup_property_name, function: "sum" },
    });
    const a = await newDatabase(app, {
      C: toC,
      B: { relation: { database_id: b.id, single_property: {} } },
      Age: sumOf("C", "Age"),
      Score: sumOf("B", "Score"),
    });
    const inC = await newRow(app, c.id, { Age: { number: 7 }, Score: { number: 5 } });
    const C = { relation: [{ id: inC.id }] };
    const inB = await newRow(app, b.id, { C });
    const row = await newRow(app, a.id, { C, B: { relation: [{ id: inB.id }] } });
    const { Age, Score } = valuesOf(await succeed(app, `GET /v2/pages/${row.id}`));
    assertEquals(Age, { type: "number", number: 7, function: "sum" });
    assertEquals(Score, { type: "number", number: 5, function: "sum" });
  }));
