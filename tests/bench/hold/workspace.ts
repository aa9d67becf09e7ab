/**
 * A large workspace: one page with a large database and many blocks, written by the service's own
 * code so that their words are indexed.
 *
 * @module
 */
import { draftBlocks } from "../../../src/content/blocks/mod.ts";
import type { Property } from "../../../src/content/schema/property.ts";
import type { Change, Edit, Node } from "../../../src/content/schema/node.ts";
import { newPage } from "../../../src/content/pages/pages.ts";
import { uuidv7 } from "../../../src/shared/std.ts";
import type { Store } from "../../../src/store/port.ts";
import { DATABASE, idOf, OLDEST, PERSON, sampleRow, SCHEMA, WORKSPACE } from "../query/data.ts";
import type { Progress } from "../query/progress.ts";

/** The page that contains the database and all blocks. */
export const ROOT = "0197a000-0000-7000-8000-00000000f001";
/** A database with one row, to which every third row of the large one is related. */
export const BOXES = "0197a000-0000-7000-8000-00000000f002";
export const BOX = "0197a000-0000-7000-8000-00000000f003";
const RELATION = "0197a000-0000-7000-8000-00000000f004";
const EDIT: Edit = { time: OLDEST, by: PERSON };
const BATCH = 500;
/** Blocks per row. */
const BLOCKS = 2;
const WORDS = "The quick brown fox jumps over the lazy dog while others look on and say nothing";

/** Writes this many rows and twice as many blocks, and closes the store. */
export async function buildWorkspace(
  store: Store,
  rows: number,
  progress: Progress,
): Promise<void> {
  try {
    await commit(store, [
      { op: "insert", node: pageNode(ROOT, null, 0) },
      { op: "insert", node: databaseNode(DATABASE, "Large", LARGE) },
      { op: "insert", node: databaseNode(BOXES, "Boxes", SMALL) },
      { op: "insert", node: boxNode(), cells: [] },
    ]);
    for (let start = 1; start <= rows; start += BATCH) {
      progress("rows and blocks", (start - 1) / rows);
      const numbers = Array.from(
        { length: Math.min(BATCH, rows - start + 1) },
        (_, i) => start + i,
      );
      await commit(store, numbers.map((number) => ({ op: "insert", ...sampleRow(number) })));
      await commit(store, blocks(start, numbers.length * BLOCKS));
    }
    const related = Array.from({ length: Math.ceil(rows / 3) }, (_, index) => idOf(index * 3 + 1));
    await commit(store, [
      { op: "link", relationId: RELATION, side: "to", id: BOX, others: related },
    ]);
    await commit(store, [{ op: "count", databaseId: DATABASE, from: 0, to: rows }]);
  } finally {
    await store.close();
  }
  progress("done", 1);
}

async function commit(store: Store, changes: readonly Change[]): Promise<void> {
  const outcome = await store.commit(WORKSPACE, changes);
  if (outcome !== "committed") throw new Error(`The workspace could not be built: ${outcome}`);
}

function pageNode(id: string, parentId: string | null, number: number): Node {
  return newPage({
    input: {
      parent: { workspace: true },
      properties: { title: { title: [{ text: { content: `Page ${number}` } }] } },
    },
    id,
    parent: { kind: parentId === null ? "workspace" : "page", id: parentId },
    position: `d${number.toString(36).padStart(6, "0")}V`,
    edit: EDIT,
  });
}

const described = { description: null } as const;
const relation = { ...described, type: "relation", relationId: RELATION } as const;

const LARGE: readonly Property[] = [
  ...SCHEMA,
  { ...relation, id: "box", name: "Box", databaseId: BOXES, side: "from", syncedId: "rows" },
  { ...described, id: "net", name: "Net", type: "formula", expression: 'prop("amount") * 2' },
  {
    ...described,
    id: "boxed",
    name: "Boxed",
    type: "rollup",
    relationPropertyId: "box",
    rollupPropertyId: "title",
    function: "count",
  },
];

const rolledUp = { ...described, type: "rollup", relationPropertyId: "rows" } as const;

const SMALL: readonly Property[] = [
  { ...described, id: "title", name: "Name", type: "title" },
  { ...relation, id: "rows", name: "Rows", databaseId: DATABASE, side: "to", syncedId: "box" },
  { ...rolledUp, id: "sum", name: "Sum", rollupPropertyId: "amount", function: "sum" },
];

function databaseNode(id: string, title: string, properties: readonly Property[]): Node {
  const doc = { title: [], description: [], icon: null, cover: null, is_inline: false };
  return {
    ...pageNode(id, ROOT, 0),
    kind: "database",
    type: "child_database",
    position: `c${id}`,
    title,
    doc: JSON.stringify({ ...doc, properties }),
  };
}

function boxNode(): Node {
  const doc = JSON.stringify({ cover: null, icon: null, values: {} });
  const parent = { parentKind: "database", parentId: BOXES, containerId: BOXES } as const;
  return { ...pageNode(BOX, null, 0), ...parent, doc };
}

/** Creates a page with this many paragraphs in the first one. */
function blocks(number: number, count: number): Change[] {
  const page = pageNode(uuidv7(), ROOT, number);
  const inputs = Array.from({ length: count }, (_, index) => ({
    paragraph: { rich_text: [{ text: { content: `${index} ${WORDS}` } }] },
  }));
  const nodes = draftBlocks(inputs, {
    parent: { kind: "page", id: page.id, containerId: page.id },
    gap: { after: null, before: null },
    edit: EDIT,
    newId: uuidv7,
  });
  return [page, ...nodes].map((node) => ({ op: "insert", node }));
}
