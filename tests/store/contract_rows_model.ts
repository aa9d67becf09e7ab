/**
 * Compares random queries with a simple evaluation while rows are created and deleted.
 *
 * @module
 */
import fc from "fast-check";
import type { Change } from "../../src/content/schema/node.ts";
import type { PropertyCell } from "../../src/content/schema/cells.ts";
import type { RowCursor, RowQuery } from "../../src/content/query/filter.ts";
import type { Store, TextColumn } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, type OpenStore, W } from "./contract_support.ts";
import {
  IDS,
  RELATION,
  someCells,
  someFilter,
  someSchema,
  someSorts,
  TIMES,
  USERS,
} from "./row_arbitraries.ts";
import { D, database, type ModelRow, placesOf, type RowModel, rowNode } from "./row_samples.ts";
import { insert } from "./samples.ts";

/** A change of one row: created, trashed, restored, rewritten or linked. */
export interface Draft {
  readonly id: string;
  readonly deed: "trash" | "restore" | "update" | "link";
  readonly cells: readonly PropertyCell[];
  readonly time: number;
  readonly by: string;
  readonly others: readonly string[];
}

export interface Scenario {
  readonly before: readonly Draft[];
  readonly query: Omit<RowQuery, "databaseId">;
  /** Asks only for rows with as many first keys of a row as `count` says. */
  readonly fixed: { readonly row: number; readonly count: number };
  /** The changes before each page but the first. */
  readonly between: readonly (readonly Draft[])[];
  /** How many blocks of each column are sealed before each page. */
  readonly sealed: readonly number[];
}

export const scenario: fc.Arbitrary<Scenario> = someSchema.chain((schema) => {
  const draft: fc.Arbitrary<Draft> = fc.record({
    id: fc.constantFrom(...IDS),
    deed: fc.constantFrom("trash", "restore", "update", "update", "link"),
    cells: someCells(schema),
    time: fc.constantFrom(...TIMES),
    by: fc.constantFrom(...USERS),
    others: fc.shuffledSubarray(IDS, { maxLength: 3 }),
  });
  return fc.record({
    before: fc.array(draft, { maxLength: 60, size: "max" }),
    query: fc.record({
      inTrash: fc.constantFrom(false, false, false, true),
      filter: someFilter(schema),
      sorts: someSorts(schema),
      limit: fc.integer({ min: 1, max: 7 }),
    }, { requiredKeys: ["inTrash", "sorts", "limit"] }),
    fixed: fc.record({ row: fc.nat(), count: fc.constantFrom(0, 0, 1, 2) }),
    between: fc.array(fc.array(draft, { maxLength: 3 }), { maxLength: 4 }),
    sealed: fc.array(fc.constantFrom(0, 1, 2, 20), { maxLength: 4 }),
  });
});

/** Registers the comparison for one adapter. */
export function rowModelContract(name: string, open: OpenStore): void {
  Deno.test(`${name}: rows() answers what the obvious evaluation does, page by page`, async () => {
    const property = fc.asyncProperty(scenario, async (drawn) => {
      const store = await open();
      try {
        await playThrough(store, drawn);
      } finally {
        await store.close();
      }
    });
    await fc.assert(property, { numRuns: 400 });
  });
}

async function playThrough(store: Store, drawn: Scenario): Promise<void> {
  const { before, between, sealed } = drawn;
  await done(store, insert(database()));
  const start = await applyAll(store, { rows: new Map(), links: [] }, before);
  const query = withFixed(start, drawn);
  const first = placesOf(start, { ...query, databaseId: D, limit: Infinity });
  const isUntouched = untouchedBy(between.flat(), start);
  const seen: string[] = [];
  let model = start;
  let after: RowCursor | undefined;
  for (let at = 0;; at++) {
    await sealSome(store, sealed[at] ?? 0);
    const asked: RowQuery = { ...query, databaseId: D, ...(after && { after }) };
    const found = await store.rows(W, asked);
    assertEquals(found.map(({ cursor: place }) => place), placesOf(model, asked));
    assertNodes(found.map(({ node }) => node.id), found.map(({ cursor: place }) => place.id));
    seen.push(...found.map(({ cursor: place }) => place.id));
    after = found.at(-1)?.cursor;
    if (after === undefined) break;
    model = await applyAll(store, model, between[at] ?? []);
  }
  assertEquals(seen.filter(isUntouched), first.map(({ id }) => id).filter(isUntouched));
}

/** Seals up to so many small blocks of each column. */
export async function sealSome(store: Store, blocks: number): Promise<void> {
  if (blocks === 0) return;
  for await (const column of columnsOf(store)) {
    let left = blocks;
    while (left-- > 0 && await store.sealTexts(column, { rows: 3, least: 1 }) > 0);
  }
}

/** The columns of texts, one after the other. */
export async function* columnsOf(store: Store): AsyncGenerator<TextColumn> {
  let column = await store.nextColumn(undefined);
  for (; column !== undefined; column = await store.nextColumn(column)) {
    if (column.hasTexts) yield column;
  }
}

function withFixed(model: RowModel, { query, fixed: { row, count } }: Scenario): Scenario["query"] {
  const all = placesOf(model, { ...query, databaseId: D, limit: Infinity });
  const fixed = all[row % all.length]?.keys.slice(0, count) ?? [];
  return { ...query, fixed };
}

/** Returns whether no change affects a row, not even through a link from the other end. */
export function untouchedBy(drafts: readonly Draft[], model: RowModel): (id: string) => boolean {
  const changed = new Set(drafts.flatMap(({ id, others }) => [id, ...others]));
  return (id) => !changed.has(id) && !isLinked(model, changed, id);
}

function assertNodes(nodes: readonly string[], places: readonly string[]): void {
  assertEquals(nodes, places);
  assert(new Set(places).size === places.length);
}

function isLinked({ links }: RowModel, changed: ReadonlySet<string>, id: string): boolean {
  return links.some(({ from, to }) =>
    (from === id && changed.has(to)) || (to === id && changed.has(from))
  );
}

export async function applyAll(
  store: Store,
  model: RowModel,
  drafts: readonly Draft[],
): Promise<RowModel> {
  const changes: Change[] = [];
  for (const draft of drafts) {
    const step = toStep(model, draft);
    changes.push(...step.changes);
    model = step.model;
  }
  await done(store, changes);
  return model;
}

interface Step {
  readonly changes: readonly Change[];
  readonly model: RowModel;
}

function toStep(model: RowModel, draft: Draft): Step {
  const { id, deed, cells, time, by, others } = draft;
  const row = model.rows.get(id);
  const edit = { time, by };
  const edited = { editedTime: time, editedBy: by };
  if (row === undefined) {
    const created = { createdTime: time, createdBy: by };
    const node = rowNode(id, { ...created, ...edited });
    return { changes: [{ op: "insert", node, cells }], model: withRow(model, { node, cells }) };
  }
  const { version, trashRoot } = row.node;
  const next = { ...row.node, ...edited, version: version + 1 };
  if (deed === "link") return toLinks(model, id, others);
  if (deed === "restore") {
    if (trashRoot === null) return { changes: [], model };
    const node = { ...next, trashRoot: null };
    return {
      changes: [{ op: "restore", id, version, edit }],
      model: withRow(model, { ...row, node }),
    };
  }
  if (trashRoot !== null) return { changes: [], model };
  if (deed === "trash") {
    const node = { ...next, trashRoot: id };
    return {
      changes: [{ op: "trash", id, version, edit }],
      model: withRow(model, { ...row, node }),
    };
  }
  const content = { title: "New", doc: "{}", hasMentions: false };
  return {
    changes: [{ op: "update", id, version, edit, ...content, cells }],
    model: withRow(model, { node: { ...next, ...content }, cells }),
  };
}

function withRow({ rows, links }: RowModel, row: ModelRow): RowModel {
  return { rows: new Map([...rows, [row.node.id, row]]), links };
}

function toLinks({ rows, links }: RowModel, id: string, others: readonly string[]): Step {
  const fresh = others.map((to, ordinal) => ({ from: id, to, ordinal }));
  return {
    changes: [{ op: "link", relationId: RELATION, side: "from", id, others }],
    model: { rows, links: [...links.filter(({ from }) => from !== id), ...fresh] },
  };
}
