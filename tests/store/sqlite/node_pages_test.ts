import type { Change, NodeView } from "../../../src/content/schema/node.ts";
import { LIMITS } from "../../../src/content/values/limits.ts";
import type { Store } from "../../../src/store/port.ts";
import { createNodeReads } from "../../../src/store/reads/nodes.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createReader } from "../../../src/store/sqlite/reader.ts";
import { createRowReader } from "../../../src/store/sqlite/rows.ts";
import type { startSteps } from "../../../src/store/sqlite/steps.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { done, W } from "../contract_support.ts";
import { database, rowNode, rowQuery } from "../row_samples.ts";
import { block, FIRST, insert, LATER, page } from "../samples.ts";

/** Two of them fill a page. */
const LONG = JSON.stringify("x".repeat(LIMITS.pageLength / 2));
const BLOCKS = ["b", "c", "d"];
const ROWS = ["r", "s", "t"];

const NODES = [
  page("p"),
  ...BLOCKS.map((id) =>
    block(id, "p", { parentKind: "page", containerId: "p", position: id, doc: LONG })
  ),
  database(),
  ...ROWS.map((id) => rowNode(id, { doc: LONG })),
];

interface Pausing {
  readonly store: Store;
  readonly firstNodes: (ids: readonly string[]) => Promise<NodeView[]>;
  readonly children: () => Promise<NodeView[]>;
  /** The rows that nobody else edited. */
  readonly rows: () => Promise<NodeView[]>;
}

/** Calls `change` behind each step of a read. */
async function withPauses(
  change: (store: Store, pause: number) => Promise<void>,
  check: (pausing: Pausing) => Promise<void>,
): Promise<void> {
  const connection = openConnection(":memory:");
  migrate(connection);
  const store = createSqliteStore(connection);
  await done(store, insert(...NODES));
  const { source, steps } = createReader(connection.db);
  const reads = createNodeReads(source);
  let pauses = 0;
  const run: typeof startSteps = async (_connection, steps) => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      // Behind the transaction in which the read began.
      await Promise.resolve();
      await change(store, ++pauses);
    }
  };
  const { rows } = createRowReader(connection, {
    firstNodes: (workspace, ids) => steps(reads.firstNodes(workspace, ids)),
    run,
  });
  const isUnchanged = {
    op: "test",
    field: { kind: "row", member: "editedBy" },
    test: { is: "key", key: FIRST.by },
  } as const;
  try {
    await check({
      store,
      firstNodes: (ids) => run(connection, steps(reads.firstNodes(W, ids))),
      children: () => run(connection, steps(reads.children(W, "p", { limit: 4 }))),
      rows: async () => (await rows(W, rowQuery({ filter: isUnchanged }))).map(({ node }) => node),
    });
    assert(pauses > 2, `${pauses} pauses`);
  } finally {
    await store.close();
  }
}

function versions(nodes: readonly NodeView[]): (readonly [string, number])[] {
  return nodes.map(({ id, version }) => [id, version] as const);
}

/** Changes of nodes of this version. */
function edits(ids: readonly string[], version: number): Change[] {
  const content = { title: "New", doc: LONG.replace("x", "y"), hasMentions: false };
  return ids.map((id) => ({ op: "update", id, version, ...content, edit: LATER }));
}

Deno.test("long nodes that are read one by one are those of one read at once", () =>
  withPauses(() => Promise.resolve(), async ({ store, firstNodes, children, rows }) => {
    const ids = ["d", "p", "b"];
    assertEquals(await firstNodes(ids), await store.firstNodes(W, ids));
    assertEquals(await children(), await store.children(W, "p", { limit: 4 }));
    assertEquals((await rows()).length, ROWS.length);
  }));

Deno.test("long nodes are of one moment, whatever is written while they are read", () =>
  withPauses(
    async (store, pause) => {
      if (pause === 2) await done(store, edits(BLOCKS, 1));
    },
    async ({ children }) => {
      assertEquals(versions(await children()), BLOCKS.map((id) => [id, 2]));
    },
  ));

Deno.test("long nodes that never stop changing are read at once", () =>
  withPauses(
    (store, pause) => done(store, edits(BLOCKS, pause)),
    async ({ children }) => {
      const read = versions(await children());
      assertEquals(new Set(read.map(([, version]) => version)).size, 1);
    },
  ));

Deno.test("a node that is deleted while long ones are read is no child of its page", () =>
  withPauses(
    async (store, pause) => {
      if (pause === 1) await done(store, [{ op: "trash", id: "c", version: 1, edit: LATER }]);
    },
    async ({ children }) => {
      assertEquals(versions(await children()), [["b", 1], ["d", 1]]);
    },
  ));

Deno.test("long rows are of the moment in which they were found", () =>
  withPauses(
    async (store, pause) => {
      if (pause === 2) await done(store, edits(["s"], 1));
    },
    async ({ rows }) => {
      assertEquals(versions(await rows()).toSorted(), [["r", 1], ["t", 1]]);
    },
  ));

Deno.test("long rows that change while they are found, again and again, are found", () => {
  const changed = new Map(ROWS.map((id) => [id, 1]));
  return withPauses(
    async (store, pause) => {
      const id = ROWS[pause % ROWS.length] ?? "";
      const version = changed.get(id) ?? 0;
      const again = { title: "New", doc: LONG, hasMentions: false, edit: FIRST };
      await done(store, [{ op: "update", id, version, ...again }]);
      changed.set(id, version + 1);
    },
    async ({ rows }) => {
      assertEquals(versions(await rows()).toSorted(), [...changed]);
    },
  );
});
