/**
 * Formulas whose values are materialized: sorts and filters by them give what computing every value gives,
 * whatever is written in the meantime.
 *
 * @module
 */
import { parseDatabaseDoc } from "../../src/content/schema/database.ts";
import { createDatabaseCache } from "../../src/api/shared/database_cache.ts";
import { createMaterializer } from "../../src/api/shared/materializer.ts";
import { materializedId } from "../../src/content/databases/materialized_formulas.ts";
import { ALWAYS_DURABLE } from "../../src/shared/durable.ts";
import { EMPTY } from "../../src/content/schema/cells.ts";
import type { Change } from "../../src/content/schema/node.ts";
import { assert, assertEquals } from "../assert.ts";
import type { Store } from "../../src/store/port.ts";
import { openStore, SEEDS } from "../support/stores.ts";
import { type TestApp, type TestAppOptions, withApp } from "../support/app.ts";
import { type Pick, random } from "../support/random.ts";
import { newDatabase, newRow, query, titled } from "./database_driver.ts";
import { succeed, text } from "./driver.ts";

const WORKSPACE = "default";
const SMALL: TestAppOptions = { materializing: { from: 1, slice: 2 } };
const formula = (expression: string) => ({ formula: { expression } });
/** The same value, but for the compiler it changes with the clock, so it is computed each time. */
const computed = (expression: string) =>
  formula(`if(timestamp(now()) < 0, ${expression}, ${expression})`);

const EXPRESSIONS = {
  Sum: 'prop("Count") * 2 + length(prop("Note"))',
  Label: 'upper(prop("Note")) + format(prop("Kind"))',
  Flag: 'prop("Count") > 3 and prop("Done")',
  When: 'dateAdd(prop("Due"), 1, "days")',
  Chain: 'prop("Sum") + prop("Count")',
};
const NAMES = Object.keys(EXPRESSIONS);

/** A database with each formula, and with its twin that is never materialized. */
async function makeDatabase(app: TestApp): Promise<string> {
  const { id } = await newDatabase(app, {
    Count: { number: {} },
    Note: { rich_text: {} },
    Kind: { select: {} },
    Due: { date: {} },
    Done: { checkbox: {} },
    Other: { number: {} },
    ...Object.fromEntries(
      Object.entries(EXPRESSIONS).flatMap(([name, expression]) => [
        [name, formula(expression)],
        [`${name} now`, computed(expression)],
      ]),
    ),
  });
  return id;
}

/** The states of what is materialized, by name of the property. */
async function materializedIn(app: TestApp, id: string): Promise<Record<string, string>> {
  const node = await app.store.node(WORKSPACE, id);
  assert(node !== undefined);
  const { materialized = [], properties } = parseDatabaseDoc(node.doc);
  return Object.fromEntries(materialized.map(({ propertyId, state }) => [
    properties.find((one) => one.id === propertyId)?.name ?? propertyId,
    state,
  ]));
}

async function idOf(app: TestApp, id: string, name: string): Promise<string> {
  const node = await app.store.node(WORKSPACE, id);
  const { properties } = parseDatabaseDoc(node?.doc ?? "");
  return properties.find((one) => one.name === name)?.id ?? "";
}

async function materializeAll(app: TestApp, id: string): Promise<void> {
  for (const property of NAMES) {
    await query(app, id, { sorts: [{ property, direction: "ascending" }] });
  }
  await app.app.materializer.settled();
}

const FILTERS: Readonly<Record<string, (property: string) => object>> = {
  Sum: (property) => ({ property, formula: { number: { greater_than: 4 } } }),
  Label: (property) => ({ property, formula: { string: { contains: "A" } } }),
  Flag: (property) => ({ property, formula: { checkbox: { equals: false } } }),
  When: (property) => ({ property, formula: { date: { is_not_empty: true } } }),
  Chain: (property) => ({ property, formula: { number: { does_not_equal: 3 } } }),
};

/** Compares a query by a materialized formula with that by its twin, page by page. */
async function compare(app: TestApp, id: string, name: string, direction: string): Promise<void> {
  const ask = (property: string) => {
    const sorts = [{ property, direction }, { property: "Count", direction: "descending" }];
    const filter = FILTERS[name]?.(property);
    return Promise.all([
      query(app, id, { sorts }, 3),
      query(app, id, { sorts, filter }, 2),
      query(app, id, { filter }),
      query(app, id, { sorts, in_trash: true }),
    ]);
  };
  const [materialized, twin] = [await ask(name), await ask(`${name} now`)];
  assertEquals(materialized, twin, `${name} ${direction}`);
}

async function compareAll(app: TestApp, id: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (const direction of ["ascending", "descending"]) await compare(app, id, name, direction);
  }
}

function valuesFrom(pick: Pick): Record<string, unknown> {
  const all = {
    Count: { number: pick(5) === 0 ? null : pick(8) - 2 },
    Note: { rich_text: text(["", "a", "b a", "Ä", "zz".repeat(60)][pick(5)] ?? "") },
    Kind: { select: pick(4) === 0 ? null : { name: `k${pick(4)}` } },
    Due: { date: pick(4) === 0 ? null : { start: `2024-0${1 + pick(9)}-01` } },
    Done: { checkbox: pick(2) === 0 },
  };
  return Object.fromEntries(Object.entries(all).filter(() => pick(3) > 0));
}

interface State {
  readonly app: TestApp;
  readonly id: string;
  readonly pick: Pick;
  readonly living: string[];
  readonly trashed: string[];
  made: number;
}

function one<T>(pick: Pick, all: readonly T[]): T | undefined {
  return all[pick(Math.max(1, all.length))];
}

function insert(state: State): Promise<void> {
  const { app, id, pick, living } = state;
  const Name = titled(`row ${state.made++}`);
  return newRow(app, id, { Name, ...valuesFrom(pick) }).then((row) => void living.push(row.id));
}

async function change({ app, pick, living }: State): Promise<void> {
  const row = one(pick, living);
  if (row === undefined) return;
  await succeed(app, `PATCH /v2/pages/${row}`, { body: { properties: valuesFrom(pick) } });
}

async function trash({ app, pick, living, trashed }: State): Promise<void> {
  const row = one(pick, living);
  if (row === undefined) return;
  await succeed(app, `PATCH /v2/pages/${row}`, { body: { in_trash: true } });
  trashed.push(...living.splice(living.indexOf(row), 1));
}

async function restore({ app, pick, living, trashed }: State): Promise<void> {
  const row = one(pick, trashed);
  if (row === undefined) return;
  await succeed(app, `PATCH /v2/pages/${row}`, { body: { in_trash: false } });
  living.push(...trashed.splice(trashed.indexOf(row), 1));
}

/** Changes of the schema: some drop what is materialized, some do not touch it. */
async function reshape({ app, id, pick }: State): Promise<void> {
  const sum = ['prop("Count") - 1', EXPRESSIONS.Sum, 'length(prop("Note"))'][pick(3)] ?? "";
  const properties = [
    { Sum: formula(sum), "Sum now": computed(sum) },
    { Other: pick(2) === 0 ? { number: {} } : { rich_text: {} } },
    { Kind: { select: { options: [{ name: "k1" }, { name: `m${pick(9)}` }] } } },
    { Note: { description: `note ${pick(100)}` } },
    { Count: { rich_text: {} } },
  ][pick(5)];
  await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
  if (properties?.Count === undefined) return;
  await succeed(app, `PATCH /v2/databases/${id}`, {
    body: { properties: { Count: { number: {} } } },
  });
}

const STEPS = [insert, insert, change, change, change, trash, restore, reshape];

for (const seed of SEEDS) {
  Deno.test(`sorts by materialized formulas are those of computed ones under random writes, seed ${seed}`, () =>
    withApp(async (app) => {
      const id = await makeDatabase(app);
      const state: State = { app, id, pick: random(seed), living: [], trashed: [], made: 0 };
      for (let count = 0; count < 7; count++) await insert(state);
      await materializeAll(app, id);
      for (let round = 0; round < 12; round++) {
        for (let count = state.pick(4); count >= 0; count--) {
          await one(state.pick, STEPS)?.(state);
        }
        // At times while values are being filled or deleted, at times behind that.
        if (state.pick(2) === 0) await app.app.materializer.settled();
        const names = state.pick(3) === 0 ? NAMES : [NAMES[state.pick(NAMES.length)] ?? "Sum"];
        await compareAll(app, id, names);
      }
      await materializeAll(app, id);
      await materializeAll(app, id);
      assertEquals(
        Object.entries(await materializedIn(app, id)).toSorted(),
        NAMES.map((name) => [name, "complete"]).toSorted(),
      );
      await compareAll(app, id, NAMES);
    }, SMALL));
}

Deno.test("a formula is read from its cells once a query computed it for many rows", () =>
  withApp(async (app) => {
    const id = await makeDatabase(app);
    await newRow(app, id, { Name: titled("b"), Count: { number: 2 } });
    const before = await succeed(app, `GET /v2/databases/${id}`);
    const a = await newRow(app, id, { Name: titled("a"), Count: { number: 1 } });
    const sorts = [{ property: "Sum", direction: "ascending" }];
    assertEquals(await query(app, id, { sorts }), ["a", "b"]);
    await app.app.materializer.settled();
    assertEquals(await materializedIn(app, id), { Sum: "complete" });
    // Nobody edited the database.
    assertEquals(await succeed(app, `GET /v2/databases/${id}`), before);
    // What is not in the cells is not seen.
    const rows = [{ id: a.id, version: 1, cell: { ...EMPTY, number: 100 } }];
    const propertyId = materializedId(await idOf(app, id, "Sum"));
    await app.store.commit(WORKSPACE, [{ op: "materialize", databaseId: id, propertyId, rows }]);
    assertEquals(await query(app, id, { sorts }), ["b", "a"]);
  }, { materializing: { from: 2, slice: 2 } }));

Deno.test("a formula is computed each time while few rows need it", () =>
  withApp(async (app) => {
    const id = await makeDatabase(app);
    await newRow(app, id);
    await query(app, id, { sorts: [{ property: "Sum", direction: "ascending" }] });
    await app.app.materializer.settled();
    assertEquals(await materializedIn(app, id), {});
  }, { materializing: { from: 2 } }));

Deno.test("values that depend on more than their row are not materialized", () =>
  withApp(async (app) => {
    const others = await newDatabase(app, { Cost: { number: {} } });
    const { id } = await newDatabase(app, {
      Other: { relation: { database_id: others.id, single_property: {} } },
      Who: { people: {} },
      Files: { files: {} },
      Costs: {
        rollup: {
          relation_property_name: "Other",
          rollup_property_name: "Cost",
          function: "sum",
        },
      },
    });
    const expressions = {
      Clock: "now()",
      Day: 'dateBetween(today(), prop("Made"), "days")',
      Person: 'prop("Who").first().name()',
      Maker: 'prop("Author").name()',
      Editor: 'prop("Edited by").name()',
      Changed: 'prop("Edited")',
      Titles: 'prop("Other").length()',
      Related: 'prop("Other").map(current.prop("Cost")).sum()',
      Rolled: 'prop("Costs") + 1',
      Attached: 'prop("Files").length()',
      Nested: 'prop("Clock")',
    };
    const more = {
      Made: { created_time: {} },
      Author: { created_by: {} },
      Edited: { last_edited_time: {} },
      "Edited by": { last_edited_by: {} },
      ...Object.fromEntries(
        Object.entries(expressions).map(([name, expression]) => [name, formula(expression)]),
      ),
      Own: formula('prop("Made")'),
    };
    await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties: more } });
    await newRow(app, id);
    for (const property of [...Object.keys(expressions), "Costs", "Who", "Own"]) {
      await query(app, id, { sorts: [{ property, direction: "ascending" }] });
    }
    await app.app.materializer.settled();
    assertEquals(await materializedIn(app, id), { Own: "complete" });
  }, SMALL));

Deno.test("a page that becomes a row is sorted by the time of its creation", () => {
  const clock = { days: 0 };
  const now = () => Date.now() + clock.days * 86_400_000;
  return withApp(async (app) => {
    const old = await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: titled("old") },
    });
    const made = 'timestamp(prop("Made"))';
    const { id } = await newDatabase(app, {
      Made: { created_time: {} },
      Age: formula(made),
      "Age now": computed(made),
    });
    await newRow(app, id, { Name: titled("new") });
    const sorts = [{ property: "Age", direction: "ascending" }];
    await query(app, id, { sorts });
    await app.app.materializer.settled();
    assertEquals(await materializedIn(app, id), { Age: "complete" });
    clock.days = 9;
    const token = await app.mint();
    await succeed(app, `POST /v1/pages/${old.id}/move`, {
      token,
      headers: { "notion-version": "2022-06-28" },
      body: { parent: { type: "database_id", database_id: id } },
    });
    clock.days = 0;
    assertEquals(await query(app, id, { sorts }), ["old", "new"]);
    const filter = (property: string) => ({
      property,
      formula: { number: { greater_than: now() + 86_400_000 } },
    });
    assertEquals(await query(app, id, { filter: filter("Age") }), []);
    assertEquals(await query(app, id, { filter: filter("Age now") }), []);
  }, { ...SMALL, now });
});

Deno.test("a query goes on by computing if its formula is dropped and swept meanwhile", async () => {
  const store = await openStore(":memory:");
  let meanwhile: (() => Promise<void>) | undefined;
  const listRows: Store["listRows"] = async (...args) => {
    const edit = meanwhile;
    meanwhile = undefined;
    await edit?.();
    return await (store.early?.reading.listRows ?? store.listRows)(...args);
  };
  const { early } = store;
  const slow: Store = {
    ...store,
    listRows,
    ...(early && { early: { ...early, reading: { ...early.reading, listRows } } }),
  };
  await withApp(async (app) => {
    const id = await makeDatabase(app);
    for (const [name, count] of [["c", 3], ["a", 1], ["b", 2]] as const) {
      await newRow(app, id, { Name: titled(name), Count: { number: count } });
    }
    const sorts = [{ property: "Sum", direction: "ascending" }];
    await query(app, id, { sorts });
    await app.app.materializer.settled();
    assertEquals(await materializedIn(app, id), { Sum: "complete" });
    meanwhile = async () => {
      const properties = { Sum: computed('prop("Count")') };
      await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
      await query(app, id);
      await app.app.materializer.settled();
      assertEquals(await materializedIn(app, id), {});
    };
    assertEquals(await query(app, id, { sorts }), ["a", "b", "c"]);
    assertEquals(meanwhile, undefined);
  }, { ...SMALL, store: slow });
});

interface DirectOptions {
  readonly owner?: string;
  readonly slice: number;
  readonly now?: number;
  /** Number of commits behind which it is stopped. */
  readonly stopsAfter?: number;
}

/** Materializes the formula `Sum` by itself; returns what it committed. */
async function materializeSum(
  { store, ...app }: TestApp,
  id: string,
  { owner = "a", slice, now = 0, stopsAfter = Infinity }: DirectOptions,
): Promise<readonly (readonly Change[])[]> {
  const commits: (readonly Change[])[] = [];
  const materializer = createMaterializer({
    store,
    databases: createDatabaseCache(store),
    commits: {
      state: ALWAYS_DURABLE,
      async apply(workspace, changes) {
        commits.push(changes);
        if (commits.length >= stopsAfter) void materializer.stop();
        return { outcome: await store.commit(workspace, changes), durable: undefined };
      },
    },
    slice,
    release: "1",
    now: () => now,
    newId: () => owner,
    onFailure: (error) => {
      throw error;
    },
  });
  materializer.materialize(WORKSPACE, id, [await idOf({ store, ...app }, id, "Sum")]);
  await materializer.settled();
  return commits;
}

/** Numbers of the rows that each commit wrote. */
function slicesOf(commits: readonly (readonly Change[])[]): number[] {
  return commits.flatMap((changes) =>
    changes.flatMap((change) => change.op === "materialize" ? [change.rows.length] : [])
  );
}

Deno.test("a slice writes no more rows than it may, and the next process goes on behind it", () =>
  withApp(async (app) => {
    const id = await makeDatabase(app);
    for (let count = 0; count < 7; count++) await newRow(app, id);
    assertEquals(slicesOf(await materializeSum(app, id, { slice: 3, stopsAfter: 2 })), [3]);
    assertEquals(await materializedIn(app, id), { Sum: "filling" });
    assertEquals(slicesOf(await materializeSum(app, id, { slice: 3 })), [3, 3, 1]);
    assertEquals(await materializedIn(app, id), { Sum: "complete" });
  }));

Deno.test("one process fills the cells of a formula until its lease ends", () =>
  withApp(async (app) => {
    const id = await makeDatabase(app);
    for (let count = 0; count < 4; count++) await newRow(app, id);
    await materializeSum(app, id, { slice: 2, stopsAfter: 1 });
    const other = { owner: "b", slice: 2 };
    assertEquals(await materializeSum(app, id, other), []);
    assertEquals(slicesOf(await materializeSum(app, id, { ...other, now: 120_000 })), [2, 2]);
    assertEquals(await materializedIn(app, id), { Sum: "complete" });
  }));

Deno.test("workspaces take turns, and each has one formula at a time", () =>
  withApp(async (app) => {
    const id = await makeDatabase(app);
    const [sum, label] = [await idOf(app, id, "Sum"), await idOf(app, id, "Label")];
    const found = createDatabaseCache(app.store);
    const tried: string[] = [];
    const materializer = createMaterializer({
      store: app.store,
      databases: { ...found, find: () => found.find(WORKSPACE, id) },
      commits: {
        state: ALWAYS_DURABLE,
        apply(workspace) {
          tried.push(workspace);
          return Promise.resolve({ outcome: "conflict", durable: undefined });
        },
      },
      release: "1",
      now: () => 0,
      newId: () => "a",
      onFailure: (error) => {
        throw error;
      },
    });
    materializer.materialize("one", id, [sum, label]);
    materializer.materialize("other", id, [sum]);
    await materializer.settled();
    const turns = tried.length / 3;
    assert(turns > 1);
    assertEquals(tried.slice(0, 2 * turns), Array(turns).fill(["one", "other"]).flat());
    assertEquals(tried.slice(2 * turns), Array(turns).fill("one"));
  }));
