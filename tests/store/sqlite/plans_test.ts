import type { DatabaseSync } from "node:sqlite";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { createLengthEstimator } from "../../../src/store/sqlite/write_length.ts";
import { assert, assertEquals } from "../../assert.ts";

/**
 * Tables that a statement makes, as long as its input or result; the list of all workspaces, and
 * that of all API keys, which operators read.
 */
const OWN_LISTS = [
  ...["CONSTANT ROW", "json_each", "wanted", "below", "above", "due"],
  // One by one from an index, as many as the answer has.
  ...["relations", "roots", "found", "words"],
  ...["search_workspaces", "k", "totals"],
  // Read from a primary key, or from the words of the index, up to a limit.
  ...["some_of_nodes", "some_of_comments", "some_places"],
];

/**
 * FTS5 says so of a look-up of words, and of the words from a certain one on (512, with one value) up to
 * another (1,024 more); what it finds is read by key.
 */
const WORDS =
  /^SCAN (?:(?:w|search_words) VIRTUAL TABLE INDEX \d+:[M=]|temp.search_words_vocabulary VIRTUAL TABLE INDEX (?:513|1537):)/;

/** Sorts without an index, no longer than the answer: rows of one option, two lists. */
const SORTED = ["SELECT DISTINCT c.node_id, octet_length(n.doc) FROM cells c", "some_of_nodes"];

/** Tables of one row a workspace, or of a few. */
const ONE_EACH = /^SEARCH (?:search_(?:workspaces|spaces)|api_key_revision) /;
/** Statements that count a queue, or begin at one end of an index. */
const COUNTS = /^SELECT count\(\*\) FROM search_due|LIMIT 1\)$/;
/** Statements that count the queues of the service up to a limit, for its metrics. */
const BACKLOGS = "AS first_of_";
/** A slice of a workspace that is deleted, and what a command counts of a workspace. */
const SLICES =
  /WHERE workspace_id = \?1 (?:ORDER BY id )?LIMIT CAST\(\?2 AS|p\.workspace_id = \?1 LIMIT CAST\(\?2 AS|count\(\*\) FILTER/;

/** Every statement that the store prepares, and a database to explain it in. */
function withStatements(work: (statements: readonly string[], db: DatabaseSync) => void): void {
  const connection = openConnection(":memory:");
  try {
    migrate(connection);
    const { db } = connection;
    const prepare = db.prepare.bind(db);
    const statements: string[] = [];
    db.prepare = (sql) => {
      statements.push(sql);
      return prepare(sql);
    };
    createSqliteStore(connection);
    createLengthEstimator(connection.db);
    db.prepare = prepare;
    work(statements, db);
  } finally {
    connection.close();
  }
}

function planOf(db: DatabaseSync, sql: string): string[] {
  return db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all().map(({ detail }) => String(detail));
}

Deno.test("createSqliteStore() prepares no statement that reads a table from end to end", () => {
  withStatements((statements, db) => {
    assert(statements.length > 20);
    for (const sql of statements.filter((sql) => !sql.includes(BACKLOGS))) {
      const scans = planOf(db, sql).filter((step) => step.startsWith("SCAN"))
        .filter((step) => !OWN_LISTS.some((list) => step.startsWith(`SCAN ${list}`)))
        .filter((step) => !WORDS.test(step));
      assertEquals(scans, [], sql);
      const isSorted = SORTED.some((part) => sql.includes(part));
      const sorts = planOf(db, sql).filter((step) => step.includes("TEMP B-TREE"));
      assertEquals(sorts.length > 0, isSorted, sql);
    }
  });
});

Deno.test("createSqliteStore() finds the links of a row by that row, on either side", () => {
  withStatements((statements, db) => {
    const reads = statements.filter((sql) => sql.includes("l.ordinal"));
    assert(reads.length >= 4);
    for (const sql of reads) {
      const searches = planOf(db, sql).filter((step) => step.startsWith("SEARCH l "));
      assert(searches.every((step) => /(?:from_id|to_id)=/.test(step)), searches.join());
    }
  });
});

Deno.test("createSqliteStore() names the workspace wherever it names a table", () => {
  withStatements((statements) => {
    const service = statements.filter((sql) => !sql.includes("workspace_id"))
      // Its rows have a number alone, and each of its words the code of the workspace.
      .filter((sql) => !sql.includes("search_words"))
      .filter((sql) => !sql.includes(BACKLOGS))
      // They tell of the file.
      .filter((sql) =>
        !/^PRAGMA (?:freelist_count|auto_vacuum|data_version)$|total_changes/.test(sql)
      );
    assertEquals([...new Set(service)], [
      "SELECT max(no) FROM search_parts",
      "DELETE FROM migrations WHERE name = ''",
    ]);
  });
});

Deno.test("migrate() starts every key and index with the workspace", () => {
  withStatements((_, db) => {
    const indexes = db.prepare(`
      SELECT i.name, c.name AS column FROM sqlite_schema t, pragma_index_list(t.name) i,
        pragma_index_info(i.name) c
      WHERE t.type = 'table' AND t.name <> 'migrations' AND c.seqno = 0
        AND t.name NOT LIKE 'search_words_%'`).all();
    assert(indexes.length >= 8);
    assertEquals(indexes.filter(({ column }) => column !== "workspace_id"), []);
  });
});

Deno.test("node() looks a node and its first child up by key", () => {
  withStatements((statements, db) => {
    const sql = statements.find((sql) => sql.includes("n.id = ?") && !sql.includes("JOIN"));
    assert(sql);
    assertEquals(planOf(db, sql), [
      "SEARCH n USING INDEX sqlite_autoindex_nodes_1 (workspace_id=? AND id=?)",
      "CORRELATED SCALAR SUBQUERY 1",
      "SEARCH c USING COVERING INDEX nodes_children (workspace_id=? AND parent_id=? AND trash_root=?)",
    ]);
  });
});

Deno.test("createSqliteStore() prepares no statement that scans a whole workspace", () => {
  withStatements((statements, db) => {
    for (const sql of statements) {
      const whole = planOf(db, sql).filter((step) => step.endsWith("(workspace_id=?)"))
        .filter((step) => !ONE_EACH.test(step) && !COUNTS.test(sql))
        .filter(() => !SLICES.test(sql));
      assertEquals(whole, [], sql);
    }
  });
});

Deno.test("trash() descends the tree by key", () => {
  withStatements((statements, db) => {
    const sql = statements.find((sql) => sql.includes("n.parent_id = wanted.value"));
    assert(sql);
    const key = "(workspace_id=? AND parent_id=? AND trash_root=?)";
    assertEquals(planOf(db, sql).filter((step) => step.includes("nodes_children")), [
      `SEARCH n USING INDEX nodes_children ${key}`,
    ]);
  });
});

Deno.test("content(), smallContent() and mentioning() look up what is in a page by key", () => {
  withStatements((statements, db) => {
    const plans = statements.filter((sql) => sql.includes("container_id = p.id"))
      .flatMap((sql) => planOf(db, sql).filter((step) => step.includes("nodes_in_container")));
    const key = "workspace_id=? AND container_id=? AND trash_root=?";
    assertEquals([...new Set(plans)], [
      `SEARCH n USING INDEX nodes_in_container (${key})`,
      `SEARCH n USING INDEX nodes_in_container (${key} AND has_mentions=?)`,
    ]);
  });
});
