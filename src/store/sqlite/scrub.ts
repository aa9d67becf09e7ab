/**
 * Overwriting what deleted and changed rows left behind in a SQLite file.
 *
 * SQLite marks space as free and leaves its bytes. Three places keep them: the space between the rows
 * of a page, free pages, and the write-ahead log.
 *
 * @module
 */
import { type Connection, openConnection } from "./connection.ts";
import { query } from "./query.ts";

/** Rows that are written anew in one transaction at most, so that no other writer waits long. */
const MOST_ROWS = 20_000;
/** Free pages overwritten in one transaction: a few milliseconds. */
const PAGES = 256;
/** Milliseconds between two transactions, in which others write. */
const PAUSE = 25;
/** Attempts to empty the log, which readers may prevent for a while. */
const ATTEMPTS = 200;

/**
 * Overwrites everything that users and receipts left behind. Other processes may use the file. Returns
 * what could not be done, as sentences.
 */
export async function scrub(path: string): Promise<readonly string[]> {
  const connection = openConnection(path);
  try {
    connection.db.exec("PRAGMA secure_delete = ON");
    const left = TABLES.filter((table) => !rewrite(connection, table));
    await overwriteFreePages(connection);
    const isEmpty = await emptyLog(connection);
    return [
      ...left.map((table) =>
        `More than ${MOST_ROWS} ${table} are stored: stop the server and run \`recto vacuum\` ` +
        "to overwrite what is left between them"
      ),
      ...(isEmpty ? [] : [
        "The write-ahead log is in use, for instance by a backup: run the command again",
      ]),
    ];
  } finally {
    connection.close();
  }
}

const TABLES = ["users", "receipts"] as const;

/** Writes the rows of a table to pages that were overwritten; false if they are too many. */
function rewrite({ db, transaction }: Connection, table: (typeof TABLES)[number]): boolean {
  const [rows = 0] = query<[number]>(db, `SELECT count(*) FROM ${table}`).get() ?? [];
  if (rows > MOST_ROWS) return false;
  transaction(() => {
    db.exec(`CREATE TEMP TABLE moved AS SELECT * FROM ${table}`);
    db.exec(`DELETE FROM ${table}`);
    db.exec(`INSERT INTO ${table} SELECT * FROM moved`);
    db.exec("DROP TABLE moved");
  });
  return true;
}

/** Takes all free pages, then frees them again, which overwrites them. */
async function overwriteFreePages({ db, transaction }: Connection): Promise<void> {
  const free = query<[number]>(db, "PRAGMA freelist_count");
  const [size = 0] = query<[number]>(db, "PRAGMA page_size").get() ?? [];
  transaction(() => db.exec("CREATE TABLE IF NOT EXISTS scrubbing (filler BLOB NOT NULL) STRICT"));
  const fill = db.prepare("INSERT INTO scrubbing (filler) VALUES (zeroblob(?))");
  for (let pages = free.get()?.[0] ?? 0; pages > 0; pages = free.get()?.[0] ?? 0) {
    transaction(() => fill.run(size * Math.min(pages, PAGES)));
    await pause();
  }
  const empty = db.prepare(
    "DELETE FROM scrubbing WHERE rowid = (SELECT min(rowid) FROM scrubbing)",
  );
  while (transaction(() => Number(empty.run().changes)) > 0) await pause();
  transaction(() => db.exec("DROP TABLE scrubbing"));
}

/** Copies the log into the file and cuts it off; false if others keep reading it. */
async function emptyLog({ db }: Connection): Promise<boolean> {
  const checkpoint = query<[busy: number]>(db, "PRAGMA wal_checkpoint(TRUNCATE)");
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (checkpoint.get()?.[0] === 0) return true;
    await pause();
  }
  return false;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}
