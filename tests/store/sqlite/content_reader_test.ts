import type { Content } from "../../../src/content/schema/node.ts";
import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { createContentReader } from "../../../src/store/sqlite/content_reader.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { done, W } from "../contract_support.ts";
import { block, insert, LATER, page } from "../samples.ts";

const inP = { containerId: "p" } as const;
const below = { parentKind: "page", parentId: "p", ...inP } as const;

/** A page with seven blocks and a page, of which the last block and the page mention something. */
const BLOCKS = ["1", "2", "3", "4", "5", "6", "7"];
const NODES = [
  page("p"),
  page("q", { ...below, position: "q", hasMentions: true }),
  ...BLOCKS.map((id) => block(id, "p", { ...below, hasMentions: id === "7" })),
];

interface Pausing {
  readonly store: Store;
  readonly read: () => Promise<Content | undefined>;
}

/** Calls `change` at each pause of a reader that reads two nodes at a time. */
async function withPauses(
  change: (pausing: Pausing, pause: number) => Promise<void>,
  check: (pausing: Pausing) => Promise<void>,
): Promise<void> {
  const connection = openConnection(":memory:");
  migrate(connection);
  const store = createSqliteStore(connection);
  await done(store, insert(...NODES));
  let pauses = 0;
  const read = createContentReader(connection, {
    portion: 2,
    run: async (_connection, steps) => {
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        await change(pausing, ++pauses);
      }
    },
  });
  const pausing: Pausing = { store, read: () => read(W, "p") };
  try {
    await check(pausing);
    assert(pauses > 4, `${pauses} pauses`);
  } finally {
    await store.close();
  }
}

function ids(content: Content | undefined): string[] {
  return (content?.nodes ?? []).map(({ id }) => id).sort();
}

/** A change of a node of this version, which mentions nothing then. */
function edit(id: string, version: number) {
  const content = { title: "New", doc: "{}", hasMentions: false };
  return { op: "update", id, version, ...content, edit: LATER } as const;
}

const touched = { op: "touch", id: "p", edit: LATER } as const;

Deno.test("content that is read in steps is all of a page", () =>
  withPauses(() => Promise.resolve(), async ({ store, read }) => {
    const content = await read();
    assertEquals(content?.version, 1);
    assertEquals(ids(content), [...BLOCKS, "q"]);
    const whole = await store.content(W, "p");
    assertEquals(ids(whole), ids(content));
  }));

Deno.test("no node is missing whose mentions change between two steps", () =>
  withPauses(
    async ({ store }, pause) => {
      if (pause === 2) await done(store, [edit("q", 1)]);
    },
    async ({ read }) => {
      const content = await read();
      assertEquals([content?.version, ...ids(content)], [1, ...BLOCKS, "q"]);
    },
  ));

Deno.test("content that is read in steps is of one version", () =>
  withPauses(
    async ({ store }, pause) => {
      if (pause === 3) await done(store, [...insert(block("8", "p", below)), touched]);
    },
    async ({ read }) => {
      const content = await read();
      assertEquals([content?.version, ...ids(content)], [2, ...BLOCKS, "8", "q"]);
    },
  ));

Deno.test("a page that changes in every pause is read at last", () =>
  withPauses(
    ({ store }, pause) => done(store, [edit("1", pause), touched]),
    async ({ store, read }) => {
      const content = await read();
      assertEquals(content, await store.content(W, "p"));
    },
  ));
