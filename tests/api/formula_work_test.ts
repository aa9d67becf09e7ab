import { assert, assertEquals } from "../assert.ts";
import { type Answer, withApp } from "../support/app.ts";
import { newDatabase, newRow } from "./database_driver.ts";
import { succeed } from "./driver.ts";

const HEAVY = 'split(repeat("a,", 9000), ",").map(current + "b").filter(current == "ab").length()';
const LONG = 'repeat("a", 100000)';

type Properties = Readonly<Record<string, object>>;

function named(count: number, property: object): Properties {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`P${n}`, property]));
}

function formulas(count: number, expression: string): Properties {
  return named(count, { formula: { expression } });
}

interface Computed {
  readonly type: string;
  readonly number?: number | null;
  readonly string?: string | null;
}

/** The values of a row's formulas and rollups by number. */
function computedIn(row: Answer["json"]): Computed[] {
  return Object.entries<Record<string, Computed>>(row.properties)
    .filter(([name]) => name.startsWith("P"))
    .sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    .flatMap(([, { formula, rollup }]) => formula ?? rollup ?? []);
}

Deno.test("a query computes up to the budget of one reply; further values are missing, and other requests are served meanwhile", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, formulas(60, HEAVY));
    for (let n = 0; n < 5; n++) await newRow(app, id);
    let turns = 0;
    let timer = setTimeout(function turn() {
      turns++;
      timer = setTimeout(turn, 0);
    }, 0);
    const { results } = await succeed(app, `POST /v2/databases/${id}/query`, { body: {} });
    clearTimeout(timer);
    const numbers = results.flatMap(computedIn).map(({ number }: Computed) => number);
    assertEquals(numbers.length, 300);
    assert(numbers.includes(9_000) && numbers.includes(null), JSON.stringify(numbers));
    assert(turns > 50, `${turns} turns`);
    // Another reply has its own budget.
    const one = await succeed(app, `GET /v2/pages/${results[0]?.id}`);
    assertEquals(computedIn(one).at(-1), { type: "number", number: 9_000 });
  }));

Deno.test("a query that would filter by missing values is rejected", () =>
  withApp(async (app) => {
    const properties = formulas(60, HEAVY);
    const { id } = await newDatabase(app, properties);
    for (let n = 0; n < 5; n++) await newRow(app, id);
    const sorts = Object.keys(properties).map((property) => ({ property, direction: "ascending" }));
    const is = sorts.map(({ property }) => ({
      property,
      formula: { number: { is_not_empty: true } },
    }));
    const route = `POST /v2/databases/${id}/query`;
    for (const [pointer, body] of [["/sorts", { sorts }], ["/filter", { filter: { and: is } }]]) {
      const { status, json } = await app.call(route, { body });
      assertEquals([status, json.errors[0].pointer], [400, pointer]);
    }
    await succeed(app, route, {
      body: { sorts: sorts.slice(0, 2), filter: { and: is.slice(0, 2) } },
    });
  }));

Deno.test("long texts of formulas and rollups are returned until the budget of the reply is exhausted", () =>
  withApp(async (app) => {
    const things = await newDatabase(app, formulas(1, LONG));
    const thing = await newRow(app, things.id);
    const shown = {
      rollup: {
        relation_property_name: "Things",
        rollup_property_name: "P0",
        function: "show_original",
      },
    };
    const boxes = await newDatabase(app, {
      Things: { relation: { database_id: things.id, single_property: {} } },
      ...named(220, shown),
    });
    const box = await newRow(app, boxes.id, { Things: { relation: [{ id: thing.id }] } });
    const rollups = computedIn(await succeed(app, `GET /v2/pages/${box.id}`));
    assertEquals(rollups[0]?.type, "array");
    assertEquals(rollups[219]?.type, "unsupported");
    const texts = await newDatabase(app, formulas(220, LONG));
    const shownTexts = computedIn(await newRow(app, texts.id));
    assertEquals(shownTexts[0]?.string?.length, 100_000);
    assertEquals(shownTexts[219]?.string, null);
  }));

/** More rows with texts of 200,000 characters than one reply is computed from. */
const TOO_MANY = 160;

Deno.test("a rollup is unsupported if the values of its rows are too long to hold them all", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Text: { rich_text: {} }, Size: { number: {} } });
    const rollup = (rollup_property_name: string) => ({
      rollup: { relation_property_name: "Rows", rollup_property_name, function: "not_empty" },
    });
    const boxes = await newDatabase(app, {
      Rows: { relation: { database_id: id, dual_property: { synced_property_name: "Box" } } },
      P0: rollup("Text"),
      P1: rollup("Size"),
    });
    const box = await newRow(app, boxes.id);
    const text = Array.from({ length: 100 }, () => ({ text: { content: "x".repeat(2_000) } }));
    for (let n = 0; n < TOO_MANY; n++) {
      await newRow(app, id, {
        Text: { rich_text: text },
        Size: { number: n },
        Box: { relation: [{ id: box.id }] },
      });
    }
    const all = await succeed(app, `GET /v2/pages/${box.id}`);
    assertEquals(computedIn(all).map(({ type }) => type), ["unsupported", "unsupported"]);
    const { id: property } = all.properties.P1;
    const one = await succeed(app, `GET /v2/pages/${box.id}?filter_properties=${property}`);
    assertEquals(computedIn(one)[0]?.number, TOO_MANY);
  }));
