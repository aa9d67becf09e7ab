/**
 * Generates random databases: fields, rows, filters and sorts.
 *
 * @module
 */
import fc from "fast-check";
import { fold, sortKey } from "../../src/content/schema/collation.ts";
import { type Cell, EMPTY, type PropertyCell } from "../../src/content/schema/cells.ts";
import type { Field, Filter, Sort, Test } from "../../src/content/query/filter.ts";
import { SHORT_TEXT } from "../../src/store/rows/long_texts.ts";
import { cellsOf, keyCell, numberCell, textCell } from "./row_samples.ts";

// Without spaces, like all IDs: a text block separates them by one.
export const IDS = Array.from({ length: 24 }, (_, index) => `row-${index}`);
export const USERS = ["ann", "bob", "\u{1F600}", "\uFFFD"];
export const RELATION = "relation";

const OPTIONS = ["blue", "amber", "cyan"];
const NUMBERS = [-1, 0, 0.5, 2, 1e15];
const LONG = "x".repeat(120);
/** A longer one is stored apart from its cell. */
const LONGEST_IN_CELL = "long ".repeat(SHORT_TEXT / 5);
const TEXTS = [
  "a",
  "A",
  "á",
  "ab",
  "b a",
  "",
  `${LONG}1`,
  `${LONG}2`,
  LONGEST_IN_CELL,
  `${LONGEST_IN_CELL}1`,
  `${LONGEST_IN_CELL}2`,
  "100%",
  "ß",
  "\u{1F600}",
  "\0_",
];

/** The values of a property, and its filters. */
interface Kind {
  readonly cells: fc.Arbitrary<readonly Cell[]>;
  readonly test: fc.Arbitrary<Test>;
  readonly values?: Sort["values"];
  readonly single?: true;
}

export interface SomeField extends Pick<Kind, "test" | "values" | "single"> {
  readonly field: Field;
}

/** A property that is stored in cells. */
export interface SomeProperty extends SomeField {
  readonly cells: fc.Arbitrary<readonly PropertyCell[]>;
}

const isEmpty = fc.constant<Test>({ is: "empty" });
const flag = fc.boolean();

function between(numbers: readonly number[]): fc.Arbitrary<Test> {
  const end = fc.constantFrom(...numbers);
  return fc.record(
    {
      is: fc.constant("between" as const),
      from: end,
      to: end,
      fromExcluded: flag,
      toExcluded: flag,
    },
    { requiredKeys: ["is"] },
  );
}

function keys(all: readonly string[]): fc.Arbitrary<Test> {
  return fc.constantFrom(...all, "nowhere").map((key) => ({ is: "key", key }));
}

const texts: fc.Arbitrary<Test> = fc.record({
  how: fc.constantFrom("equals" as const, "contains" as const, "starts" as const, "ends" as const),
  operand: fc.constantFrom(...TEXTS, "x", "1", "_", "%"),
}).map(({ how, operand }) => ({
  is: "text",
  how,
  text: fold(operand),
  key: sortKey(operand),
}));

function one(cells: readonly Cell[]): fc.Arbitrary<readonly Cell[]> {
  return fc.constantFrom(...cells).map((cell) => [cell]);
}

function several(all: readonly string[]): fc.Arbitrary<readonly Cell[]> {
  return fc.subarray([...all], { maxLength: 3 }).chain((some) => fc.shuffledSubarray(some))
    .map((some) => some.length === 0 ? [EMPTY] : some.map(keyCell));
}

const KINDS: Readonly<Record<string, Kind>> = {
  number: {
    cells: one([EMPTY, ...NUMBERS.map(numberCell)]),
    test: fc.oneof(isEmpty, between(NUMBERS)),
    single: true,
  },
  text: {
    cells: one([EMPTY, ...TEXTS.map(textCell)]),
    test: fc.oneof(isEmpty, texts),
    single: true,
  },
  select: {
    cells: one([EMPTY, ...OPTIONS.map(keyCell)]),
    test: fc.oneof(isEmpty, keys(OPTIONS)),
    values: OPTIONS.map(keyCell),
    single: true,
  },
  tags: {
    cells: several(OPTIONS),
    test: fc.oneof(isEmpty, keys(OPTIONS)),
    values: OPTIONS.map(keyCell),
  },
  checkbox: {
    cells: one([numberCell(0), numberCell(1)]),
    test: between([0, 1]),
    values: [numberCell(0), numberCell(1)],
    single: true,
  },
  people: { cells: several(USERS), test: fc.oneof(isEmpty, keys(USERS)) },
};

export const TIMES = [1_000, 1_001, 2_000];

const OTHERS: readonly SomeField[] = [
  { field: { kind: "row", member: "createdTime" }, test: between(TIMES) },
  { field: { kind: "row", member: "editedTime" }, test: fc.oneof(isEmpty, between(TIMES)) },
  { field: { kind: "row", member: "createdBy" }, test: keys(USERS) },
  { field: { kind: "row", member: "editedBy" }, test: fc.oneof(isEmpty, keys(USERS)) },
  {
    field: { kind: "links", relationId: RELATION, side: "from" },
    test: fc.oneof(isEmpty, keys(IDS)),
  },
  {
    field: { kind: "links", relationId: RELATION, side: "to" },
    test: fc.oneof(isEmpty, keys(IDS)),
  },
];

/** The properties of a random database. */
export const someSchema: fc.Arbitrary<SomeProperty[]> = fc.array(
  fc.constantFrom(...Object.values(KINDS)),
  { minLength: 1, maxLength: 5 },
).map((kinds) =>
  kinds.map((kind, index) => {
    const propertyId = `p${index}`;
    const cells = kind.cells.map((own) => cellsOf(propertyId, ...own));
    return { ...kind, field: { kind: "cells", propertyId }, cells };
  })
);

/** Generates all cells of a row. */
export function someCells(schema: readonly SomeProperty[]): fc.Arbitrary<PropertyCell[]> {
  return fc.tuple(...schema.map(({ cells }) => cells)).map((all) => all.flat());
}

export function someFilter(schema: readonly SomeField[]): fc.Arbitrary<Filter> {
  const test = fc.constantFrom(...schema, ...OTHERS)
    .chain(({ field, test }) => test.map((test): Filter => ({ op: "test", field, test })));
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      test,
      fc.record({
        op: fc.constantFrom("and" as const, "or" as const),
        filters: fc.array(tie("filter"), { maxLength: 3 }),
      }),
      fc.record({ op: fc.constant("not" as const), filter: tie("filter") }),
    ),
  })).filter;
}

export function someSorts(schema: readonly SomeField[]): fc.Arbitrary<Sort[]> {
  const sort = fc.record({ by: fc.constantFrom(...schema, ...OTHERS), descending: flag })
    .map(({ by: { field, values, single }, descending }): Sort => ({
      field,
      descending,
      ...(values && { values }),
      ...(single && { single }),
    }));
  return fc.array(sort, { minLength: 1, maxLength: 4 });
}
