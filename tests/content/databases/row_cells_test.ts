import { createRowReader } from "../../../src/content/databases/row_cells.ts";
import type { Evaluation, LoadedRow } from "../../../src/content/databases/evaluation.ts";
import type { CollectedValue } from "../../../src/content/properties/registry.ts";
import type { Property } from "../../../src/content/schema/property.ts";
import { sortKey } from "../../../src/content/schema/collation.ts";
import { assert, assertEquals } from "../../assert.ts";

const LIST: Property = {
  id: "list",
  name: "List",
  description: null,
  type: "rollup",
  relationPropertyId: "relation",
  rollupPropertyId: "number",
  function: "show_original",
};

function rowOf(id: string): LoadedRow {
  const node = { id, title: "", createdTime: 0, createdBy: "u", editedTime: 0, editedBy: "u" };
  return { databaseId: "d", node, values: {}, links: undefined };
}

/** An evaluation that knows no more than the list of every row. */
function evaluationOf(array: CollectedValue[]): Evaluation {
  const rollup = { type: "array", array, function: "show_original" } as const;
  const unknown = () => {
    throw new Error("Not needed");
  };
  return {
    valueOf: () => ({ id: "list", type: "rollup", rollup }),
    targetOf: () => undefined,
    contextOf: unknown,
    collected: unknown,
    prepareMore: unknown,
    titleOf: unknown,
    nameOf: unknown,
  };
}

Deno.test("createRowReader() makes the cells of a field once for a row", () => {
  let reads = 0;
  const value: CollectedValue = {
    type: "number",
    get number() {
      reads++;
      return 7;
    },
  };
  const read = createRowReader([LIST], evaluationOf([value]));
  const row = read(rowOf("r"));
  for (let n = 0; n < 3; n++) row.cells({ kind: "computed", propertyId: "list" });
  assertEquals(reads, 1);
  read(rowOf("s")).cells({ kind: "computed", propertyId: "list" });
  assertEquals(reads, 2);
});

Deno.test("createRowReader() tells the IDs of people from the names that they are sorted by", () => {
  const author: Property = {
    id: "author",
    name: "Author",
    description: null,
    type: "created_by",
  };
  const evaluation: Evaluation = {
    ...evaluationOf([]),
    valueOf: () => ({ id: "author", type: "created_by", created_by: { object: "user", id: "u" } }),
    nameOf: () => "Ada",
  };
  const row = createRowReader([author], evaluation)(rowOf("r"));
  const [stored] = row.cells({ kind: "cells", propertyId: "author" });
  const [named] = row.cells({ kind: "computed", propertyId: "author" });
  assert(named?.key !== stored?.key && named?.key === sortKey("Ada"));
});

Deno.test("createRowReader() makes the cells of a list when they are needed, and once for a row", () => {
  const made: number[] = [];
  const values = [7, 8, 9].map((number): CollectedValue => ({
    type: "number",
    get number() {
      made.push(number);
      return number;
    },
  }));
  const read = createRowReader([LIST], evaluationOf(values));
  const row = read(rowOf("r"));
  assertEquals(row.cells({ kind: "computed", propertyId: "list" }).map(({ number }) => number), [
    7,
  ]);
  assertEquals(made, [7]);

  made.length = 0;
  const [first, second] = row.items("list");
  assertEquals([first?.[0]?.number, second?.[0]?.number, made], [7, 8, [7, 8]]);
  const all = [...row.items("list")];
  assertEquals(made, [7, 8, 9]);
  assertEquals([...row.items("unknown")], []);

  made.length = 0;
  assertEquals([...read(rowOf("other")).items("list")], all);
  assertEquals(made, [7, 8, 9]);
});
