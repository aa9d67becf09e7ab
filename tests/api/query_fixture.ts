/**
 * Three rows to query: `a` and `b` have a value of every type, `-` has none.
 *
 * @module
 */
import type { Answer, TestApp } from "../support/app.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { query, titled } from "./database_driver.ts";
import { succeed, text } from "./driver.ts";
import { type EveryType, everyType, tokenOf } from "./every_type.ts";
import { external } from "./value_samples.ts";

/** Noon on a Thursday. */
export const NOW = Date.parse("2026-11-19T12:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Properties whose values are repeated by a formula and a rollup named after them. */
export const REPEATED_BY_FORMULA = ["rich_text", "number", "checkbox", "date"];
const REPEATED_BY_ROLLUP = [
  "Name",
  "rich_text",
  "number",
  "checkbox",
  "select",
  "multi_select",
  "status",
  "date",
  "people",
  "files",
  "relation",
  "unique_id",
  "created_time",
  "created_by",
];

export interface Fixture extends EveryType {
  readonly app: TestApp;
  /** The user who created `-`. */
  readonly self: string;
  /** The rows that a query finds, in order: `"a -"`. */
  find(body: object, pageSize?: number): Promise<string>;
}

interface Write {
  /** Name of the user who writes; by default the usual user, who has no name. */
  readonly by: string | undefined;
  readonly body: object;
}

/** Runs a test on the three rows, which are created on consecutive days, `-` now. */
export function withFixture(test: (fixture: Fixture) => Promise<void>): Promise<void> {
  let now = NOW;
  return withFaithfulApp(async (app) => {
    const every = await everyType(app);
    const { id: self } = await succeed(app, "GET /v2/users/me");
    await addComputed(app, every.id);
    const write = async (route: string, time: number, { by, body }: Write) => {
      now = time;
      const token = by === undefined ? await app.mint() : await tokenOf(app, by);
      return succeed(app, route, { token, body });
    };
    const create = (by: string | undefined, time: number, properties: object) =>
      write("POST /v2/pages", time, {
        by,
        body: { parent: { database_id: every.id }, properties },
      });
    const a = await create("Ann", NOW - 2 * DAY, valuesOfA(every));
    const b = await create("Bob", NOW - DAY, valuesOfB(every));
    await create(undefined, NOW, { status: { status: null } });
    const relate = (by: string, time: number, [row, ...more]: readonly Answer["json"][]) =>
      write(`PATCH /v2/pages/${row.id}`, time, {
        by,
        body: { properties: { rows: { relation: [row, ...more].map(({ id }) => ({ id })) } } },
      });
    await relate("Ann", NOW - 2 * HOUR, [a, b]);
    await relate("Bob", NOW - HOUR, [b]);
    now = NOW;
    const find = async (body: object, pageSize?: number) => {
      const names = await query(app, every.id, body, pageSize);
      return names.map((name) => LABELS.get(name)).join(" ");
    };
    await test({ ...every, app, self, find });
  }, { now: () => now });
}

const LABELS = new Map([["Alpha one", "a"], ["beta ONE", "b"], ["", "-"]]);

/** The rows that each row is related to through `rows`. */
export const RELATED = new Map([["a", ["a", "b"]], ["b", ["b"]], ["-", []]]);

async function addComputed(app: TestApp, id: string): Promise<void> {
  const rollup = (property: string, name = "show_original", relation = "rows") => ({
    rollup: { relation_property_name: relation, rollup_property_name: property, function: name },
  });
  const formulas = REPEATED_BY_FORMULA.map((name) => [
    `formula ${name}`,
    { formula: { expression: `prop("${name}")` } },
  ]);
  const rollups = REPEATED_BY_ROLLUP.map((name) => [`rollup ${name}`, rollup(name)]);
  for (
    const properties of [
      { rows: { relation: { database_id: id, single_property: {} } } },
      {
        ...Object.fromEntries([...formulas, ...rollups]),
        cost: rollup("Cost", "max", "relation"),
        "last date": rollup("date", "latest_date"),
      },
    ]
  ) {
    await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
  }
}

function texts(content: string): object {
  return {
    Name: titled(content),
    rich_text: { rich_text: text(content) },
    url: { url: content },
    email: { email: content },
    phone_number: { phone_number: content },
  };
}

function valuesOfA({ ann, one }: EveryType): object {
  return {
    ...texts("Alpha one"),
    number: { number: 1 },
    checkbox: { checkbox: true },
    select: { select: { name: "A" } },
    multi_select: { multi_select: [{ name: "A" }, { name: "B" }] },
    status: { status: { name: "In progress" } },
    date: { date: { start: "2026-11-19" } },
    people: { people: [{ id: ann }] },
    files: { files: [external("a")] },
    relation: { relation: [{ id: one }] },
    place: { place: { lat: 1, lon: 2 } },
    verification: { verification: { state: "verified" } },
  };
}

function valuesOfB({ ann, bob, one, two }: EveryType): object {
  const [start, end] = ["2026-11-01", "2026-11-18"];
  return {
    ...texts("beta ONE"),
    number: { number: 2 },
    select: { select: { name: "B" } },
    multi_select: { multi_select: [{ name: "B" }] },
    status: { status: { name: "Done" } },
    date: { date: { start: "2026-11-19T23:30:00+02:00" } },
    people: { people: [{ id: bob }, { id: ann }] },
    files: { files: [external("b"), external("c")] },
    relation: { relation: [{ id: two }, { id: one }] },
    place: { place: { lat: 3, lon: 4, name: "There" } },
    verification: { verification: { state: "verified", date: { start, end } } },
  };
}
