import { openConnection } from "../../../src/store/sqlite/connection.ts";
import {
  createSearchIndexer,
  type SearchIndexer,
} from "../../../src/store/sqlite/search/indexer.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assertEquals } from "../../assert.ts";
import { withFile } from "./files.ts";

/** Runs work with the search index of an empty database. */
async function withIndexer(work: (search: SearchIndexer) => void): Promise<void> {
  await withFile(async (path) => {
    await openSqliteStore(path).close();
    const { db, close } = openConnection(path);
    try {
      work(createSearchIndexer(db));
    } finally {
      close();
    }
  });
}

/** How many nodes of so many bytes are noted when the notes are full. */
function nodesUntilFull(search: SearchIndexer, length: number): number {
  let count = 0;
  for (search.begin(); !search.isFull() && count < 1_000; count++) {
    search.changed({ id: `node ${count}`, length });
  }
  return count;
}

Deno.test("words are written after 200 nodes, or fewer that are long", () =>
  withIndexer((search) => {
    assertEquals(nodesUntilFull(search, 100), 200);
    assertEquals(nodesUntilFull(search, 250_000), 4);
    assertEquals(nodesUntilFull(search, 2_000_000), 1);
  }));

Deno.test("comments count towards the nodes after which words are written", () =>
  withIndexer((search) => {
    search.begin();
    for (let index = 0; index < 100; index++) {
      assertEquals(search.isFull(), false);
      search.changed({ id: `node ${index}`, length: 100 });
      search.commented({ id: `comment ${index}`, pageId: "page", isNew: true });
    }
    assertEquals(search.isFull(), true);
  }));
