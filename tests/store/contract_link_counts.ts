/**
 * The part of the store's contract that finds rows without links, and rows with several.
 *
 * @module
 */
import fc from "fast-check";
import type { LinkSide } from "../../src/content/schema/property.ts";
import type { Change } from "../../src/content/schema/node.ts";
import type { Store } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { done, type StoreTest, W } from "./contract_support.ts";
import { D, database, rowNode, rowQuery } from "./row_samples.ts";
import { insert, LATER, restore, trash } from "./samples.ts";

const RELATION = { relationId: "relation" } as const;
const SIDES = ["from", "to"] as const;
const IDS = ["a", "b", "c", "d", "e", "f"];

interface Step {
  readonly deed: "link" | "trash" | "purge" | "move" | "insert" | "unlink";
  readonly side: LinkSide;
  readonly id: string;
  readonly others: readonly string[];
}

const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.constantFrom(
    ...(["link", "link", "link", "link", "link", "insert", "insert"] as const),
    ...(["trash", "purge", "move", "unlink"] as const),
  ),
  side: fc.constantFrom(...SIDES),
  id: fc.constantFrom(...IDS),
  others: fc.shuffledSubarray(IDS, { maxLength: 3 }),
});

/** The rows and links that the store has. */
interface Model {
  /** Versions by ID; even ones are in the trash. */
  readonly rows: Map<string, number>;
  links: readonly Readonly<Record<LinkSide, string>>[];
}

/** Registers the comparison with a model. */
export function linkCountContract(test: StoreTest): void {
  test("rows without links, and with several, are known whatever was written", async (store) => {
    const model: Model = { rows: new Map(), links: [] };
    await done(store, insert(database()));
    for (const one of fc.sample(step, { numRuns: 400, seed: 69 })) {
      await take(store, model, one);
      for (const side of SIDES) await compare(store, model, side);
    }
  });
}

async function take(store: Store, model: Model, { deed, side, id, others }: Step): Promise<void> {
  const { rows } = model;
  const version = rows.get(id);
  if (deed === "unlink") {
    const counts = SIDES.map((side): Change => ({
      op: "countAllLinks",
      ...RELATION,
      side,
      databaseId: D,
    }));
    await done(store, [{ op: "unlink", ...RELATION }, ...counts]);
    model.links = [];
  } else if (version === undefined) {
    const counts = SIDES.map((side): Change => ({
      op: "countLinks",
      ...RELATION,
      side,
      rows: [id],
    }));
    await done(store, [...insert(rowNode(id)), ...counts]);
    rows.set(id, 1);
  } else if (deed === "link") {
    const existing = others.filter((other) => rows.has(other));
    await done(store, [{ op: "link", ...RELATION, side, id, others: existing }]);
    const stay = model.links.filter((link) => link[side] !== id);
    const added = existing.map((other) =>
      side === "from" ? { from: id, to: other } : { from: other, to: id }
    );
    model.links = [...stay, ...added];
  } else if (deed === "trash") {
    await done(store, [version % 2 === 1 ? trash(id, version) : restore(id, version)]);
    rows.set(id, version + 1);
  } else if (deed === "purge" || deed === "move" && version % 2 === 1) {
    if (deed === "move") await done(store, [moveOut(id, version)]);
    await store.beginPurge(W, id, LATER);
    while (await store.purgeSlice(W, id, 10) > 0);
    model.links = model.links.filter(({ from, to }) => from !== id && to !== id);
    rows.delete(id);
  }
}

/** Makes the row a page at the top of the workspace. */
function moveOut(id: string, version: number): Change {
  const to = { parentKind: "workspace", parentId: null, containerId: null, position: id } as const;
  const content = { title: "", doc: "{}", hasMentions: false };
  return { op: "move", id, version, to, content, edit: LATER };
}

async function compare(store: Store, { rows, links }: Model, side: LinkSide): Promise<void> {
  const ids = [...rows.keys()].sort();
  const countOf = (id: string) => links.filter((link) => link[side] === id).length;
  assertEquals(
    await store.severallyLinked(W, { ...RELATION, side, limit: 100 }),
    ids.filter((id) => countOf(id) > 1),
  );
  const field = { kind: "links", ...RELATION, side, withTrash: true } as const;
  for (const inTrash of [false, true]) {
    const query = rowQuery({ sorts: [{ field, descending: false }], fixed: [null], inTrash });
    const found = await store.rows(W, query);
    assertEquals(
      found.map(({ node }) => node.id),
      ids.filter((id) => countOf(id) === 0 && (rows.get(id) ?? 0) % 2 === (inTrash ? 0 : 1)),
    );
  }
}
