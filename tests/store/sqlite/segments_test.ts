import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { createCommit } from "../../../src/store/sqlite/commit.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSegmentMerges } from "../../../src/store/sqlite/search/segments.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { eventually } from "../../support/eventually.ts";
import { insert, page } from "../samples.ts";
import { rowsOf, withFile } from "./files.ts";

/** Segments of the index of words: each has an entry for its first page. */
const SEGMENTS = "SELECT count(DISTINCT segid) AS count FROM search_words_idx";

function segmentsIn(path: string): number {
  return Number(rowsOf(path, SEGMENTS)[0]?.["count"]);
}

/** So many words that no other page has, and one that all have. */
function wordsOf(index: number, count: number): string {
  return `common ${Array.from({ length: count }, (_, word) => `w${index}x${word}`).join(" ")}`;
}

Deno.test("a write merges no segments, and merge() makes few of many", () =>
  withFile((path) => {
    const connection = openConnection(path);
    migrate(connection);
    const commit = createCommit(connection);
    const { merge } = createSegmentMerges(connection);
    for (let n = 0; n < 120; n++) commit("w", insert(page(`p${n}`, { title: wordsOf(n, 5) })));
    assertEquals(segmentsIn(path), 120);
    while (merge());
    const left = segmentsIn(path);
    assert(left < 8, `${left} segments`);
    assertEquals(merge(), false);
    connection.close();
  }));

Deno.test("segments stay few, however many writes add some", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    for (let n = 0; n < 200; n++) {
      await store.commit("w", insert(page(`p${n}`, { title: wordsOf(n, 5) })));
    }
    await eventually(() => {
      const left = segmentsIn(path);
      return Promise.resolve(assert(left < 32, `${left} segments`));
    });
    await store.close();
  }));
