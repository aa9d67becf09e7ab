import * as v from "valibot";
import type { ValidationIssue } from "../../../src/shared/errors.ts";
import { readFilter } from "../../../src/content/query/read_filter.ts";
import type { Filter, Test } from "../../../src/content/query/filter.ts";
import { type FilterInput, filterInput, sortInput } from "../../../src/content/query/input.ts";
import { fitsCondition, OPERATORS } from "../../../src/content/query/operators.ts";
import { readSorts } from "../../../src/content/query/read_sorts.ts";
import { assert, assertEquals } from "../../assert.ts";
import { EVERY_TYPE, NOW, SCOPE } from "./samples.ts";

/** The evaluated form of a filter that the schema accepts, and its issues. */
function meaning(
  input: unknown,
): { readonly filter?: Filter | undefined; readonly issues: ValidationIssue[] } {
  const issues: ValidationIssue[] = [];
  const filter = readFilter(v.parse(filterInput, input), SCOPE, issues);
  return { filter, issues };
}

function cells(propertyId: string, test: Test): Filter {
  return { op: "test", field: { kind: "cells", propertyId }, test };
}

function not(filter: Filter): Filter {
  return { op: "not", filter };
}

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

const MEANINGS: readonly (readonly [sentence: string, input: object, filter: Filter])[] = [
  [
    "text is folded",
    { property: "The title", title: { equals: "ÉTÉ" } },
    cells("title", { is: "text", how: "equals", text: "été", key: keyFor("ÉTÉ") }),
  ],
  [
    "a negative operator is the opposite of the positive one",
    { property: "rich_text", rich_text: { does_not_contain: "x" } },
    not(cells("rich_text", { is: "text", how: "contains", text: "x", key: keyFor("x") })),
  ],
  [
    "`text` is another name of `rich_text`, for addresses too",
    { property: "url", text: { starts_with: "http" } },
    cells("url", { is: "text", how: "starts", text: "http", key: keyFor("http") }),
  ],
  [
    "a number is a range of itself",
    { property: "number", number: { equals: 3 } },
    cells("number", { is: "between", from: 3, to: 3 }),
  ],
  [
    "a unique id is its number",
    { property: "unique_id", unique_id: { less_than: 3 } },
    cells("unique_id", { is: "between", to: 3, toExcluded: true }),
  ],
  [
    "a checkbox is 0 or 1",
    { property: "checkbox", checkbox: { does_not_equal: true } },
    not(cells("checkbox", { is: "between", from: 1, to: 1 })),
  ],
  [
    "an option is found by its name",
    { property: "select", select: { equals: "High" } },
    cells("select", { is: "key", key: "high" }),
  ],
  [
    "an option that does not exist matches no row",
    { property: "multi_select", multi_select: { contains: "Never" } },
    cells("multi_select", { is: "key", key: "" }),
  ],
  [
    "a day is a range",
    { property: "date", date: { equals: "2026-11-19" } },
    cells("date", {
      is: "between",
      from: day("2026-11-19"),
      to: day("2026-11-20"),
      toExcluded: true,
    }),
  ],
  [
    "after a day means from the next day on",
    { property: "date", date: { after: "2026-11-19" } },
    cells("date", { is: "between", from: day("2026-11-20") }),
  ],
  [
    "relative dates count from now",
    { property: "date", date: { this_week: {} } },
    cells("date", {
      is: "between",
      from: day("2026-11-16"),
      to: day("2026-11-23"),
      toExcluded: true,
    }),
  ],
  [
    "timestamps are members of the row",
    { timestamp: "last_edited_time", last_edited_time: { before: "2026-11-19" } },
    {
      op: "test",
      field: { kind: "row", member: "editedTime" },
      test: { is: "between", to: day("2026-11-19"), toExcluded: true },
    },
  ],
  [
    "ids are read in any spelling",
    { property: "created_by", people: { contains: "AAAAAAAABBBB4CCC8DDDEEEEEEEEEEEE" } },
    {
      op: "test",
      field: { kind: "row", member: "createdBy" },
      test: { is: "key", key: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee" },
    },
  ],
  [
    "a relation is tested by its links",
    { property: "relation", relation: { is_empty: true } },
    {
      op: "test",
      field: { kind: "links", relationId: "links", side: "from" },
      test: { is: "empty" },
    },
  ],
  [
    "a verification is valid until its end",
    { property: "verification", verification: { status: "expired" } },
    cells("verification", { is: "between", to: NOW, toExcluded: true }),
  ],
  [
    "a formula is tested by the type of its result",
    { property: "formula", formula: { number: { greater_than: 1 } } },
    {
      op: "test",
      field: { kind: "computed", propertyId: "formula" },
      test: { is: "between", from: 1, fromExcluded: true },
    },
  ],
  [
    "a rollup is tested item by item",
    { property: "rollup", rollup: { every: { select: { does_not_equal: "Low" } } } },
    {
      op: "items",
      propertyId: "rollup",
      quantifier: "every",
      filter: { op: "not", filter: { op: "test", test: { is: "key", key: "low" } } },
    },
  ],
];

/** Outside the table so that the table does not depend on the encoding of sort keys. */
function keyFor(text: string): string {
  const { filter } = meaning({ property: "title", title: { equals: text } });
  assert(filter?.op === "test" && filter.test.is === "text");
  return filter.test.key;
}

for (const [sentence, input, filter] of MEANINGS) {
  Deno.test(`in filters ${sentence}`, () => {
    assertEquals(meaning(input), { filter, issues: [] });
  });
}

const OPERANDS = ["x", 1, true, {}, "2026-11-19", "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee", "none"];

Deno.test("every operator is accepted on exactly the types that its condition fits", () => {
  for (const [key, operators] of OPERATORS) {
    for (const [name, { operand }] of Object.entries(operators)) {
      const value = OPERANDS.find((candidate) => v.is(operand, candidate));
      assert(value !== undefined, `an operand of ${key}.${name}`);
      for (const { id, type } of EVERY_TYPE) {
        const { issues } = meaning({ property: id, [key]: { [name]: value } });
        assertEquals(issues.length === 0, fitsCondition(type, key), `${type} ${key} ${name}`);
      }
    }
  }
});

const REFUSALS:
  readonly (readonly [sentence: string, input: object, pointers: readonly string[]])[] = [
    [
      "an unknown property and report every other issue",
      {
        and: [
          { property: "Nope", title: { equals: "x" } },
          { property: "number", title: { equals: "x" } },
          { or: [{ property: "Gone", title: { equals: "x" } }] },
        ],
      },
      ["/filter/and/0/property", "/filter/and/1/title", "/filter/and/2/or/0/property"],
    ],
    [
      "a condition on a formula with another result type",
      { property: "formula", formula: { string: { equals: "x" } } },
      ["/filter/formula"],
    ],
    [
      "a condition on the items of a rollup of another type",
      { property: "rollup", rollup: { any: { number: { equals: 1 } } } },
      ["/filter/rollup"],
    ],
  ];

for (const [sentence, input, pointers] of REFUSALS) {
  Deno.test(`filters reject ${sentence}`, () => {
    assertEquals(meaning(input).issues.map(({ pointer }) => pointer), pointers);
  });
}

Deno.test("issues of filters and sorts have the messages that clients look for", () => {
  const [unknown] = meaning({ property: "Nope", title: { equals: "x" } }).issues;
  assertEquals(unknown?.detail, "Could not find property with name or id: Nope");
  const [clash] = meaning({ property: "number", title: { equals: "x" } }).issues;
  assert(clash?.detail.includes("does not match filter"));
  const issues: ValidationIssue[] = [];
  readSorts([{ property: "Nope", direction: "ascending" }], SCOPE, issues);
  assertEquals(issues, [{
    pointer: "/sorts/0/property",
    detail: "Could not find sort property with name or id: Nope",
  }]);
});

function nested(levels: number): FilterInput {
  const leaf: FilterInput = { property: "number", number: { equals: 1 } };
  return Array.from({ length: levels }).reduce<FilterInput>(
    (inner, _, level) => level % 2 === 0 ? { and: [inner] } : { or: [inner] },
    leaf,
  );
}

Deno.test("compound filters can be nested at most twenty levels deep", () => {
  assertEquals(meaning(nested(20)).issues, []);
  assertEquals(meaning(nested(21)).issues.length, 1);
});

Deno.test("a filter can have at most a thousand conditions", () => {
  const hundred = { or: Array.from({ length: 100 }, () => nested(0)) };
  const ten = Array.from({ length: 10 }, () => hundred);
  assertEquals(meaning({ and: ten }).issues, []);
  assertEquals(meaning({ and: [...ten, nested(0)] }).issues.length, 1);
});

Deno.test("a filter looks for texts of at most 10,000 characters in all", () => {
  const contains = (text: string) => ({ property: "title", title: { contains: text } });
  const long = Array.from({ length: 10 }, () => contains("x".repeat(1_000)));
  const [name] = [{ property: "title", title: { starts_with: "x".repeat(2_000) } }];
  assertEquals(meaning({ or: [...long, name] }).issues, []);
  const without = { property: "title", title: { does_not_contain: "x" } };
  const [issue] = meaning({ or: [...long, without] }).issues;
  assertEquals(issue, {
    pointer: "/filter",
    detail:
      "The texts of `contains` and `does_not_contain` can have at most 10000 characters in all.",
  });
});

const INVALID: readonly object[] = [
  {},
  { property: "title" },
  { property: "title", title: {} },
  { property: "title", title: { equals: 1 } },
  { property: "title", title: { equals: "x", contains: "x" } },
  { property: "title", title: { is_empty: false } },
  { property: "title", title: { "constructor": "x" } },
  { property: "date", date: { past_week: { days: 3 } } },
  { property: "date", date: { equals: "yesterday" } },
  { property: "people", people: { contains: "me" } },
  { timestamp: "created_time", property: "title", created_time: { is_empty: true } },
  { timestamp: "created_time", last_edited_time: { is_empty: true } },
  { and: [], or: [] },
  { and: [{}] },
];

for (const unexpected of INVALID) {
  Deno.test(`the schema of filters rejects ${JSON.stringify(unexpected)}`, () => {
    assert(!v.is(filterInput, unexpected));
  });
}

Deno.test("sorts name a property or a timestamp, and a direction", () => {
  assert(v.is(sortInput, { property: "x", direction: "descending" }));
  assert(!v.is(sortInput, { property: "x" }));
  assert(!v.is(sortInput, { timestamp: "edited", direction: "ascending" }));
  assert(!v.is(sortInput, { timestamp: "created_time", property: "x", direction: "ascending" }));
});

Deno.test("options are sorted by their order in the schema, people by their computed names", () => {
  const sorts = readSorts(
    ["checkbox", "status", "people", "date"].map((property) => ({
      property,
      direction: "descending",
    })),
    SCOPE,
    [],
  );
  assertEquals(sorts, [
    {
      field: { kind: "cells", propertyId: "checkbox" },
      values: [{ number: 0, key: null }, { number: 1, key: null }],
      single: true,
      descending: true,
    },
    {
      field: { kind: "cells", propertyId: "status" },
      values: [{ number: null, key: "low" }, { number: null, key: "high" }],
      single: true,
      descending: true,
    },
    {
      field: { kind: "computed", propertyId: "people" },
      nameOf: { kind: "cells", propertyId: "people" },
      descending: true,
    },
    { field: { kind: "cells", propertyId: "date" }, single: true, descending: true },
  ]);
  assertEquals(readSorts([], SCOPE, []), [
    { field: { kind: "row", member: "createdTime" }, descending: true },
  ]);
});

Deno.test("a sort by a field that an earlier sort has is left out", () => {
  const sorts = readSorts(
    [
      { property: "checkbox", direction: "descending" },
      { timestamp: "created_time", direction: "ascending" },
      { property: "checkbox", direction: "ascending" },
      { timestamp: "created_time", direction: "descending" },
    ],
    SCOPE,
    [],
  );
  assertEquals(
    sorts.map(({ field, descending }) => [field.kind, descending]),
    [["cells", true], ["row", false]],
  );
});
