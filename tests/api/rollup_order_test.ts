/**
 * Sorts by rollups: pages that are read group by group are those of computing every row.
 *
 * @module
 */
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { openStore, SEEDS } from "../support/stores.ts";
import { type TestApp, type TestAppOptions, withApp } from "../support/app.ts";
import { type Pick, random } from "../support/random.ts";
import { newDatabase, query, titled } from "./database_driver.ts";
import { succeed } from "./driver.ts";

function one<T>(pick: Pick, all: readonly T[]): T | undefined {
  return all[pick(Math.max(1, all.length))];
}

const rollup = (relation: string, property: string, name: string) => ({
  rollup: { relation_property_name: relation, rollup_property_name: property, function: name },
});

const OF_TASKS = {
  Count: rollup("Project", "Name", "count"),
  Sum: rollup("Project", "Cost", "sum"),
  Most: rollup("Project", "Cost", "max"),
  Mean: rollup("Project", "Cost", "average"),
  Filled: rollup("Project", "Cost", "percent_not_empty"),
  First: rollup("Project", "Due", "earliest_date"),
  Kinds: rollup("Project", "Kind", "show_original"),
  Names: rollup("Project", "Name", "show_unique"),
  Net: rollup("Project", "Net", "sum"),
  Later: rollup("Project", "Later", "checked"),
};
const OF_PROJECTS = {
  Number: rollup("Tasks", "Name", "count"),
  Points: rollup("Tasks", "Points", "sum"),
  Titles: rollup("Tasks", "Name", "show_original"),
};

interface Database {
  readonly id: string;
  readonly living: string[];
  readonly trashed: string[];
  readonly rollups: readonly string[];
  /** A property of the other database's rows. */
  readonly relation: string;
  values(pick: Pick): Record<string, unknown>;
}

interface State {
  readonly app: TestApp;
  readonly pick: Pick;
  readonly tasks: Database;
  readonly projects: Database;
  made: number;
}

async function makeDatabases(app: TestApp, pick: Pick): Promise<State> {
  const projects = await newDatabase(app, {
    Cost: { number: {} },
    Due: { date: {} },
    Kind: { select: { options: [{ name: "z" }, { name: "a" }, { name: "m" }] } },
    Net: { formula: { expression: 'prop("Cost") * 2' } },
    Later: { formula: { expression: 'prop("Due") > now()' } },
  });
  const relation = {
    database_id: projects.id,
    dual_property: { synced_property_name: "Tasks" },
  };
  const tasks = await newDatabase(app, { Points: { number: {} }, Project: { relation } });
  for (const [{ id }, properties] of [[tasks, OF_TASKS], [projects, OF_PROJECTS]] as const) {
    await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
  }
  const state: State = {
    app,
    pick,
    made: 0,
    projects: {
      id: projects.id,
      living: [],
      trashed: [],
      rollups: Object.keys(OF_PROJECTS),
      relation: "Tasks",
      values: () => ({
        Cost: { number: pick(4) === 0 ? null : pick(5) - 1 },
        Due: { date: pick(4) === 0 ? null : { start: `20${20 + 2 * pick(9)}-01-01` } },
        Kind: { select: pick(4) === 0 ? null : { name: one(pick, ["z", "a", "m"]) } },
      }),
    },
    tasks: {
      id: tasks.id,
      living: [],
      trashed: [],
      rollups: Object.keys(OF_TASKS),
      relation: "Project",
      values: () => ({
        Points: { number: pick(3) },
        Project: { relation: related(state) },
      }),
    },
  };
  return state;
}

/** None, one or several projects. */
function related({ pick, projects: { living } }: State): { id: string }[] {
  const count = [0, 1, 1, 1, 2, 3][pick(6)] ?? 0;
  const ids = Array.from({ length: count }, () => one(pick, living)).filter((id) =>
    id !== undefined
  );
  return [...new Set(ids)].map((id) => ({ id }));
}

/** Rows are created by different users. */
async function insert(state: State, { id, values, living }: Database): Promise<void> {
  const { app, pick } = state;
  const token = await app.mint({ sub: `user ${pick(3)}` });
  const properties = { Name: titled(`row ${state.made++}`), ...values(pick) };
  const body = { parent: { database_id: id }, properties };
  living.push((await succeed(app, "POST /v2/pages", { token, body })).id);
}

async function change({ app, pick }: State, { living, values }: Database): Promise<void> {
  const row = one(pick, living);
  if (row === undefined) return;
  await succeed(app, `PATCH /v2/pages/${row}`, { body: { properties: values(pick) } });
}

async function trash({ app, pick }: State, { living, trashed }: Database): Promise<void> {
  const row = one(pick, living);
  if (row === undefined) return;
  await succeed(app, `PATCH /v2/pages/${row}`, { body: { in_trash: true } });
  trashed.push(...living.splice(living.indexOf(row), 1));
}

async function restore({ app, pick }: State, { living, trashed }: Database): Promise<void> {
  const row = one(pick, trashed);
  if (row === undefined) return;
  await succeed(app, `PATCH /v2/pages/${row}`, { body: { in_trash: false } });
  living.push(...trashed.splice(trashed.indexOf(row), 1));
}

const STEPS = [insert, insert, insert, change, change, trash, restore];
const MORE_SORTS = [
  [],
  [{ timestamp: "created_time", direction: "descending" }],
  [{ property: "Name", direction: "ascending" }],
  [{ property: "Points", direction: "descending" }],
];

/** A condition that every row meets, but that is computed, so that every row is. */
function computing({ id, rollups: [property] }: Database, filter: object | undefined): object {
  const always = { property, rollup: { number: { greater_than_or_equal_to: 0 } } };
  assert(id !== "" && property !== undefined);
  return filter === undefined ? always : { and: [always, filter] };
}

async function compare({ app, pick }: State, database: Database, other: Database): Promise<void> {
  const { relation, living, rollups } = database;
  const filters = [
    undefined,
    undefined,
    { property: "Name", title: { contains: "1" } },
    { property: relation, relation: { is_empty: true } },
    { property: relation, relation: { contains: one(pick, other.living) ?? living[0] } },
    { timestamp: "created_time", created_time: { is_not_empty: true } },
  ];
  for (const property of rollups) {
    for (const direction of ["ascending", "descending"]) {
      const more = MORE_SORTS[pick(MORE_SORTS.length)] ?? [];
      const filter = one(pick, filters);
      const body = { sorts: [{ property, direction }, ...more], in_trash: pick(6) === 0 };
      const [size, otherSize] = [2 + pick(4), 50 + pick(50)];
      assertEquals(
        await query(app, database.id, filter === undefined ? body : { ...body, filter }, size),
        await query(app, database.id, { ...body, filter: computing(database, filter) }, otherSize),
        JSON.stringify({ ...body, filter, size }),
      );
    }
  }
}

/** A store that counts how often rows were read group by group. */
async function countingStore(): Promise<{ readonly store: Store; readonly counted: () => number }> {
  const store = await openStore(":memory:");
  let count = 0;
  const { early } = store;
  const severallyLinked: Store["severallyLinked"] = (...args) => {
    count++;
    return (early?.reading.severallyLinked ?? store.severallyLinked)(...args);
  };
  const counting: Store = {
    ...store,
    severallyLinked,
    ...(early && { early: { ...early, reading: { ...early.reading, severallyLinked } } }),
  };
  return { store: counting, counted: () => count };
}

const SMALL: TestAppOptions = { materializing: { from: 1 } };

for (const seed of SEEDS) {
  Deno.test(`sorts by rollups are those of computing every row under random writes, seed ${seed}`, async () => {
    const { store, counted } = await countingStore();
    await withApp(async (app) => {
      const state = await makeDatabases(app, random(seed));
      const both = [state.tasks, state.projects] as const;
      for (let count = 0; count < 5; count++) await insert(state, state.projects);
      for (let count = 0; count < 14; count++) await insert(state, state.tasks);
      for (let round = 0; round < 3; round++) {
        for (let count = 6 + state.pick(4); count > 0; count--) {
          const database = one(state.pick, both) ?? state.tasks;
          await one(state.pick, STEPS)?.(state, database);
        }
        await compare(state, state.tasks, state.projects);
        await compare(state, state.projects, state.tasks);
      }
      assert(counted() > 100, `${counted()} queries were read group by group`);
    }, { ...SMALL, store });
  });
}

Deno.test("rows without links are found by a relation that came after them, seen from both sides", () =>
  withApp(async (app) => {
    const state = await makeDatabases(app, random(6));
    for (let count = 0; count < 4; count++) await insert(state, state.projects);
    for (let count = 0; count < 9; count++) await insert(state, state.tasks);
    const relation = {
      database_id: state.projects.id,
      dual_property: { synced_property_name: "Steps" },
    };
    const later = [
      { ...state.tasks, relation: "Plan", rollups: ["Plans"] },
      { ...state.projects, relation: "Steps", rollups: ["Stepped"] },
    ] as const;
    await succeed(app, `PATCH /v2/databases/${state.tasks.id}`, {
      body: { properties: { Plan: { relation } } },
    });
    for (const { id, relation, rollups: [name = ""] } of later) {
      await succeed(app, `PATCH /v2/databases/${id}`, {
        body: { properties: { [name]: rollup(relation, "Name", "count") } },
      });
    }
    const [tasks, projects] = later;
    for (let round = 0; round < 4; round++) {
      await compare(state, tasks, projects);
      await compare(state, projects, tasks);
      const Plan = { relation: [{ id: one(state.pick, projects.living) }] };
      await insert(state, { ...tasks, values: () => ({ Plan }) });
      await insert(state, { ...projects, values: () => ({}) });
    }
  }, SMALL));

Deno.test("a cursor of computed rows goes on where rows are read group by group", async () => {
  const { store, counted } = await countingStore();
  await withApp(async (app) => {
    const state = await makeDatabases(app, random(9));
    for (let count = 0; count < 3; count++) await insert(state, state.projects);
    for (let count = 0; count < 9; count++) await insert(state, state.tasks);
    const { id } = state.tasks;
    const body = { sorts: [{ property: "Sum", direction: "descending" }], page_size: 4 };
    const before = await query(app, id, body);
    const first = await succeed(app, `POST /v2/databases/${id}/query`, { body });
    assertEquals(counted(), 0);
    await insert(state, state.tasks);
    const next = { ...body, start_cursor: first.next_cursor, page_size: 100 };
    const second = await succeed(app, `POST /v2/databases/${id}/query`, { body: next });
    assertEquals(counted(), 1);
    const all = [...first.results, ...second.results]
      .map(({ properties }) => properties.Name.title[0].plain_text);
    assertEquals(all.filter((name: string) => before.includes(name)), before);
  }, { materializing: { from: 40 }, store });
});

Deno.test("rows with several links come page by page, in order, without those that a filter excludes", () =>
  withApp(async (app) => {
    const state = await makeDatabases(app, random(5));
    for (let count = 0; count < 3; count++) await insert(state, state.projects);
    const pairs = [[0, 1], [2, 1], [0, 2]];
    const idOf = (project: number) => ({ id: state.projects.living[project] });
    for (let count = 0; count < 12; count++) {
      const Project = { relation: pairs[count % 3]?.map(idOf) };
      await insert(state, { ...state.tasks, values: () => ({ Project }) });
    }
    const { id } = state.tasks;
    for (const direction of ["ascending", "descending"]) {
      for (const filter of [undefined, { property: "Name", title: { contains: "1" } }]) {
        const body = { sorts: [{ property: "Count", direction }] };
        const computed = { ...body, filter: computing(state.tasks, filter) };
        assertEquals(
          await query(app, id, filter === undefined ? body : { ...body, filter }, 2),
          await query(app, id, computed, 100),
        );
      }
    }
  }, SMALL));
