import fc from "fast-check";
import { evaluatePartially } from "../../../src/content/query/partial_evaluation.ts";
import { type Cell, EMPTY } from "../../../src/content/schema/cells.ts";
import { matches, matchInSteps, type QueryRow } from "../../../src/content/query/evaluate.ts";
import type { Field, Filter, Sort, Test } from "../../../src/content/query/filter.ts";
import { compareRowCursors, cursorOf } from "../../../src/content/query/order.ts";
import { splitFilter } from "../../../src/content/query/split_filter.ts";
import { mergeRanges } from "../../../src/content/query/merge_ranges.ts";
import { assert, assertEquals } from "../../assert.ts";

const A: Field = { kind: "cells", propertyId: "a" };
const B: Field = { kind: "cells", propertyId: "b" };
const COMPUTED: Field = { kind: "computed", propertyId: "c" };

function number(value: number): Cell {
  return { ...EMPTY, number: value };
}

function key(value: string): Cell {
  return { ...EMPTY, key: value };
}

function text(value: string): Cell {
  return { ...EMPTY, key: value, text: value };
}

/** A row with these cells in every field. */
function row(cells: readonly Cell[], members: Partial<QueryRow> = {}): QueryRow {
  return { id: "r", cells: () => cells, items: () => [], ...members };
}

function test(test: Test, field: Field = A): Filter {
  return { op: "test", field, test };
}

Deno.test("matches() respects whether each end of a range is included", () => {
  const holds = (test: Omit<Extract<Test, { is: "between" }>, "is">, value: number) =>
    matches({ op: "test", field: A, test: { is: "between", ...test } }, row([number(value)]));
  assertEquals([1, 2, 3, 4].map((value) => holds({ from: 2, to: 3 }, value)), [
    ...[false, true, true, false],
  ]);
  const open = { from: 2, to: 4, fromExcluded: true, toExcluded: true };
  assertEquals([2, 3, 4].map((value) => holds(open, value)), [false, true, false]);
  assertEquals(holds({}, 5), true);
  assertEquals(matches(test({ is: "between" }), row([EMPTY])), false);
});

Deno.test("matches() accepts a value if any of its cells passes; empty means no filled cell", () => {
  const tags = row([key("x"), key("y")]);
  assertEquals(matches(test({ is: "key", key: "y" }), tags), true);
  assertEquals(matches(test({ is: "key", key: "z" }), tags), false);
  assertEquals(matches(test({ is: "empty" }), tags), false);
  assertEquals([[], [EMPTY]].map((cells) => matches(test({ is: "empty" }), row(cells))), [
    ...[true, true],
  ]);
  const negated: Filter = { op: "not", filter: test({ is: "key", key: "x" }) };
  assertEquals(matches(negated, row([EMPTY])), true);
});

Deno.test("matches() compares texts by equality, part, start and end", () => {
  const how = (how: "equals" | "contains" | "starts" | "ends", operand: string) =>
    matches(test({ is: "text", how, text: operand, key: operand }), row([text("one two")]));
  assertEquals([how("equals", "one two"), how("equals", "one")], [true, false]);
  assertEquals([how("contains", "e t"), how("contains", "x")], [true, false]);
  assertEquals([how("starts", "one"), how("starts", "two")], [true, false]);
  assertEquals([how("ends", "two"), how("ends", "one")], [true, false]);
  assertEquals(
    matches(test({ is: "text", how: "contains", text: "", key: "" }), row([EMPTY])),
    false,
  );
});

Deno.test("matches() treats an empty `or` as false and an empty `and` as true", () => {
  assertEquals(matches({ op: "or", filters: [] }, row([])), false);
  assertEquals(matches({ op: "and", filters: [] }, row([])), true);
});

Deno.test("matches() tests any, every or none of a rollup's items", () => {
  const asked = (quantifier: "any" | "every" | "none", items: readonly (readonly Cell[])[]) =>
    matches({
      op: "items",
      propertyId: "c",
      quantifier,
      filter: { op: "not", filter: { op: "test", test: { is: "empty" } } },
    }, row([], { items: () => items }));
  const [full, empty] = [[number(1)], [EMPTY]];
  assertEquals([asked("any", [full, empty]), asked("any", [empty])], [true, false]);
  assertEquals([asked("every", [full, full]), asked("every", [full, empty])], [true, false]);
  assertEquals([asked("none", [empty]), asked("none", [full, empty])], [true, false]);
});

Deno.test("matchInSteps() makes a step of each item up to the one that decides", () => {
  const [full, empty] = [[number(1)], [EMPTY]];
  const read: (readonly Cell[])[] = [];
  const list = row([], {
    *items() {
      for (const item of [empty, empty, full, empty]) {
        read.push(item);
        yield item;
      }
    },
  });
  const items = (quantifier: "any" | "every" | "none"): Filter => ({
    op: "items",
    propertyId: "c",
    quantifier,
    filter: { op: "test", test: { is: "empty" } },
  });
  const stepsOf = (filter: Filter) => {
    read.length = 0;
    return [[...matchInSteps(filter, list)].length, read.length];
  };
  assertEquals(stepsOf(items("any")), [0, 1]);
  assertEquals(stepsOf(items("every")), [2, 3]);
  assertEquals(stepsOf({ op: "not", filter: items("every") }), [2, 3]);
  assertEquals(stepsOf({ op: "and", filters: [items("every"), items("every")] }), [2, 3]);
  assertEquals(stepsOf({ op: "or", filters: [items("every"), items("every")] }), [4, 6]);
});

Deno.test("matchInSteps() makes a step of each look through a long text", () => {
  const looks: Filter = {
    op: "or",
    filters: ["b", "c", "d"].map((text) => test({ is: "text", how: "contains", text, key: "" })),
  };
  const stepsFor = (text: string) =>
    [...matchInSteps(looks, row([{ number: null, key: "", text }]))].length;
  assertEquals(stepsFor("a".repeat(100_000)), 3);
  assertEquals(stepsFor(`${"a".repeat(100_000)}c`), 1);
  assertEquals(stepsFor("a".repeat(1_000)), 0);
});

/** Ids of the rows in the order of these sorts. */
function ordered(sorts: readonly Sort[], rows: Readonly<Record<string, readonly Cell[]>>): string {
  const places = Object.entries(rows).map(([id, cells]) => cursorOf(sorts, row(cells, { id })));
  return places.toSorted(compareRowCursors(sorts)).map(({ id }) => id).join("");
}

Deno.test("compareRowCursors() sorts empty values last and ids in the direction of the last sort", () => {
  const rows = { a: [number(2)], b: [EMPTY], c: [number(10)], d: [], e: [number(2)] };
  assertEquals(ordered([{ field: A, descending: false }], rows), "aecbd");
  assertEquals(ordered([{ field: A, descending: true }], rows), "ceadb");
});

Deno.test("compareRowCursors() orders keys by code points, and options by their index", () => {
  const rows = { a: [key("\u{1F600}")], b: [key("\uFFFD")], c: [key("x"), key("\0")] };
  assertEquals(ordered([{ field: A, descending: false }], rows), "cba");
  const values = ["\uFFFD", "x", "\u{1F600}"].map(key);
  assertEquals(ordered([{ field: A, descending: false, values }], rows), "bca");
  assertEquals(ordered([{ field: A, descending: true, values }], rows), "acb");
});

Deno.test("compareRowCursors() lets the first sort that differs decide", () => {
  const sorts: Sort[] = [{ field: A, descending: false }, { field: B, descending: true }];
  const rows = [[1, 1], [1, 2], [0, 0]].map(([a = 0, b = 0], index) =>
    cursorOf(sorts, {
      id: String(index),
      items: () => [],
      cells: (field) => [number(field === A ? a : b)],
    })
  );
  assertEquals(rows.toSorted(compareRowCursors(sorts)).map(({ id }) => id), ["2", "1", "0"]);
});

const someTest: fc.Arbitrary<Test> = fc.oneof(
  fc.constant<Test>({ is: "empty" }),
  fc.record({
    is: fc.constant("between" as const),
    from: fc.nat(2),
    to: fc.nat(2),
    fromExcluded: fc.boolean(),
    toExcluded: fc.boolean(),
  }, { requiredKeys: ["is"] }),
  fc.record({ is: fc.constant("key" as const), key: fc.constantFrom("x", "y") }),
);
const someFilter = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    fc.record({
      op: fc.constant("test" as const),
      field: fc.constantFrom(A, B, COMPUTED),
      test: someTest,
    }),
    fc.record({
      op: fc.constantFrom("and" as const, "or" as const),
      filters: fc.array(tie("filter"), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant("not" as const), filter: tie("filter") }),
  ),
})).filter;
const someCells = fc.constantFrom([EMPTY], [number(0)], [number(2)], [key("x")], [key("y")]);
const someRow = fc.tuple(someCells, someCells, someCells).map(([a, b, c]): QueryRow =>
  row([], { cells: (field) => field === A ? a : field === B ? b : c })
);

Deno.test("splitFilter() returns two parts that match together as the filter does", () => {
  fc.assert(fc.property(someFilter, someRow, (filter, any) => {
    const { pushdown: kept, residual: rest } = splitFilter(filter);
    const both = [kept, rest].every((part) => part === undefined || matches(part, any));
    assertEquals(both, matches(filter, any));
    assert(!JSON.stringify(kept ?? {}).includes("computed"));
  }));
});

Deno.test("splitFilter() pushes down all that a store can evaluate", () => {
  const kept = test({ is: "empty" });
  const computed = test({ is: "empty" }, COMPUTED);
  assertEquals(splitFilter(kept), { pushdown: kept });
  assertEquals(splitFilter(computed), { residual: computed });
  assertEquals(splitFilter({ op: "and", filters: [kept, computed] }), {
    pushdown: kept,
    residual: computed,
  });
  const either: Filter = { op: "or", filters: [kept, { op: "and", filters: [kept, computed] }] };
  const weaker: Filter = { op: "or", filters: [kept, kept] };
  assertEquals(splitFilter(either), { pushdown: weaker, residual: either });
});

Deno.test("splitFilter() keeps looks through texts for the memory if a store would read many", () => {
  const looks = (count: number): Filter => ({
    op: "or",
    filters: Array.from(
      { length: count },
      () => test({ is: "text", how: "contains", text: "a", key: "a" }),
    ),
  });
  assertEquals(splitFilter(looks(10)), { pushdown: looks(10) });
  assertEquals(splitFilter(looks(11)), { pushdown: undefined, residual: looks(11) });
  assertEquals(splitFilter({ op: "and", filters: [looks(10), looks(1)] }), {
    pushdown: looks(10),
    residual: looks(1),
  });
});

Deno.test("evaluatePartially() returns the part of a filter that the value does not decide", () => {
  fc.assert(fc.property(someFilter, someRow, (filter, any) => {
    const [cell = EMPTY] = any.cells(A);
    const rest = evaluatePartially(filter, { field: A, key: cell.number ?? cell.key });
    const holds = typeof rest === "boolean" ? rest : matches(rest, any);
    assertEquals(holds, matches(filter, any));
    assert(!JSON.stringify(rest).includes('"propertyId":"a"'));
  }));
});

Deno.test("mergeRanges() matches the same rows", () => {
  fc.assert(
    fc.property(someFilter, someRow, (filter, any) => {
      assertEquals(matches(mergeRanges(filter), any), matches(filter, any));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("mergeRanges() merges the ranges of a field at any depth", () => {
  const from = test({ is: "between", from: 1, fromExcluded: true });
  const to = test({ is: "between", to: 5 });
  const other = test({ is: "between", to: 5 }, B);
  const joined = test({ is: "between", from: 1, fromExcluded: true, to: 5, toExcluded: false });
  assertEquals(mergeRanges({ op: "and", filters: [from, to] }), joined);
  const deep: Filter = { op: "and", filters: [from, { op: "and", filters: [other, to] }] };
  assertEquals(mergeRanges({ op: "or", filters: [deep] }), {
    op: "or",
    filters: [{ op: "and", filters: [joined, other] }],
  });
  assertEquals(mergeRanges({ op: "or", filters: [from, to] }), { op: "or", filters: [from, to] });
});
