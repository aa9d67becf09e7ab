import type { Change, DatabaseChange, Node } from "../../../src/content/schema/node.ts";
import type { Property } from "../../../src/content/schema/property.ts";
import { rewriteOf } from "../../../src/content/databases/row_changes.ts";
import { emptyCell } from "../../../src/content/properties/mod.ts";
import { newRow, parseRowDoc } from "../../../src/content/pages/rows.ts";
import { assertEquals } from "../../assert.ts";
import { createWorld, edit, ids, NAME, type Properties } from "./helpers.ts";

/** The changes of a request, and the properties by name before and after it. */
function patched(properties: Properties, patch: Properties) {
  const world = createWorld();
  const id = world.create({ ...NAME, ...properties });
  const before = world.properties(id);
  world.patch(id, patch);
  const after = world.properties(id);
  return { id, before: byName(before), after: byName(after), changes: world.changes };
}

function byName(schema: readonly Property[]): Readonly<Record<string, Property>> {
  return Object.fromEntries(schema.map((property) => [property.name, property]));
}

function withoutRewrite(changes: readonly Change[]): unknown[] {
  return changes.map((change) => {
    if (change.op !== "reshape") return change;
    const { before: _before, after: _after, isNumbered: _numbered, time: _time, ...rest } = change;
    return rest;
  });
}

Deno.test("a new property adds an empty cell to every row if its type has cells", () => {
  for (
    const type of ["number", "checkbox", "select", "created_time", "formula", "button"] as const
  ) {
    const { id, after, changes } = patched({}, { A: { [type]: {} } });
    const cell = emptyCell(type);
    const fill = { op: "writeCells", databaseId: id, propertyId: after.A?.id, cell };
    assertEquals(withoutRewrite(changes), cell === undefined ? [] : [fill]);
  }
});

Deno.test("deleting a property deletes its cells", () => {
  const { id, before, changes } = patched({ A: { number: {} }, B: { formula: {} } }, {
    A: null,
    B: null,
  });
  assertEquals(changes, [{ op: "deleteCells", databaseId: id, propertyId: before.A?.id ?? "" }]);
});

Deno.test("words stay if nothing searches a deleted property, or all rows are rewritten anyway", () => {
  const properties = { A: { checkbox: {} }, B: { number: {} }, C: { rich_text: {} } };
  const clears = (patch: Properties) => {
    const { before, changes } = patched(properties, patch);
    const names = Object.entries(before).map(([name, { id }]) => [id, name]);
    const nameOf = Object.fromEntries(names);
    return changes.filter((change) => change.op === "deleteCells")
      .map(({ propertyId, keepsWords = false }) => [nameOf[propertyId], keepsWords]);
  };
  assertEquals(clears({ A: null, B: null }), [["A", true], ["B", false]]);
  assertEquals(clears({ B: null, C: { url: {} } }), [["B", true]]);
  assertEquals(clears({ B: null, D: { unique_id: {} } }), [["B", true]]);
});

Deno.test("a new name, description, format or option changes no row", () => {
  const select = { select: { options: [{ name: "x" }] } };
  const { changes } = patched({ A: { number: {} }, B: select }, {
    A: { name: "Z", number: { format: "euro" }, description: "!" },
    B: { select: { options: [{ name: "y" }, { name: "x" }] } },
  });
  assertEquals(changes, []);
});

Deno.test("deleting an option rewrites only the rows that have it", () => {
  const options = [{ name: "x" }, { name: "y" }, { name: "z" }];
  const { id, before, changes } = patched({ A: { multi_select: { options } } }, {
    A: { multi_select: { options: [{ name: "y" }] } },
  });
  const { A } = before;
  const optionIds = A?.type === "multi_select" ? A.options.map((option) => option.id) : [];
  assertEquals(
    withoutRewrite(changes),
    [optionIds[0], optionIds[2]].map((key) => ({
      op: "reshape",
      databaseId: id,
      having: { propertyId: A?.id, key },
    })),
  );
});

Deno.test("changing the type of a property rewrites all rows if rows store its values", () => {
  const all = (databaseId: string) => [{ op: "reshape", databaseId }];
  const kept = patched({ A: { number: {} } }, { A: { rich_text: {} } });
  assertEquals(withoutRewrite(kept.changes), all(kept.id));
  const computed = patched({ A: { number: {} } }, { A: { formula: { expression: "1" } } });
  assertEquals(withoutRewrite(computed.changes), all(computed.id));
  const back = patched({ A: { formula: { expression: "1" } } }, { A: { number: {} } });
  assertEquals(withoutRewrite(back.changes), [
    {
      op: "writeCells",
      databaseId: back.id,
      propertyId: back.before.A?.id,
      cell: emptyCell("number"),
    },
  ]);
  const neither = patched({ A: { button: {} } }, { A: { created_time: {} } });
  assertEquals(neither.changes, []);
});

Deno.test("a new unique_id numbers the existing rows, oldest first", () => {
  for (const properties of [{}, { A: { number: {} } }]) {
    const { id, changes } = patched(properties, { A: { unique_id: {} } });
    assertEquals(withoutRewrite(changes), [
      { op: "reshape", databaseId: id },
      { op: "countAllRows", databaseId: id, from: 7 },
    ]);
  }
});

Deno.test("rewriting removes options, converts values and numbers rows", () => {
  const world = createWorld();
  const options = [{ name: "x" }, { name: "y" }];
  const id = world.create({ ...NAME, A: { multi_select: { options } }, N: { number: {} } });
  const row = newRow({
    input: {
      properties: { A: { multi_select: [{ name: "x" }, { name: "y" }] }, N: { number: 5 } },
    },
    schema: world.properties(id),
    id: ids.newId(),
    databaseId: id,
    position: "a0",
    edit,
  });
  world.patch(id, {
    A: { multi_select: { options: [{ name: "y" }] } },
    N: { url: {} },
    U: { unique_id: {} },
  });
  const [a, n, u] = ["A", "N", "U"].map((name) => world.property(id, name));
  const y = a?.type === "multi_select" ? a.options.map((option) => option.id) : [];
  assertEquals(valuesAfter(row.node, reshapes(world.changes)), {
    [a?.id ?? ""]: y,
    [n?.id ?? ""]: "5",
    [u?.id ?? ""]: 4,
  });
});

type Reshape = Extract<DatabaseChange, { readonly op: "reshape" }>;

function reshapes(changes: readonly Change[]): Reshape[] {
  return changes.filter((change) => change.op === "reshape");
}

/** The content of a row, the fourth of its database, after these changes. */
function valuesAfter(row: Node, changes: readonly Reshape[]): unknown {
  const after = changes.reduce(
    (node, change) => ({ ...node, ...rewriteOf(change)(node, 3).content }),
    row,
  );
  return parseRowDoc(after.doc).values;
}
