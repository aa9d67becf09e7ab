import type { Filter } from "../../src/content/query/filter.ts";
import { portionOf } from "../../src/store/rows/portions.ts";
import { assert } from "../assert.ts";

const PACE = {
  checks: 65_536,
  least: 4_096,
  most: 65_536,
  nextChecks: 0,
  counted: 0,
  countsApart: true,
};
const TEXT = { is: "text", how: "contains", text: "a", key: "a" } as const;
/** UTF-16 code units of the longest text of a property, and how many of them one statement may read. */
const LONGEST = 200_000;
const MOST_READ = 52_000_000;

function rowsChecked(filter: Filter): number {
  return portionOf({ sorts: [], pace: PACE, mostRows: Infinity }, { filter });
}

Deno.test("a statement looks through fewer texts than numbers, because each may be long", () => {
  const field = { kind: "cells", propertyId: "p" } as const;
  const text: Filter = { op: "test", field, test: TEXT };
  const filled: Filter = { op: "test", field, test: { is: "empty" } };
  const texts = [text, { op: "not", filter: text }, {
    op: "and",
    filters: [filled, text],
  }] as const;
  for (const filter of texts) assert(rowsChecked(filter) * LONGEST < MOST_READ);
  assert(rowsChecked(filled) > 10_000);
  const many: Filter = { op: "or", filters: Array.from({ length: 100 }, () => text) };
  assert(rowsChecked(many) > 100, "a text is read once for all conditions on it");
});
