/**
 * The part of the store's contract that links rows.
 *
 * @module
 */
import fc from "fast-check";
import type { LinkSide } from "../../src/content/schema/property.ts";
import { EMPTY } from "../../src/content/schema/cells.ts";
import type { Change } from "../../src/content/schema/node.ts";
import type { KeyField } from "../../src/content/query/filter.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, refused, type StoreTest, W } from "./contract_support.ts";
import { cellsOf, D, database, keyCell, numberCell, rowNode } from "./row_samples.ts";
import { insert, trash } from "./samples.ts";

const RELATION = "relation";
const IDS = ["a", "b", "c", "d"];

/** Registers what `links()` answers, and the changes behind it. */
export function linkContract(test: StoreTest): void {
  test("links() shows both sides of what was linked from either", async (store) => {
    await done(store, [...rows(), link("from", "a", ["d", "b", "b", "c"])]);
    assertEquals(await linked(store, "from", IDS), new Map([["a", ["d", "b", "c"]]]));
    assertEquals(await linked(store, "to", ["d", "b"]), new Map([["b", ["a"]], ["d", ["a"]]]));
    await done(store, [link("to", "b", ["d", "c"])]);
    assertEquals(
      await linked(store, "from", IDS),
      new Map([["a", ["d", "c"]], ["c", ["b"]], ["d", ["b"]]]),
    );
    assertEquals(await linked(store, "to", ["b"]), new Map([["b", ["c", "d"]]]));
  });

  test("links() keeps the order of the other rows' links", async (store) => {
    await done(store, [...rows(), link("from", "a", ["d", "b"]), link("to", "c", ["a"])]);
    assertEquals(await linked(store, "from", ["a"]), new Map([["a", ["d", "b", "c"]]]));
    await done(store, [link("to", "d", ["a", "b"])]);
    assertEquals(await linked(store, "from", ["a"]), new Map([["a", ["d", "b", "c"]]]));
    await done(store, [link("from", "a", ["c", "d"])]);
    assertEquals(await linked(store, "from", ["a"]), new Map([["a", ["c", "d"]]]));
  });

  test("a row loses thousands of links, and keeps those that a later change makes again", async (store) => {
    const many = Array.from({ length: 2_500 }, (_, index) => `row ${index}`);
    await done(store, [...rows(), ...insert(...many.map((id) => rowNode(id)))]);
    await done(store, [link("from", "a", [...many, "a"]), link("to", "b", many)]);
    assertEquals(await severallyLinked(store, "to"), ["b"]);
    await done(store, [link("from", "a", ["d"]), link("to", "a", ["a", "c"]), link("to", "b", [])]);
    assertEquals(
      await linked(store, "from", [...IDS, ...many]),
      new Map([["a", ["d", "a"]], ["c", ["a"]]]),
    );
    assertEquals(await severallyLinked(store, "from"), ["a"]);
    assertEquals(await severallyLinked(store, "to"), ["a"]);
  });

  test("distinctKeys() answers each key of a field once, in order, up to the limit", async (store) => {
    await done(store, [
      ...rows(),
      link("from", "a", ["d", "b", "c"]),
      link("from", "b", ["d"]),
      { op: "link", relationId: "r2", side: "from", id: "a", others: ["a"] },
      ...["x", "y", "x", "w"].map((key, index): Change => ({
        op: "insert",
        node: rowNode(`row ${index}`, { createdBy: key, editedBy: "me" }),
        cells: [...cellsOf("p", keyCell(key), keyCell("z")), ...cellsOf("q", keyCell("other"))],
      })),
      { op: "insert", node: rowNode("number"), cells: cellsOf("p", numberCell(1)) },
      { op: "insert", node: rowNode("empty"), cells: cellsOf("p", EMPTY) },
    ]);
    const keys = (field: KeyField, limit = 10) =>
      store.distinctKeys(W, { databaseId: D, field, limit });
    const cells: KeyField = { kind: "cells", propertyId: "p" };
    assertEquals(await keys(cells), ["w", "x", "y", "z"]);
    assertEquals(await keys(cells, 2), ["w", "x"]);
    assertEquals(await keys({ kind: "cells", propertyId: "nothing" }), []);
    const by = rowNode("any").createdBy;
    assertEquals(await keys({ kind: "row", member: "createdBy" }), [by, "w", "x", "y"].sort());
    assertEquals(await keys({ kind: "row", member: "editedBy" }), [by, "me"].sort());
    const relation = { kind: "links", relationId: RELATION } as const;
    assertEquals(await keys({ ...relation, side: "from" }), ["b", "c", "d"]);
    assertEquals(await keys({ ...relation, side: "to" }), ["a", "b"]);
    assertEquals(
      await store.distinctKeys("elsewhere", { databaseId: D, field: cells, limit: 9 }),
      [],
    );
  });

  test("severallyLinked() answers the rows with several links, whatever is in the trash", async (store) => {
    await done(store, [...rows(), link("from", "a", ["d", "b"]), link("from", "b", ["d"])]);
    await done(store, [{ op: "link", relationId: "r2", side: "from", id: "c", others: IDS }]);
    await done(store, [trash("a"), trash("d")]);
    assertEquals(await severallyLinked(store, "from"), ["a"]);
    assertEquals(await severallyLinked(store, "to"), ["d"]);
    await done(store, [link("from", "a", ["b"])]);
    assertEquals(await severallyLinked(store, "from"), []);
    const query = { relationId: RELATION, side: "from", limit: 9 } as const;
    assertEquals(await store.severallyLinked("elsewhere", query), []);
  });

  test("severallyLinked() answers the first rows by ID, up to the limit", async (store) => {
    await done(store, [...rows(), ...IDS.map((id) => link("from", id, ["a", "b", "c"]))]);
    assertEquals(await severallyLinked(store, "from", 3), ["a", "b", "c"]);
    assertEquals(await severallyLinked(store, "to", 2), ["a", "b"]);
  });

  test("links() leaves out rows in the trash, and shows them again once they live", async (store) => {
    await done(store, [...rows(), link("from", "a", ["b", "c"])]);
    await done(store, [trash("b"), trash("a")]);
    assertEquals(await linked(store, "from", ["a"]), new Map([["a", ["c"]]]));
    assertEquals(await linked(store, "to", ["b", "c"]), new Map());
    await done(store, ["a", "b"].map((id) => ({ op: "restore", id, version: 2, edit })));
    assertEquals(await linked(store, "to", ["b"]), new Map([["b", ["a"]]]));
  });

  test("links() shows rows that were trashed with what is being restored", async (store) => {
    await done(store, [...rows(), link("from", "a", ["d", "a", "b", "c"])]);
    await done(store, [trash("b"), trash("a")]);
    const query = { relationId: RELATION, side: "from", ids: ["a"] } as const;
    assertEquals(
      await store.links(W, { ...query, restored: "a" }),
      new Map([["a", ["d", "a", "c"]]]),
    );
  });

  test("links() is of one relation and workspace, until that is unlinked", async (store) => {
    await done(store, [...rows(), link("from", "a", ["b"])]);
    await done(store, [{ op: "link", relationId: "r2", side: "from", id: "a", others: ["c"] }]);
    await store.commit("elsewhere", [...rows(), link("from", "a", ["d"])]);
    assertEquals(await linked(store, "from", ["a"]), new Map([["a", ["b"]]]));
    await done(store, [{ op: "unlink", relationId: RELATION }]);
    assertEquals(await linked(store, "from", IDS), new Map());
    const other = await store.links(W, { relationId: "r2", side: "from", ids: ["a"] });
    assertEquals(other, new Map([["a", ["c"]]]));
  });

  test("links() of a row with thousands are read in slices, each once and in order", async (store) => {
    const others = Array.from({ length: 2_500 }, (_, index) => `other${index}`);
    await done(store, insert(database(), rowNode("a"), ...others.map((id) => rowNode(id))));
    const backwards = others.toReversed();
    await done(store, [link("from", "a", backwards), trash("other7")]);
    let rests = 0;
    const query = { relationId: RELATION, side: "from", ids: ["a", "other7"] } as const;
    const found = await store.links(W, query, () => {
      rests++;
      return undefined;
    });
    assertEquals(found, new Map([["a", backwards.filter((id) => id !== "other7")]]));
    assert(rests > 2, `${rests} slices`);
    assertEquals(
      await store.links(W, { ...query, restored: "other7" }),
      new Map([["a", backwards]]),
    );
    const back = await linked(store, "to", others);
    assertEquals(back.size, 2_500);
    assertEquals(back.get("other7"), ["a"]);
  });

  test("commit() links nothing where a later change is refused", async (store) => {
    await done(store, rows());
    await refused(store, [link("from", "a", ["b"]), trash("nobody")]);
    assertEquals(await linked(store, "from", ["a"]), new Map());
  });

  test("links() is the same relation seen from either end, whatever was linked", async (store) => {
    await done(store, rows());
    const step = fc.record({
      side: fc.constantFrom<LinkSide>("from", "to"),
      id: fc.constantFrom(...IDS),
      others: fc.shuffledSubarray(IDS),
    });
    await fc.assert(fc.asyncProperty(step, async ({ side, id, others }) => {
      await done(store, [link(side, id, others)]);
      const shown = (await linked(store, side, [id])).get(id) ?? [];
      assertEquals(shown, side === "from" ? others : others.toSorted());
      assertEquals(
        pairs(await linked(store, "from", IDS)),
        pairs(await linked(store, "to", IDS), true),
      );
    }));
  });
}

const edit = { time: 3_000, by: "ann" };

function rows(): Change[] {
  return insert(database(), ...IDS.map((id) => rowNode(id)));
}

function link(side: LinkSide, id: string, others: readonly string[]): Change {
  return { op: "link", relationId: RELATION, side, id, others };
}

function linked(
  store: Store,
  side: LinkSide,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  return store.links(W, { relationId: RELATION, side, ids });
}

/** The first rows with several links. */
function severallyLinked(store: Store, side: LinkSide, limit = 9): Promise<string[]> {
  return store.severallyLinked(W, { relationId: RELATION, side, limit });
}

/** All links as texts, whichever side they were read from. */
function pairs(links: ReadonlyMap<string, readonly string[]>, turned = false): string[] {
  return [...links].flatMap(([id, others]) =>
    others.map((other) => turned ? `${other} ${id}` : `${id} ${other}`)
  ).toSorted();
}
