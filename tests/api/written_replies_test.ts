/**
 * The reply to a write shows what a read answers after it, with the same ETag.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { type Pick, random } from "../support/random.ts";
import { namedRows, newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { newPage, succeed, text } from "./driver.ts";

/** Writes, compares the reply with a read of the object, and returns it. */
async function written(app: TestApp, route: string, body: object): Promise<Answer["json"]> {
  const answer = await app.call(route, { body });
  assertEquals(answer.status, 200, `${route}: ${answer.text}`);
  await assertRead(app, answer, `${route} ${JSON.stringify(body)}`);
  return answer.json;
}

async function assertRead(app: TestApp, answer: Answer, told: string): Promise<void> {
  const { object, id } = answer.json;
  const read = await app.call(`GET /v2/${object}s/${id}`);
  assertEquals(answer.json, read.json, told);
  assertEquals(answer.headers.get("etag"), read.headers.get("etag"), told);
}

Deno.test("a database that is related to another one for the first time is answered as it is read", () =>
  withApp(async (app) => {
    const other = await newDatabase(app, { Count: { number: {} } });
    const { id } = await newDatabase(app);
    const { properties } = await written(app, `PATCH /v2/databases/${id}`, {
      properties: {
        Other: { relation: { database_id: other.id, dual_property: {} } },
        Sum: {
          rollup: {
            relation_property_name: "Other",
            rollup_property_name: "Count",
            function: "sum",
          },
        },
      },
    });
    assertEquals(
      properties.Other.relation.dual_property.synced_property_name,
      "Related to Things (Other)",
    );
    assertEquals(properties.Sum.rollup.rollup_property_name, "Count");
    const own = { relation: { database_id: id, dual_property: {} } };
    await written(app, `PATCH /v2/databases/${id}`, { title: text("x"), properties: { Own: own } });
    await written(app, `PATCH /v2/databases/${id}`, { properties: { Other: null, Own: null } });
  }));

Deno.test("a formula is answered without names of a database that is related no longer", () =>
  withApp(async (app) => {
    const { id: other } = await newDatabase(app);
    const { id } = await newDatabase(app, {
      Other: { relation: { database_id: other, single_property: {} } },
      Names: { formula: { expression: 'prop("Other").map(current.prop("Name")).join(" ")' } },
    });
    const own = { relation: { database_id: id, single_property: {} } };
    await written(app, `PATCH /v2/databases/${id}`, { properties: { Other: own } });
  }));

Deno.test("a row that is trashed or restored with rows that it is linked to is answered as it is read", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app);
    const row = await newRow(app, id, { Name: titled("a") });
    const page_id = await newPage(app, { parent: { page_id: row.id } });
    const inner = await succeed(app, "POST /v2/databases", {
      body: { parent: { page_id }, title: [], properties: { Name: { title: {} } } },
    });
    await written(app, `PATCH /v2/databases/${id}`, {
      properties: {
        Inner: { relation: { database_id: inner.id, single_property: {} } },
        Own: { relation: { database_id: id, single_property: {} } },
        Count: { formula: { expression: 'prop("Inner").length() + prop("Own").length()' } },
      },
    });
    const other = await newRow(app, inner.id, { Name: titled("b") });
    const Own = linked((await newRow(app, id, { Name: titled("c") })).id);
    const route = `PATCH /v2/pages/${row.id}`;
    await written(app, route, { properties: { Inner: linked(other.id), Own } });
    const trashed = await written(app, route, { in_trash: true });
    assertEquals(trashed.properties.Count.formula.number, 1);
    const restored = await written(app, route, { in_trash: false });
    assertEquals(restored.properties.Count.formula.number, 2);
  }));

Deno.test("an object that mentions itself is answered with its new title", () =>
  withApp(async (app) => {
    const database = await newDatabase(app, { Note: { rich_text: {} } });
    const row = await newRow(app, database.id);
    const page = await newPage(app);
    const mention = (kind: string, id: string) => ({ mention: { [kind]: { id } } });
    const renamed = (kind: string, id: string) => [...text("New "), mention(kind, id)];
    await written(app, `PATCH /v2/pages/${page}`, {
      properties: { title: renamed("page", page) },
    });
    await written(app, `PATCH /v2/pages/${row.id}`, {
      properties: { Name: titled("x".repeat(600)), Note: renamed("page", row.id) },
    });
    await written(app, `PATCH /v2/databases/${database.id}`, {
      title: renamed("database", database.id),
      description: renamed("database", database.id),
    });
  }));

/** Two databases and the names of the properties with which a dual relation shows its two sides. */
async function twoSides(app: TestApp): Promise<
  { readonly from: string; readonly to: string; readonly mirror: string }
> {
  const to = await newDatabase(app);
  const from = await newDatabase(app, {
    Out: { relation: { database_id: to.id, dual_property: {} } },
  });
  const mirror = from.properties.Out.relation.dual_property.synced_property_name;
  return { from: from.id, to: to.id, mirror };
}

const linked = (...ids: readonly string[]) => ({ relation: ids.map((id) => ({ id })) });

Deno.test("links that are written on the second side of a relation are answered as they are read", () =>
  withApp(async (app) => {
    const { from, to, mirror } = await twoSides(app);
    const { a = "", b = "", c = "" } = await namedRows(app, from, { a: {}, b: {}, c: {} });
    const [first = "", second = "", third = ""] = [a, b, c].toSorted();
    const properties = { [mirror]: linked(third, first, second) };
    const row = await written(app, "POST /v2/pages", { parent: { database_id: to }, properties });
    assertEquals(valuesOf(row)[mirror], linked(first, second, third).relation);
    await written(app, `PATCH /v2/pages/${row.id}`, {
      properties: { [mirror]: linked(second, first) },
    });
    const own = { Out: linked((await newRow(app, to)).id, row.id) };
    await written(app, `PATCH /v2/pages/${third}`, { properties: own });
  }));

Deno.test("values that are computed along a relation and back show the links that are written", () =>
  withApp(async (app) => {
    const { from, to, mirror } = await twoSides(app);
    const back = {
      Others: { formula: { expression: `prop("${mirror}").map(current.prop("Name")).join(" ")` } },
    };
    await written(app, `PATCH /v2/databases/${to}`, { properties: back });
    const rollup = (rollup_property_name: string) => ({
      rollup: {
        relation_property_name: "Out",
        rollup_property_name,
        function: "show_original",
      },
    });
    await written(app, `PATCH /v2/databases/${from}`, {
      properties: { Mine: rollup(mirror), Names: rollup("Others") },
    });
    const target = await newRow(app, to);
    const row = await written(app, "POST /v2/pages", {
      parent: { database_id: from },
      properties: { Name: titled("a"), Out: linked(target.id) },
    });
    assertEquals(row.properties.Names.rollup.array[0].formula.string, "a");
    await written(app, `PATCH /v2/pages/${row.id}`, { properties: { Name: titled("b") } });
    await written(app, `PATCH /v2/pages/${row.id}`, { properties: { Name: titled("") } });
    await written(app, `PATCH /v2/pages/${row.id}`, { properties: { Out: linked() } });
  }));

/** A database that is related to itself, and the name of the other side. */
async function selfRelated(app: TestApp): Promise<{ readonly id: string; readonly other: string }> {
  const { id } = await newDatabase(app);
  const { properties } = await written(app, `PATCH /v2/databases/${id}`, {
    properties: { Out: { relation: { database_id: id, dual_property: {} } } },
  });
  return { id, other: properties.Out.relation.dual_property.synced_property_name };
}

Deno.test("a row that is linked to itself shows that on both sides, unless it is in the trash", () =>
  withApp(async (app) => {
    const { id, other } = await selfRelated(app);
    const row = await newRow(app, id);
    const shown = async (body: object) => {
      const values = valuesOf(await written(app, `PATCH /v2/pages/${row.id}`, body));
      return [values.Out, values[other]];
    };
    const itself = linked(row.id).relation;
    assertEquals(await shown({ properties: { Out: linked(row.id) } }), [itself, itself]);
    assertEquals(await shown({ in_trash: true }), [[], []]);
    assertEquals(await shown({ in_trash: false }), [itself, itself]);
    assertEquals(await shown({ properties: { [other]: linked() } }), [[], []]);
    assertEquals(await shown({ properties: { [other]: linked(row.id) } }), [itself, itself]);
    await app.call(`DELETE /v2/pages/${row.id}`);
    const restored = { in_trash: false, properties: { Name: titled("again") } };
    assertEquals(await shown(restored), [itself, itself]);
  }));

Deno.test("a value that is cleared is gone from the rollups of its own row", () =>
  withApp(async (app) => {
    const { id } = await selfRelated(app);
    const Counts = {
      rollup: {
        relation_property_name: "Out",
        rollup_property_name: "Count",
        function: "show_original",
      },
    };
    for (const properties of [{ Count: { number: {} } }, { Counts }]) {
      await written(app, `PATCH /v2/databases/${id}`, { properties });
    }
    const row = await newRow(app, id, { Count: { number: 5 } });
    const counts = async (properties: object) => {
      const page = await written(app, `PATCH /v2/pages/${row.id}`, { properties });
      return page.properties.Counts.rollup.array.map((one: Answer["json"]) => one.number);
    };
    assertEquals(await counts({ Out: linked(row.id) }), [5]);
    assertEquals(await counts({ Count: { number: null } }), [null]);
  }));

Deno.test("both sides of a relation are written at once if they agree on the row itself", () =>
  withApp(async (app) => {
    const { id, other } = await selfRelated(app);
    const { a = "", b = "", c = "" } = await namedRows(app, id, { a: {}, b: {}, c: {} });
    const route = `PATCH /v2/pages/${a}`;
    for (
      const [out, back] of [[[a, b], [a, c]], [[b], [c]], [[], [a, b]], [[c, a], [b]]] as const
    ) {
      const properties = { [other]: linked(...back), Out: linked(...out) };
      if (out.some((one) => one === a) === back.some((one) => one === a)) {
        const row = await written(app, route, { properties });
        assertEquals(valuesOf(row).Out, linked(...out).relation);
        assertEquals(valuesOf(row)[other], linked(...back.toSorted()).relation);
      } else {
        const answer = await app.call(route, { body: { properties } });
        assertEquals(answer.status, 400);
        assertEquals(answer.json.errors, [{
          pointer: `/properties/${other}/relation`,
          detail: `\`${other}\` and \`Out\` are two sides of one relation: both must name the ` +
            "row itself, or neither.",
        }]);
      }
    }
  }));

const NAMES = ["A", "B", "C", "D"];
const FUNCTIONS = ["show_original", "count", "show_unique", "empty"];

interface State {
  readonly app: TestApp;
  readonly pick: Pick;
  /** Databases with the IDs of their rows. */
  readonly rows: Map<string, string[]>;
  /** Number of writes that were answered with 200. */
  written: number;
}

function one<T>({ pick }: State, all: Iterable<T>): T {
  const items = [...all];
  return items[pick(items.length)] as T;
}

/** A property that the schema allows, or not. */
function anyProperty(state: State): object | null {
  const database_id = one(state, state.rows.keys());
  const [name, other] = [one(state, NAMES), one(state, ["Name", ...NAMES])];
  const expressions = [
    `prop("${name}").map(current.prop("${other}")).length()`,
    `prop("${name}").map(current.prop("Name")).join("+")`,
    `format(prop("${name}")) + prop("Name")`,
  ];
  const rollup = {
    relation_property_name: name,
    rollup_property_name: other,
    function: one(state, FUNCTIONS),
  };
  return one(state, [
    { number: {} },
    { relation: { database_id, dual_property: { synced_property_name: name } } },
    { relation: { database_id, dual_property: {} } },
    { relation: { database_id, single_property: {} } },
    { rollup },
    { rollup },
    { formula: { expression: one(state, expressions) } },
    null,
  ]);
}

/** Writes if the service allows that, and compares the reply with a read. */
async function attempt(state: State, route: string, body?: object): Promise<Answer["json"]> {
  const { app } = state;
  const answer = await app.call(route, { ...(body && { body }) });
  if (answer.status === 400) return undefined;
  const told = `${route} ${JSON.stringify(body)}`;
  assertEquals(answer.status, 200, `${told}: ${answer.text}`);
  await assertRead(app, answer, told);
  state.written += 1;
  return answer.json;
}

async function changeSchema(state: State): Promise<void> {
  const name = one(state, NAMES);
  const properties = { [name]: anyProperty(state), [one(state, NAMES)]: anyProperty(state) };
  await attempt(state, `PATCH /v2/databases/${one(state, state.rows.keys())}`, { properties });
}

/** Values of some properties that can be written. */
async function anyValues(state: State, id: string): Promise<Record<string, object>> {
  const { properties } = await succeed(state.app, `GET /v2/databases/${id}`);
  const values: Record<string, object> = {};
  for (const [name, { type, relation }] of Object.entries<Answer["json"]>(properties)) {
    if (state.pick(2) === 0) continue;
    if (type === "title") values[name] = titled(one(state, ["", "x", "y"]));
    if (type === "number") values[name] = { number: one(state, [null, 1, 2]) };
    if (type !== "relation") continue;
    const rows = state.rows.get(relation.database_id) ?? [];
    const ids = rows.filter(() => state.pick(2) === 0).slice(0, 4);
    values[name] = linked(...(state.pick(2) === 0 ? ids : ids.toReversed()));
  }
  return values;
}

async function addRow(state: State): Promise<void> {
  const database_id = one(state, state.rows.keys());
  const properties = await anyValues(state, database_id);
  const row = await attempt(state, "POST /v2/pages", { parent: { database_id }, properties });
  if (row !== undefined) state.rows.get(database_id)?.push(row.id);
}

async function changeRow(state: State): Promise<void> {
  const [id, rows] = one(state, state.rows);
  if (rows.length === 0) return;
  const properties = await anyValues(state, id);
  const in_trash = one(state, [undefined, undefined, true, false]);
  const body = { properties, ...(in_trash !== undefined && { in_trash }) };
  await attempt(state, `PATCH /v2/pages/${one(state, rows)}`, body);
}

async function trashOrRestore(state: State): Promise<void> {
  const [, rows] = one(state, state.rows);
  if (rows.length === 0) return;
  const route = `/v2/pages/${one(state, rows)}`;
  if (state.pick(3) === 0) await attempt(state, `DELETE ${route}`);
  else await attempt(state, `PATCH ${route}`, { in_trash: state.pick(3) === 0 });
}

const STEPS = [changeSchema, changeSchema, addRow, changeRow, changeRow, changeRow, trashOrRestore];

Deno.test("random writes of related rows are answered as they are read", () =>
  withApp(async (app) => {
    for (const seed of [1, 2, 3]) {
      const databases = [await newDatabase(app), await newDatabase(app)];
      const rows = new Map(databases.map(({ id }): [string, string[]] => [id, []]));
      const state: State = { app, pick: random(seed), rows, written: 0 };
      for (let count = 0; count < 8; count++) await changeSchema(state);
      for (let count = 0; count < 4; count++) await addRow(state);
      for (let count = 0; count < 60; count++) await one(state, STEPS)(state);
      assert(state.written > 30, `${state.written} writes`);
    }
  }));
