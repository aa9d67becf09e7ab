/**
 * The part of the store's contract that queries rows and changes what belongs to a database.
 *
 * @module
 */
import type { Property, Schema } from "../../src/content/schema/property.ts";
import type { RowPlace } from "../../src/content/schema/database.ts";
import type { Change, MaterializedCell, Node, NodeContent } from "../../src/content/schema/node.ts";
import { EMPTY, type PropertyCell } from "../../src/content/schema/cells.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import type { Field, Filter, RowQuery, Sort } from "../../src/content/query/filter.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, node, refused, type StoreTest, W } from "./contract_support.ts";
import {
  cellsOf,
  D,
  database,
  keyCell,
  numberCell,
  rowNode,
  rowQuery,
  textCell,
} from "./row_samples.ts";
import { block, insert, LATER, page, trash, view } from "./samples.ts";

const A: Field = { kind: "cells", propertyId: "a" };
const CONTENT: NodeContent = { title: "New", doc: "{}", hasMentions: false };
const BY_A: readonly Sort[] = [{ field: A, descending: false, single: true }];

/** Registers what `nodes()`, `rows()` and `lastNumber()` answer, and the changes behind them. */
export function rowContract(test: StoreTest): void {
  nodesTests(test);
  rowsTests(test);
  cellTests(test);
  columnTests(test);
  materializeTests(test);
  countTests(test);
  reshapeTests(test);
  expectTests(test);
}

/** A new row with these cells. */
function row(
  id: string,
  cells: readonly PropertyCell[] = [],
  members: Partial<Node> = {},
): Extract<Change, { readonly op: "insert" }> {
  return { op: "insert", node: rowNode(id, members), cells };
}

function rowOf(id: string, number: number): Change {
  return row(id, cellsOf("a", numberCell(number)));
}

/** Ids of the rows that a query finds. */
async function found(store: Store, query: Partial<RowQuery> = {}): Promise<string[]> {
  return (await store.rows(W, rowQuery(query))).map(({ node }) => node.id);
}

function having(key: string): Filter {
  return { op: "test", field: A, test: { is: "key", key } };
}

/** A document that is such a part of a page of a list. */
function longDoc(part: number): string {
  return JSON.stringify("x".repeat(LIMITS.pageLength / part));
}

function nodesTests(test: StoreTest): void {
  test("firstNodes() answers those that exist as node() does", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), page("q")));
    await done(store, [trash("q")]);
    const nodes = await store.firstNodes(W, ["p", "b", "q", "nobody"]);
    const byId = nodes.toSorted((a, b) => a.id < b.id ? -1 : 1);
    assertEquals(byId, await Promise.all(["b", "p", "q"].map((id) => node(store, id))));
    assertEquals(await store.firstNodes(W, []), []);
    assertEquals(await store.firstNodes("elsewhere", ["p"]), []);
  });

  test("firstNodes() answers those that exist in the order asked for", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), page("q")));
    await done(store, [trash("q")]);
    const nodes = await store.firstNodes(W, ["q", "nobody", "b", "p"]);
    assertEquals(nodes, await Promise.all(["q", "b", "p"].map((id) => node(store, id))));
    assertEquals(await store.firstNodes(W, []), []);
    assertEquals(await store.firstNodes("elsewhere", ["p"]), []);
  });

  test("firstNodes(), children() and edited() end with the node behind a full page", async (store) => {
    const long = (id: string, part: number, editedTime: number) =>
      page(id, {
        parentKind: "page",
        parentId: "top",
        position: id,
        editedTime,
        doc: longDoc(part),
      });
    // Half a page, the rest of it, the next, and one more.
    const pages = [long("a", 2, 9), long("b", 2, 8), long("c", 9, 7), long("d", 9, 6)];
    await done(store, insert(page("top"), ...pages));
    const idsOf = (nodes: readonly Node[]) => nodes.map(({ id }) => id);
    assertEquals(idsOf(await store.firstNodes(W, ["a", "b", "c", "d"])), ["a", "b", "c"]);
    assertEquals(idsOf(await store.firstNodes(W, ["c", "d", "a"])), ["c", "d", "a"]);
    assertEquals(idsOf(await store.children(W, "top", { limit: 4 })), ["a", "b", "c"]);
  });
}

function rowsTests(test: StoreTest): void {
  test("rows() answers whole nodes and where they stand", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 2), ...insert(block("b", "r"))]);
    assertEquals(await store.rows(W, rowQuery({ sorts: BY_A })), [{
      node: view(rowNode("r"), { hasChildren: true }),
      cursor: { keys: [2], id: "r" },
    }]);
  });

  test("listRows() answers as rows() does, without nodes that are known or not shown", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1), rowOf("s", 2), rowOf("t", 3)]);
    const query = rowQuery({ sorts: BY_A });
    const asked: (readonly [string, number])[] = [];
    const listing = {
      isKnown: (id: string, version: number) => {
        asked.push([id, version]);
        return id !== "s";
      },
    };
    const [r, s, t] = await store.rows(W, query);
    assert(r !== undefined && s !== undefined && t !== undefined);
    assertEquals(await store.listRows(W, query, listing), [
      { cursor: r.cursor },
      s,
      { cursor: t.cursor },
    ]);
    assertEquals(asked, [r, s, t].map(({ node: { id, version } }) => [id, version] as const));
    assertEquals(await store.listRows(W, query, { isKnown: () => false }), [r, s, t]);
    assertEquals(await store.listRows(W, query, { isKnown: () => false, shown: 2 }), [
      r,
      s,
      { cursor: t.cursor },
    ]);
  });

  test("listRows() ends behind the node behind a full page, however many rows are known", async (store) => {
    const long = (id: string, part: number, number: number) =>
      row(id, cellsOf("a", numberCell(number)), { doc: longDoc(part) });
    const rows = [long("r", 2, 1), long("t", 2, 3), long("v", 9, 5), long("x", 9, 7)];
    const known = [["q", 0], ["s", 2], ["u", 4], ["w", 6], ["y", 8]] as const;
    await done(store, [
      ...insert(database()),
      ...rows,
      ...known.map(([id, number]) => rowOf(id, number)),
    ]);
    const listed = await store.listRows(W, rowQuery({ sorts: BY_A }), {
      isKnown: (id) => known.some(([one]) => one === id),
    });
    assertEquals(listed.map(({ cursor }) => cursor.id), ["q", "r", "s", "t", "u", "v", "w"]);
  });

  test("rows() answers rows of this database and workspace alone", async (store) => {
    const other = { parentId: "other", containerId: "other" };
    await done(store, [
      ...insert(database(), database("other")),
      rowOf("r", 1),
      row("s", cellsOf("a", numberCell(1)), other),
      ...insert(block("b", D)),
    ]);
    await store.commit("elsewhere", [...insert(database()), rowOf("x", 1)]);
    assertEquals(await found(store), ["r"]);
    assertEquals(await found(store, { sorts: BY_A }), ["r"]);
    assertEquals(await found(store, { databaseId: "other", sorts: BY_A }), ["s"]);
    assertEquals(await found(store, { databaseId: "nowhere", sorts: BY_A }), []);
  });

  test("rows() answers the trashed instead where they are asked for", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1), rowOf("s", 2), rowOf("t", 3)]);
    await done(store, [trash("r"), trash("t")]);
    assertEquals(await found(store, { sorts: BY_A }), ["s"]);
    assertEquals(await found(store, { sorts: BY_A, inTrash: true }), ["r", "t"]);
    await done(store, [{ op: "restore", id: "t", version: 2, edit: LATER }]);
    assertEquals(await found(store, { sorts: BY_A }), ["s", "t"]);
  });

  test("rows() evaluates a filter of a thousand conditions, and of any depth", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1)]);
    const many: Filter[] = Array.from({ length: 1_000 }, (_, index) => having(`key ${index}`));
    const hit: Filter = { op: "test", field: A, test: { is: "between", from: 1, to: 1 } };
    assertEquals(await found(store, { filter: { op: "or", filters: many } }), []);
    assertEquals(await found(store, { filter: { op: "or", filters: [...many, hit] } }), ["r"]);
    const none: Filter = { op: "not", filter: { op: "or", filters: many } };
    assertEquals(await found(store, { filter: { op: "and", filters: [none, hit] } }), ["r"]);
    const deep = Array.from({ length: 20 }).reduce<Filter>(
      (inner) => ({ op: "and", filters: [{ op: "or", filters: [inner, having("x")] }, hit] }),
      hit,
    );
    assertEquals(await found(store, { filter: deep }), ["r"]);
  });

  test("rows() finds what is in texts, also behind the end of their sort key", async (store) => {
    const text = `${"long ".repeat(30)}Ärger`;
    await done(store, [
      ...insert(database()),
      row("r", cellsOf("a", textCell(text))),
      row("s", cellsOf("a", textCell("ärgerlich"))),
      row("t", cellsOf("a", textCell("arger"))),
      row("e", cellsOf("a", EMPTY)),
    ]);
    const within = (how: "contains" | "ends", operand: string): Filter => {
      const { text, key } = textCell(operand);
      return { op: "test", field: A, test: { is: "text", how, text: text ?? "", key: key ?? "" } };
    };
    assertEquals((await found(store, { filter: within("contains", "ÄRGER") })).sort(), ["r", "s"]);
    assertEquals(await found(store, { filter: within("ends", "ÄRGER") }), ["r"]);
    assertEquals(await found(store, { filter: within("ends", "lich") }), ["s"]);
    assertEquals(await found(store, { filter: within("contains", "e\u0308") }), []);
  });

  test("rows() finds what is in long texts, whatever they were before", async (store) => {
    const long = "lorem ".repeat(1_000);
    const texts = ["short", `${long}dolor`, `${long}sit`, "amet", `${long}amet`];
    const within = (how: "contains" | "ends" | "equals" | "starts", operand: string): Filter => {
      const { text, key } = textCell(operand);
      return { op: "test", field: A, test: { is: "text", how, text: text ?? "", key: key ?? "" } };
    };
    await done(store, [...insert(database()), row("r", cellsOf("a", textCell("new")))]);
    for (const [index, text] of texts.entries()) {
      const cells = cellsOf("a", textCell(text));
      const edit = { op: "update", id: "r", version: index + 1, edit: LATER, ...CONTENT } as const;
      await done(store, [{ ...edit, cells }]);
      for (const other of texts) {
        const expected = other === text ? ["r"] : [];
        const word = other.split(" ").at(-1) ?? "";
        assertEquals(await found(store, { filter: within("equals", other) }), expected, other);
        const isLast = text.endsWith(word);
        assertEquals(await found(store, { filter: within("ends", word) }), isLast ? ["r"] : []);
        assertEquals(await found(store, { filter: within("contains", word) }), isLast ? ["r"] : []);
      }
      const starts = await found(store, { filter: within("starts", long) });
      assertEquals(starts, text.startsWith(long) ? ["r"] : []);
    }
  });

  test("rows() takes every operand literally", async (store) => {
    const odd = "' OR 1=1 -- %_?*\"";
    const cells = cellsOf("a", { number: null, key: odd, text: odd });
    await done(store, [
      ...insert(database()),
      row("r", cells),
      row("s", cellsOf("a", keyCell("x"))),
    ]);
    for (const how of ["equals", "contains", "starts", "ends"] as const) {
      const asked: Filter = {
        op: "test",
        field: A,
        test: { is: "text", how, text: odd, key: odd },
      };
      assertEquals(await found(store, { filter: asked }), ["r"]);
    }
    assertEquals(await found(store, { filter: having(odd) }), ["r"]);
    const field: Field = { kind: "cells", propertyId: odd };
    assertEquals(await found(store, { sorts: [{ field, descending: true }] }), ["s", "r"]);
  });
}

function cellTests(test: StoreTest): void {
  test("commit() replaces the cells of a row, all of them", async (store) => {
    const before = [...cellsOf("a", keyCell("x"), keyCell("y")), ...cellsOf("b", numberCell(1))];
    const after = [...cellsOf("a", keyCell("y")), ...cellsOf("b", numberCell(1))];
    await done(store, [...insert(database()), row("r", before)]);
    const edit = { op: "update", id: "r", version: 1, edit: LATER, ...CONTENT } as const;
    await done(store, [{ ...edit, cells: after }]);
    assertEquals(await found(store, { filter: having("x") }), []);
    assertEquals(await found(store, { filter: having("y") }), ["r"]);
    await done(store, [{ ...edit, version: 2 }]);
    assertEquals(await found(store, { filter: having("y") }), ["r"]);
  });

  test("a rejected commit() leaves the cells unchanged", async (store) => {
    await done(store, [...insert(database()), row("r", cellsOf("a", keyCell("x")))]);
    const edit = { op: "update", id: "r", version: 1, edit: LATER, ...CONTENT } as const;
    await refused(store, [{ ...edit, cells: cellsOf("a", keyCell("y")) }, trash("r", 9)]);
    assertEquals(await found(store, { filter: having("x") }), ["r"]);
  });
}

function columnTests(test: StoreTest): void {
  test("commit() fills a new property of every row, and clears one", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1), rowOf("s", 2)]);
    await done(store, [trash("s")]);
    const column = { databaseId: D, propertyId: "b" };
    const empty: Filter = {
      op: "test",
      field: { kind: "cells", propertyId: "b" },
      test: { is: "empty" },
    };
    await done(store, [{ op: "writeCells", ...column, cell: EMPTY }]);
    assertEquals(await found(store, { filter: empty }), ["r"]);
    assertEquals(await found(store, { filter: empty, inTrash: true }), ["s"]);
    await done(store, [{ op: "deleteCells", ...column }, {
      op: "writeCells",
      ...column,
      cell: numberCell(0),
    }]);
    assertEquals(await found(store, { filter: empty }), []);
    assertEquals(await found(store, { sorts: BY_A }), ["r"]);
  });
}

function materializeTests(test: StoreTest): void {
  const sorted: Field = { kind: "cells", propertyId: "=f" };
  const change = (...rows: readonly MaterializedCell[]): Change => (
    { op: "materialize", databaseId: D, propertyId: "=f", rows }
  );
  const order = { sorts: [{ field: sorted, descending: false, single: true }] } as const;

  const keys = async (store: Store) =>
    (await store.rows(W, rowQuery(order))).map(({ cursor }) => cursor.keys[0]);

  test("commit() sets one cell of rows, inside and outside the trash", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1), rowOf("s", 2), rowOf("t", 3)]);
    await done(store, [trash("t")]);
    const exact = 0.1 + 0.2;
    await done(store, [change(
      { id: "r", version: 1, cell: keyCell("z") },
      { id: "s", version: 1, cell: numberCell(1) },
      { id: "t", version: 2, cell: EMPTY },
    )]);
    assertEquals(await found(store, order), ["s", "r"]);
    assertEquals(await keys(store), [1, "z"]);
    const empty: Filter = { op: "test", field: sorted, test: { is: "empty" } };
    assertEquals(await found(store, { filter: empty, inTrash: true }), ["t"]);
    await done(store, [change(
      { id: "r", version: 1, cell: numberCell(exact) },
      { id: "s", version: 1, cell: null },
    )]);
    assertEquals(await found(store, order), ["r", "s"]);
    assertEquals(await keys(store), [exact, null]);
  });

  test("commit() sets no cell unless all rows are there in their versions", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1), rowOf("s", 2)]);
    await done(store, [change({ id: "r", version: 1, cell: numberCell(1) })]);
    const good = { id: "r", version: 1, cell: numberCell(2) };
    await refused(store, [change(good, { id: "s", version: 2, cell: EMPTY })]);
    await refused(store, [change(good, { id: "missing", version: 1, cell: EMPTY })]);
    await refused(store, [{ ...change(good), databaseId: "other" } as Change]);
    assertEquals(await keys(store), [1, null]);
  });

  test("commit() of a row deletes the cells that it does not name", async (store) => {
    await done(store, [...insert(database()), rowOf("r", 1)]);
    await done(store, [change({ id: "r", version: 1, cell: numberCell(1) })]);
    const edit = { op: "update", id: "r", version: 1, edit: LATER, ...CONTENT } as const;
    await done(store, [{ ...edit, cells: cellsOf("a", numberCell(5)) }]);
    assertEquals(await keys(store), [null]);
  });

  test("rowPlaces() answers all rows, oldest first, in portions", async (store) => {
    await done(store, [...insert(database()), ...["r", "s", "t"].map((id, at) => rowOf(id, at))]);
    await done(store, [trash("s")]);
    const ids: string[] = [];
    let after: RowPlace | null = null;
    for (;;) {
      const places: RowPlace[] = await store.rowPlaces(W, { databaseId: D, after, limit: 2 });
      const last = places.at(-1);
      if (last === undefined) break;
      ids.push(...places.map(({ id }) => id));
      after = last;
    }
    assertEquals(ids, ["r", "s", "t"]);
    assertEquals(await store.rowPlaces("elsewhere", { databaseId: D, after: null, limit: 2 }), []);
  });
}

function countTests(test: StoreTest): void {
  test("lastNumber() is what count says, from where it was", async (store) => {
    const count = (from: number, to: number): Change => ({ op: "count", databaseId: D, from, to });
    const countAll = (from: number): Change => ({ op: "countAllRows", databaseId: D, from });
    await done(store, [...insert(database()), rowOf("r", 1), rowOf("s", 2)]);
    assertEquals(await store.lastNumber(W, D), 0);
    await refused(store, [count(1, 2)]);
    await done(store, [count(0, 1), count(1, 2)]);
    await refused(store, [count(1, 3)]);
    await refused(store, [count(0, 3)]);
    assertEquals(await store.lastNumber(W, D), 2);
    await done(store, [count(2, 7)]);
    await refused(store, [countAll(2)]);
    await done(store, [trash("s"), countAll(7)]);
    assertEquals(await store.lastNumber(W, D), 2);
    assertEquals(await store.lastNumber("elsewhere", D), 0);
  });

  test("commit() lets one of two take the next number", async (store) => {
    await done(store, insert(database()));
    const next: Change = { op: "count", databaseId: D, from: 0, to: 1 };
    const outcomes = await Promise.all([store.commit(W, [next]), store.commit(W, [next])]);
    assertEquals(outcomes.toSorted(), ["committed", "conflict"]);
  });
}

const TITLE: Property = { id: "title", name: "Name", description: null, type: "title" };
const NUMBER: Property = { ...TITLE, id: "a", type: "unique_id", prefix: null };

function tagged(...options: readonly string[]): Property {
  return {
    ...TITLE,
    id: "a",
    type: "multi_select",
    options: options.map((id) => ({ id, name: id, color: "red", description: null })),
  };
}

/** A new row whose document keeps this value of the property `a`, beside its cells. */
function rowWith(value: unknown, row: Extract<Change, { readonly op: "insert" }>): Change {
  const doc = { cover: null, icon: null, values: value === undefined ? {} : { a: value } };
  return { ...row, node: { ...row.node, doc: JSON.stringify(doc) } };
}

function valueIn({ doc }: Pick<Node, "doc">): unknown {
  return JSON.parse(doc).values.a;
}

function reshape(before: Schema, after: Schema): Extract<Change, { readonly op: "reshape" }> {
  const isNumbered = after.some(({ type }) => type === "unique_id");
  return { op: "reshape", databaseId: D, time: 0, before, after, isNumbered };
}

function reshapeTests(test: StoreTest): void {
  test("commit() reshapes all rows, the oldest first, trashed ones too", async (store) => {
    const ids = Array.from({ length: 450 }, (_, index) => `r${index}`);
    // Each second one has a number already, and stays as it is.
    const rows = ids.map((id, index) =>
      rowWith(index % 2 === 0 ? undefined : 900, row(id, [], { createdTime: 9_000 - index }))
    );
    await done(store, [...insert(database()), ...rows]);
    await done(store, [trash("r448"), trash("r449")]);
    await done(store, [reshape([TITLE, NUMBER], [TITLE, NUMBER])]);
    const nodes = await Promise.all(ids.map((id) => node(store, id)));
    assertEquals(nodes.map(valueIn), ids.map((_, index) => index % 2 === 0 ? 450 - index : 900));
    assertEquals(nodes.map(({ version }) => version).slice(-4), [2, 1, 3, 2]);
    assertEquals(nodes[446]?.editedTime, rowNode("r446").editedTime);
    assertEquals(nodes[448]?.trashRoot, "r448");
    assertEquals(await found(store, { sorts: BY_A, limit: 2 }), ["r446", "r444"]);
  });

  test("commit() reshapes only rows that have a cell, each once", async (store) => {
    const tags = (...keys: string[]) => cellsOf("a", ...keys.map(keyCell));
    const kept = { r: ["x", "y"], s: ["y"], t: ["z", "x", "x"] };
    const rows = Object.entries(kept).map(([id, keys]) => rowWith(keys, row(id, tags(...keys))));
    await done(store, [...insert(database()), ...rows]);
    const change = reshape([TITLE, tagged("x", "y", "z")], [TITLE, tagged("y", "z")]);
    await done(store, [{ ...change, having: { propertyId: "a", key: "x" } }]);
    const nodes = await Promise.all(Object.keys(kept).map((id) => node(store, id)));
    assertEquals(nodes.map(valueIn), [["y"], ["y"], ["z"]]);
    assertEquals(nodes.map(({ version }) => version), [2, 1, 2]);
    assertEquals(await found(store, { filter: having("x") }), []);
    assertEquals(await found(store, { filter: having("z") }), ["t"]);
  });

  test("commit() undoes a reshape that fails", async (store) => {
    await done(store, [...insert(database()), rowWith(undefined, row("r"))]);
    await refused(store, [reshape([TITLE], [TITLE, NUMBER]), trash("r", 9)]);
    assertEquals((await node(store, "r")).version, 1);
    assertEquals(valueIn(await node(store, "r")), undefined);
  });
}

function expectTests(test: StoreTest): void {
  test("commit() expects a living node of a version, and changes nothing of it", async (store) => {
    const expect = (id: string, version: number): Change => ({ op: "expect", id, version });
    await done(store, insert(page("p")));
    await done(store, [expect("p", 1)]);
    assertEquals(await store.node(W, "p"), view(page("p")));
    await refused(store, [expect("p", 2)]);
    await refused(store, [expect("nobody", 1)]);
    await done(store, [trash("p")]);
    await refused(store, [expect("p", 2)]);
    const mayBeTrashed = true;
    await done(store, [{ op: "expect", id: "p", version: 2, mayBeTrashed }]);
    await refused(store, [{ op: "expect", id: "p", version: 1, mayBeTrashed }]);
  });

  test("commit() expects living rows of a database, also many at once", async (store) => {
    const expect = (...ids: string[]): Change => ({ op: "expectRows", databaseId: D, ids });
    await done(store, [
      ...insert(database(), page("p")),
      ...["r", "s"].map((id) => rowWith(undefined, row(id))),
    ]);
    for (const ids of [[], ["r"], ["s", "r"]]) await done(store, [expect(...ids)]);
    for (const ids of [["p"], ["r", "nobody"], [D]]) await refused(store, [expect(...ids)]);
    await done(store, [trash("s", (await node(store, "s")).version)]);
    await refused(store, [expect("s", "r")]);
    await done(store, [expect("r")]);
  });

  test("commit() expects a node without children outside the trash", async (store) => {
    const expected: Change = { op: "expectChildless", id: "p" };
    await done(store, insert(page("p")));
    await done(store, [expected]);
    await done(store, insert(page("c", { parentKind: "page", parentId: "p", containerId: "p" })));
    await refused(store, [expected]);
    await done(store, [trash("c")]);
    await done(store, [expected]);
  });
}
