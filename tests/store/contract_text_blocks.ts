/**
 * Contract: text blocks change nothing about what queries find.
 *
 * @module
 */
import fc from "fast-check";
import { fold, sortKey } from "../../src/content/schema/collation.ts";
import type { Change, MoveChange } from "../../src/content/schema/node.ts";
import { type Filter, NEWEST_FIRST, type RowQuery } from "../../src/content/query/filter.ts";
import type { Store } from "../../src/store/port.ts";
import { BLOCK_SIZES } from "../../src/store/text_blocks.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, node, type OpenStore, W } from "./contract_support.ts";
import { columnsOf, sealSome } from "./contract_rows_model.ts";
import { cellsOf, D, database, rowNode, rowQuery, textCell } from "./row_samples.ts";
import { insert, LATER, restore, trash } from "./samples.ts";

const IDS = idsOf(24);

function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `r${String(index).padStart(3, "0")}`);
}

const TEXTS = [
  "",
  "a",
  "Ab",
  "bAc",
  "é",
  "猫と犬",
  "*[?",
  "a\u0001b",
  "\u0002",
  `${"x".repeat(1_001)}b`,
];
const NEEDLES = ["a", "B", "ac", "猫", "zz", "[?", "\u0001b", "xb", "É"];
const DEEDS = ["write", "write", "write", "trash", "restore", "out", "in"] as const;

/** Orders of rows: by creation either way, and by further sorts among those created together. */
const ORDERS = {
  newest: NEWEST_FIRST,
  oldest: [{ field: { kind: "row", member: "createdTime" }, descending: false }],
  newestThenAuthor: [
    ...NEWEST_FIRST,
    { field: { kind: "row", member: "createdBy" }, descending: false },
  ],
} as const satisfies Readonly<Record<string, RowQuery["sorts"]>>;

interface Deed {
  readonly id: string;
  readonly deed: (typeof DEEDS)[number];
  readonly text: string;
}

/** A row of the model. */
interface Entry {
  readonly text: string;
  readonly isRow: boolean;
  readonly isTrashed: boolean;
}

const someDeed: fc.Arbitrary<Deed> = fc.record({
  id: fc.constantFrom(...IDS),
  deed: fc.constantFrom(...DEEDS),
  text: fc.constantFrom(...TEXTS),
});

const steps = fc.array(
  fc.record({
    deeds: fc.array(someDeed, { maxLength: 6 }),
    sealed: fc.constantFrom(0, 1, 2, 20),
    how: fc.constantFrom("contains" as const, "ends" as const),
    needles: fc.array(fc.constantFrom(...NEEDLES), { minLength: 1, maxLength: 2 }),
    op: fc.constantFrom("and" as const, "or" as const),
    order: fc.constantFrom("newest" as const, "oldest" as const, "newestThenAuthor" as const),
    limit: fc.constantFrom(2, 100),
  }),
  { minLength: 3, maxLength: 8 },
);

/** Registers the contract; `open` opens a store that takes small databases for large ones. */
export function textBlockContract(name: string, open: OpenStore): void {
  const test = (sentence: string, body: (store: Store) => Promise<void>) =>
    Deno.test(`${name}: ${sentence}`, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });

  Deno.test(`${name}: texts are found in blocks as without, whatever was written since`, async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      const store = await open();
      try {
        await playThrough(store, all);
      } finally {
        await store.close();
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test("a write beside the work that seals a block is found", async (store) => {
    // So many that the blocks are the shortest way.
    const ids = idsOf(240);
    await fill(store, ids);
    for (const [round, id] of ids.slice(0, 30).entries()) {
      const version = (await node(store, id)).version;
      const text = `round ${round} of many`;
      await Promise.all([
        sealSome(store, 100),
        done(store, [writing(id, version, text)]),
        sealSome(store, 100),
      ]);
      assertEquals(await found(store, textQuery("contains", [text])), [id]);
    }
  });

  test("rows found in blocks of two properties are in order", async (store) => {
    const ids = idsOf(120);
    const matching = ids.filter((_, at) => at % 3 === 0);
    await done(store, insert(database()));
    await done(
      store,
      ids.map((id, at) => inserting(id, at % 3 === 0 ? "needle" : "hay", at % 2 === 0 ? "a" : "b")),
    );
    for await (const column of columnsOf(store)) {
      const sizes = { rows: column.propertyId === "a" ? 7 : 10, least: 1 };
      while (await store.sealTexts(column, sizes) > 0);
    }
    for (const order of ["newest", "oldest"] as const) {
      const either = ["a", "b"].map((column) => textTest(column, "contains", "needle"));
      const query = { filter: { op: "or" as const, filters: either }, sorts: ORDERS[order] };
      assertEquals(await found(store, rowQuery({ ...query, limit: 9 })), inOrder(matching, order));
    }
  });

  test("a slice seals one block, and no more rows than that has", async (store) => {
    await fill(store);
    const counts: number[] = [];
    for await (const column of columnsOf(store)) {
      for (;;) {
        const count = await store.sealTexts(column, { rows: 5, least: 1 });
        if (count === 0) break;
        counts.push(count);
      }
    }
    assertEquals(counts, [5, 5, 5, 5]);
  });

  test("a small database has no blocks", async (store) => {
    await fill(store);
    for await (const column of columnsOf(store)) {
      assert(IDS.length < BLOCK_SIZES.least);
      assertEquals(await store.sealTexts(column), 0);
    }
  });
}

async function fill(store: Store, ids: readonly string[] = IDS): Promise<void> {
  await done(store, insert(database()));
  await done(store, ids.map((id) => inserting(id, "some text")));
}

/** Two rows each are created at one time. */
function inserting(id: string, text: string, propertyId = "a"): Change {
  const node = rowNode(id, { createdTime: createdTimeOf(id) });
  return { op: "insert", node, cells: cellsOf(propertyId, textCell(text)) };
}

function createdTimeOf(id: string): number {
  return 1_000 + (Number(id.slice(1)) >> 1);
}

const CONTENT = { title: "Row", doc: "{}", hasMentions: false };

function writing(id: string, version: number, text: string): Change {
  const cells = cellsOf("a", textCell(text));
  return { op: "update", id, version, edit: LATER, ...CONTENT, cells };
}

function moving(id: string, version: number, text: string | undefined): MoveChange {
  const isOut = text === undefined;
  const to = isOut
    ? { parentKind: "workspace", parentId: null, containerId: null, position: id } as const
    : { parentKind: "database", parentId: D, containerId: D, position: id } as const;
  const cells = isOut ? [] : cellsOf("a", textCell(text));
  return { op: "move", id, version, to, edit: LATER, content: { ...CONTENT, cells } };
}

function textTest(propertyId: string, how: "contains" | "ends", needle: string): Filter {
  return {
    op: "test",
    field: { kind: "cells", propertyId },
    test: { is: "text", how, text: fold(needle), key: sortKey(needle) },
  };
}

function textQuery(
  how: "contains" | "ends",
  needles: readonly string[],
  op: "and" | "or" = "and",
): RowQuery {
  const filters = needles.map((needle) => textTest("a", how, needle));
  return rowQuery({ filter: { op, filters }, sorts: NEWEST_FIRST });
}

/** The IDs that a query finds, in its order, page by page. */
async function found(store: Store, query: RowQuery): Promise<string[]> {
  const ids: string[] = [];
  let after: RowQuery["after"];
  for (;;) {
    const page = await store.rows(W, { ...query, ...(after && { after }) });
    ids.push(...page.map(({ cursor }) => cursor.id));
    after = page.at(-1)?.cursor;
    if (after === undefined) return ids;
  }
}

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

async function playThrough(store: Store, all: readonly Step[]): Promise<void> {
  await fill(store);
  const model = new Map<string, Entry>(
    IDS.map((id) => [id, { text: "some text", isRow: true, isTrashed: false }]),
  );
  for (const { deeds, sealed, how, needles, op, order, limit } of all) {
    for (const deed of deeds) await apply(store, model, deed);
    await sealSome(store, sealed);
    const query = { ...textQuery(how, needles, op), sorts: ORDERS[order], limit };
    const passes = (text: string) => (needle: string) =>
      how === "ends" ? fold(text).endsWith(fold(needle)) : fold(text).includes(fold(needle));
    const expected = [...model].filter(([, { text, isRow, isTrashed }]) =>
      isRow && !isTrashed &&
      (op === "and" ? needles.every(passes(text)) : needles.some(passes(text)))
    );
    assertEquals(await found(store, query), inOrder(expected.map(([id]) => id), order));
  }
}

/** Sorts IDs of rows; they break ties in the direction of the last sort. */
function inOrder(ids: readonly string[], order: keyof typeof ORDERS): string[] {
  const times = order === "oldest" ? 1 : -1;
  const ties = order === "newest" ? -1 : 1;
  return ids.toSorted((a, b) =>
    times * (createdTimeOf(a) - createdTimeOf(b)) || ties * (a < b ? -1 : 1)
  );
}

async function apply(store: Store, model: Map<string, Entry>, deed: Deed): Promise<void> {
  const { id, text } = deed;
  const entry = model.get(id);
  if (entry === undefined) return;
  const { version } = await node(store, id);
  const { changes, after } = toChange(entry, deed, { id, version, text });
  if (changes.length === 0) return;
  await done(store, changes);
  model.set(id, after);
}

function toChange(
  entry: Entry,
  { deed }: Deed,
  { id, version, text }: { id: string; version: number; text: string },
): { readonly changes: readonly Change[]; readonly after: Entry } {
  const { isRow, isTrashed } = entry;
  if (deed === "restore" && isTrashed) {
    return { changes: [restore(id, version)], after: { ...entry, isTrashed: false } };
  }
  if (deed === "trash" && !isTrashed) {
    return { changes: [trash(id, version)], after: { ...entry, isTrashed: true } };
  }
  if (deed === "write" && isRow && !isTrashed) {
    return { changes: [writing(id, version, text)], after: { ...entry, text } };
  }
  if (deed === "out" && isRow && !isTrashed) {
    return { changes: [moving(id, version, undefined)], after: { ...entry, isRow: false } };
  }
  if (deed === "in" && !isRow && !isTrashed) {
    return { changes: [moving(id, version, text)], after: { ...entry, text, isRow: true } };
  }
  return { changes: [], after: entry };
}
