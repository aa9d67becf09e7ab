/**
 * The reply to a write shows what a read answers after it, with the same ETag.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { namedRows, newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { text } from "./driver.ts";

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
