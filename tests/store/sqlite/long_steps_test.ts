import type { Change } from "../../../src/content/schema/node.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { createSlicedCommits } from "../../../src/store/sqlite/sliced_commits.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { database, rowNode } from "../row_samples.ts";
import { block, insert, moveInto, page, restore, trash, update } from "../samples.ts";
import { withFile } from "./files.ts";
import { LONG_CHANGES } from "./long_changes.ts";

/** Blocks of the page, and rows of the database. */
const MANY = 6;
const LENGTH = { short: 12, long: 1_200_000 };

/** The document of a block or row with so much text. */
function doc(length: number): string {
  const rich_text = [{ plain_text: "gulls ".repeat(length / 6) }];
  return JSON.stringify({ rich_text, cover: null, icon: null, values: { title: rich_text } });
}

/** Two pages, one of them with blocks in a toggle, and a database, whose texts are so long. */
function content(length: number): Change[] {
  const numbers = Array.from({ length: MANY }, (_, index) => index);
  return insert(
    page("a"),
    page("b"),
    block("toggle", "a", { parentKind: "page", containerId: "a" }),
    ...numbers.map((index) =>
      block(`block ${index}`, "toggle", { containerId: "a", doc: doc(length) })
    ),
    database(),
    ...numbers.map((index) => rowNode(`row ${index}`, { doc: doc(length) })),
  );
}

/** How many steps the last of these changes takes. */
function stepsIn(path: string, changes: readonly Change[]): number {
  const connection = openConnection(path);
  try {
    // Each step is a slice.
    const { begin, goOn } = createSlicedCommits(connection, { patience: -1, time: -1 });
    let steps = 0;
    for (const change of changes) {
      steps = 1;
      let outcome = begin("w", [change]);
      for (; outcome === "unfinished"; steps++) outcome = goOn("w");
      assertEquals(outcome, "committed");
    }
    return steps;
  } finally {
    connection.close();
  }
}

async function stepsWith(length: number, changes: readonly Change[]): Promise<number> {
  let steps = 0;
  await withFile(async (path) => {
    const store = openSqliteStore(path);
    assertEquals(await store.commit("w", content(length)), "committed");
    await store.close();
    steps = stepsIn(path, changes);
  });
  return steps;
}

/** Changes, and how many steps more the last of them takes with long texts, at least. */
const CASES: Readonly<Record<string, readonly [more: number, changes: readonly Change[]]>> = {
  "trash a page": [MANY - 1, [trash("a")]],
  "restore a page": [MANY - 1, [trash("a"), restore("a")]],
  // In some steps blocks leave or reach the trash, and in others the words of their page change.
  "trash blocks of a page": [2 * MANY - 2, [trash("toggle")]],
  "restore blocks of a page": [2 * MANY - 2, [trash("toggle"), restore("toggle")]],
  // The first part has its title with its other words.
  "rename a page": [MANY - 2, [update("a", 1)]],
  "move a page": [MANY - 1, [moveInto("b", "a")]],
  "rewrite rows": [MANY - 1, LONG_CHANGES.reshape],
  "trash rows": [MANY - 1, LONG_CHANGES.trash],
};

for (const [name, [more, changes]] of Object.entries(CASES)) {
  Deno.test(`to ${name} takes more steps the longer the texts are, not longer ones`, async () => {
    const short = await stepsWith(LENGTH.short, changes);
    const long = await stepsWith(LENGTH.long, changes);
    assert(long >= short + more, `${long} steps, ${short} with short texts`);
  });
}
