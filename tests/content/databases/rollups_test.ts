import fc from "fast-check";
import type { DateValue } from "../../../src/content/values/dates.ts";
import { collectedCells, rollupCells } from "../../../src/content/databases/rollup_items.ts";
import { formulaCells } from "../../../src/content/properties/types/formula.ts";
import type { CompiledProperty } from "../../../src/content/databases/property_compiler.ts";
import { type RollupValue, startRollup } from "../../../src/content/databases/rollups.ts";
import { ROLLUP_FUNCTIONS } from "../../../src/content/schema/rollup_functions.ts";
import type { Property } from "../../../src/content/schema/property.ts";
import type { CollectedValue } from "../../../src/content/properties/registry.ts";
import { collectedValue } from "../../../src/content/properties/registry.ts";
import { EMPTY } from "../../../src/content/schema/cells.ts";
import { fold, sortKey } from "../../../src/content/schema/collation.ts";
import { toRichText } from "../../../src/content/values/rich_text.ts";
import * as v from "valibot";
import { assert, assertEquals } from "../../assert.ts";

const common = { id: "xxxxxxxx", name: "X", description: null };

function computed(target: Property): CompiledProperty {
  const relation = {
    ...common,
    type: "relation",
    databaseId: "",
    relationId: "",
    side: "from",
    syncedId: null,
  } as const;
  const rollup = { relation, target };
  return { kind: undefined, type: undefined, rollup, problems: [], height: 1, databases: 2 };
}

const option = (id: string) => ({ id, name: id.toUpperCase(), color: "default" as const });
const STATUS: Property = {
  ...common,
  type: "status",
  options: ["todo", "doing", "done"].map((id) => ({ ...option(id), description: null })),
  groups: ["todo", "doing", "done"].map((id) => ({
    id: `${id} group`,
    name: id,
    color: "gray",
    option_ids: [id],
  })),
};
const PLAIN: Property = { ...common, type: "checkbox" };

function rollUp(
  name: string,
  compiled: CompiledProperty,
  values: readonly CollectedValue[],
): RollupValue {
  const rollup = startRollup(name, compiled);
  for (const value of values) rollup.add(value);
  return rollup.value();
}

/** The result of a function, without the members that all results have. */
function result(
  name: string,
  values: readonly CollectedValue[],
  target: Property = PLAIN,
): unknown {
  const { function: said, type, ...rest } = rollUp(name, computed(target), values);
  assertEquals(said, name as typeof said);
  return Reflect.get(rest, type);
}

const number = (number: number | null): CollectedValue => ({ type: "number", number });
const checkbox = (checkbox: boolean): CollectedValue => ({ type: "checkbox", checkbox });
const status = (id: string | null): CollectedValue => ({
  type: "status",
  status: id === null ? null : option(id),
});
const tags = (...ids: readonly string[]): CollectedValue => ({
  type: "multi_select",
  multi_select: ids.map(option),
});
const date = (
  start: string,
  end: string | null = null,
  time_zone: string | null = null,
): CollectedValue => ({ type: "date", date: { start, end, time_zone } });
const NO_DATE: CollectedValue = { type: "date", date: null };
const text = (content: string): CollectedValue => ({
  type: "rich_text",
  rich_text: content === "" ? [] : toRichText([{ text: { content } }]),
});

const NUMBERS = [number(4), number(null), number(1), number(4), number(2)];
const TAGS = [tags("b", "a"), tags(), tags("a"), tags("a", "c", "b")];
const TICKS = [checkbox(true), checkbox(false), checkbox(true), checkbox(true)];
const STATES = [status("done"), status(null), status("todo"), status("done")];
const DATES = [
  date("2024-03-01", "2024-03-09"),
  NO_DATE,
  date("2024-02-10T12:00:00+02:00"),
  date("2024-03-05"),
];

/** Computed by hand. */
const WORKED: readonly (readonly [string, readonly CollectedValue[], unknown])[] = [
  ["count", NUMBERS, 5],
  ["count", TAGS, 4],
  ["count_values", NUMBERS, 4],
  ["count_values", TAGS, 6],
  ["count_values", TICKS, 4],
  ["empty", NUMBERS, 1],
  ["empty", TAGS, 1],
  ["empty", TICKS, 0],
  ["not_empty", NUMBERS, 4],
  ["not_empty", TAGS, 3],
  ["unique", NUMBERS, 3],
  ["unique", TAGS, 3],
  ["unique", TICKS, 2],
  ["unique", [text("a"), text("A"), text("a"), text("")], 2],
  ["show_unique", NUMBERS, [number(4), number(1), number(2)]],
  ["show_unique", TAGS, [tags("b"), tags("a"), tags("c")]],
  ["percent_empty", NUMBERS, 0.2],
  ["percent_not_empty", TAGS, 0.75],
  ["sum", NUMBERS, 11],
  ["average", NUMBERS, 2.75],
  ["median", NUMBERS, 3],
  ["median", NUMBERS.slice(0, 3), 2.5],
  ["median", NUMBERS.slice(2), 2],
  ["min", NUMBERS, 1],
  ["max", NUMBERS, 4],
  ["range", NUMBERS, 3],
  ["sum", [number(1e308), number(1e308)], null],
  ["earliest_date", DATES, { start: "2024-02-10T12:00:00+02:00", end: null, time_zone: null }],
  ["latest_date", DATES, { start: "2024-03-09", end: null, time_zone: null }],
  ["date_range", DATES, { start: "2024-02-10T12:00:00+02:00", end: "2024-03-09", time_zone: null }],
  ["checked", TICKS, 3],
  ["unchecked", TICKS, 1],
  ["percent_checked", TICKS, 0.75],
  ["percent_unchecked", TICKS, 0.25],
  ["count_per_group", STATES, 2],
  ["percent_per_group", STATES, 0.5],
  ["show_original", TAGS, TAGS],
  ["show_original", NUMBERS, NUMBERS],
];

Deno.test("the value of a rollup reads no value again, however many were added", () => {
  for (const [name, values] of WORKED) {
    let reads = 0;
    const get = (value: CollectedValue, key: string) => {
      reads++;
      return Reflect.get(value, key);
    };
    const rollup = startRollup(name, computed(STATUS));
    for (const value of values) rollup.add(new Proxy(value, { get }));
    const added = reads;
    rollup.value();
    assertEquals([name, reads], [name, added]);
  }
});

Deno.test("a median looks at few numbers when one is added, and at the middle two at its end", () => {
  const count = 20_000;
  let [looks, most] = [0, 0];
  const looked = (number: number) => {
    const valueOf = () => {
      looks++;
      return number;
    };
    // Sound because a median only compares and adds its numbers.
    return { valueOf } as unknown as number;
  };
  const rollup = startRollup("median", computed(PLAIN));
  for (let n = 0; n < count; n++) {
    looks = 0;
    rollup.add(number(looked((n * 7_919) % count)));
    most = Math.max(most, looks);
  }
  looks = 0;
  rollup.value();
  assertEquals(looks, 2);
  // Up to four paths through a half, with two numbers at each step, and one comparison of halves.
  assert(most <= 8 * Math.log2(count / 2) + 2, `${most} looks`);
});

for (const name of ROLLUP_FUNCTIONS) {
  Deno.test(`the rollup ${name} has the result that was computed by hand`, () => {
    const cases = WORKED.filter(([of]) => of === name);
    assertEquals(cases.length > 0, true);
    for (const [, values, expected] of cases) {
      assertEquals(result(name, values, STATUS), expected);
    }
  });
}

Deno.test("a rollup of no rows has count 0 and no share, average or date", () => {
  for (const name of ROLLUP_FUNCTIONS) {
    const shown = result(name, []);
    if (name.startsWith("show_")) assertEquals(shown, []);
    else if (/^(percent_|average|median|min|max|range|earliest|latest|date_)/.test(name)) {
      assertEquals(shown, null);
    } else assertEquals(shown, 0);
  }
});

Deno.test("a rollup whose relation or target was deleted is unsupported", () => {
  const gone: CompiledProperty = {
    kind: undefined,
    type: undefined,
    problems: [],
    height: 1,
    databases: 1,
  };
  assertEquals(rollUp("sum", gone, []), {
    type: "unsupported",
    unsupported: {},
    function: "sum",
  });
});

Deno.test("a range keeps the time zone if both ends have the same; otherwise it is in UTC", () => {
  const paris = date("2024-07-01T10:00", null, "Europe/Paris");
  const later = date("2024-07-01T12:00", "2024-07-02T12:00", "Europe/Paris");
  const tokyo = date("2024-07-01T10:00", null, "Asia/Tokyo");
  assertEquals(result("date_range", [later, paris]), {
    start: "2024-07-01T10:00",
    end: "2024-07-02T12:00",
    time_zone: "Europe/Paris",
  });
  assertEquals(result("date_range", [paris, tokyo]), {
    start: "2024-07-01T01:00:00.000Z",
    end: "2024-07-01T08:00:00.000Z",
    time_zone: null,
  });
  assertEquals(result("earliest_date", [paris, tokyo]), {
    start: "2024-07-01T10:00",
    end: null,
    time_zone: "Asia/Tokyo",
  });
});

Deno.test("timestamps and formulas are collected by their type", () => {
  const moment = "2024-01-02T03:04:05.678Z";
  const whole = { start: moment, end: null, time_zone: null };
  assertEquals(result("latest_date", [{ type: "created_time", created_time: moment }]), whole);
  assertEquals(
    result("earliest_date", [{ type: "last_edited_time", last_edited_time: moment }]),
    whole,
  );
  const formula = (formula: Extract<CollectedValue, { type: "formula" }>["formula"]) =>
    ({ type: "formula", formula }) as const;
  assertEquals(result("latest_date", [formula({ type: "date", date: whole })]), whole);
  assertEquals(result("sum", [formula({ type: "number", number: 3 }), number(2)]), 5);
  assertEquals(result("checked", [formula({ type: "boolean", boolean: true })]), 1);
  assertEquals(result("empty", [formula({ type: "string", string: "" })]), 1);
  assertEquals(result("unique", [formula({ type: "number", number: 0 })]), 1);
});

const someNumber = fc.option(fc.integer({ min: -50, max: 50 }));
const someTags = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 });
const someDay = fc.integer({ min: 0, max: 400 })
  .map((day) => new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString().slice(0, 10));
const someDate = fc.option(fc.tuple(someDay, fc.option(someDay)));

Deno.test("rollups of numbers agree with those of a sorted list", () => {
  fc.assert(fc.property(fc.array(someNumber), (given) => {
    const values = given.map(number);
    const numbers = given.filter((one) => one !== null).toSorted((a, b) => a - b);
    const [first = null, last = null] = [numbers[0], numbers.at(-1)];
    const total = numbers.reduce((a, b) => a + b, 0);
    assertEquals(result("sum", values), total);
    assertEquals(result("min", values), first);
    assertEquals(result("max", values), last);
    assertEquals(result("range", values), first === null || last === null ? null : last - first);
    assertEquals(result("average", values), first === null ? null : total / numbers.length);
    const below = numbers.filter((_, index) =>
      index * 2 === numbers.length - 1 ||
      index * 2 === numbers.length || index * 2 === numbers.length - 2
    );
    const middle = below.reduce((a, b) => a + b, 0) / below.length;
    assertEquals(result("median", values), first === null ? null : middle);
  }));
});

Deno.test("a median is the middle of its numbers in order, whatever they are", () => {
  const someNumbers = fc.array(
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -9, max: 9 })),
    { minLength: 1, maxLength: 300, size: "max" },
  );
  fc.assert(fc.property(someNumbers, (numbers) => {
    const sorted = numbers.toSorted((a, b) => a - b);
    const [low = NaN, high = NaN] = [sorted.length - 1, sorted.length]
      .map((twice) => sorted[twice >> 1]);
    const middle = sorted.length % 2 === 1 ? low : (low + high) / 2;
    const median = result("median", numbers.map(number));
    // Zero has two signs, which are equal.
    assert(median === (Number.isFinite(middle) ? middle : null), `${median} is not ${middle}`);
  }));
});

Deno.test("rollups of any values count rows, items and unique items", () => {
  fc.assert(fc.property(fc.array(someTags), (given) => {
    const values = given.map((ids) => tags(...new Set(ids)));
    const flat = given.flatMap((ids) => [...new Set(ids)]);
    const filled = given.filter((ids) => ids.length > 0).length;
    assertEquals(result("count", values), given.length);
    assertEquals(result("count_values", values), flat.length);
    assertEquals(result("not_empty", values), filled);
    assertEquals(result("empty", values), given.length - filled);
    assertEquals(result("unique", values), new Set(flat).size);
    assertEquals(result("show_unique", values), [...new Set(flat)].map((id) => tags(id)));
    const share = given.length === 0 ? null : filled / given.length;
    assertEquals(result("percent_not_empty", values), share);
  }));
});

Deno.test("a range of days has the order of their texts", () => {
  fc.assert(fc.property(fc.array(someDate), (given) => {
    const values = given.map((one) => one === null ? NO_DATE : date(...one));
    const starts = given.flatMap((one) => one === null ? [] : [one[0]]).toSorted();
    const ends = given.flatMap((one) => one === null ? [] : [one[1] ?? one[0]]).toSorted();
    const [start, end] = [starts[0], ends.at(-1)];
    const expected: DateValue | null = start === undefined || end === undefined
      ? null
      : { start, end, time_zone: null };
    assertEquals(result("date_range", values), expected);
  }));
});

const user = { object: "user", id: "0000000b-0000-4000-8000-000000000000" } as const;
const file = {
  name: "Ä.png",
  type: "external",
  external: { url: "https://example.org/a.png" },
} as const;
const key = (key: string) => ({ number: null, key, text: null });
const num = (number: number) => ({ number, key: null, text: null });
const txt = (of: string) => ({ number: null, key: sortKey(of), text: fold(of) });
const DAY = Date.UTC(2024, 0, 2);

const CELLS: readonly (readonly [CollectedValue, readonly unknown[]])[] = [
  [{ type: "title", title: toRichText([{ text: { content: "Ab" } }]) }, [txt("Ab")]],
  [text(""), [EMPTY]],
  [number(0), [num(0)]],
  [number(null), [EMPTY]],
  [status("done"), [key("done")]],
  [{ type: "select", select: null }, [EMPTY]],
  [tags("a", "b"), [key("a"), key("b")]],
  [tags(), [EMPTY]],
  [date("2024-01-02", "2024-01-03"), [num(DAY)]],
  [NO_DATE, [EMPTY]],
  [{ type: "people", people: [user] }, [key(user.id)]],
  [{ type: "files", files: [file] }, [txt("Ä.png")]],
  [{ type: "files", files: [] }, [EMPTY]],
  [checkbox(true), [num(1)]],
  [checkbox(false), [num(0)]],
  [{ type: "url", url: "x" }, [txt("x")]],
  [{ type: "email", email: null }, [EMPTY]],
  [{ type: "phone_number", phone_number: "1" }, [txt("1")]],
  [{ type: "relation", relation: [{ id: user.id }] }, [key(user.id)]],
  [{ type: "relation", relation: [] }, [EMPTY]],
  [{ type: "created_time", created_time: "2024-01-02T00:00:00.000Z" }, [num(DAY)]],
  [{ type: "last_edited_time", last_edited_time: "2024-01-02T00:00:00.000Z" }, [num(DAY)]],
  [{ type: "created_by", created_by: user }, [key(user.id)]],
  [{ type: "last_edited_by", last_edited_by: user }, [key(user.id)]],
  [{ type: "unique_id", unique_id: { number: 7, prefix: "A" } }, [num(7)]],
  [{ type: "unique_id", unique_id: { number: null, prefix: null } }, [EMPTY]],
  [
    { type: "verification", verification: { state: "verified", verified_by: user, date: null } },
    [num(8.64e15)],
  ],
  [
    { type: "verification", verification: { state: "unverified", verified_by: null, date: null } },
    [EMPTY],
  ],
  [{ type: "formula", formula: { type: "string", string: "x" } }, [txt("x")]],
  [{ type: "formula", formula: { type: "boolean", boolean: true } }, [num(1)]],
  [{ type: "formula", formula: { type: "number", number: null } }, [EMPTY]],
  [{ type: "formula", formula: { type: "date", date: null } }, [EMPTY]],
];

Deno.test("collected values have the cells of their type", () => {
  for (const [value, cells] of CELLS) {
    v.parse(collectedValue, value);
    assertEquals([...collectedCells(value)], [...cells]);
  }
});

Deno.test("rollups and formulas have the cells of their result", () => {
  const cells = (name: string, values: readonly CollectedValue[]) =>
    rollupCells(rollUp(name, computed(STATUS), values)).toArray();
  assertEquals(cells("sum", NUMBERS), [num(11)]);
  assertEquals(cells("average", []), []);
  assertEquals(cells("latest_date", [date("2024-01-02")]), [num(DAY)]);
  assertEquals(cells("show_original", [tags("a"), tags()]), [key("a"), EMPTY]);
  assertEquals(formulaCells({ type: "boolean", boolean: false }), [num(0)]);
  assertEquals(formulaCells({ type: "string", string: null }), []);
});
