import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { createReadCache } from "../../../src/store/sqlite/read_cache.ts";
import { assertEquals, assertThrows } from "../../assert.ts";
import { runOn, withFile } from "./files.ts";

/** A connection with a table of numbers, and a cache of how many there are. */
function countingIn(path: string) {
  const connection = openConnection(path);
  const { db, reading } = connection;
  db.exec("CREATE TABLE IF NOT EXISTS t (x INTEGER PRIMARY KEY)");
  const cached = createReadCache<string, { readonly n: number }>(connection, {
    maxSize: 10,
    sizeOf: () => 1,
  });
  let reads = 0;
  const count = () =>
    reading(() => {
      const cache = cached();
      const known = cache.get("all");
      if (known !== undefined) return known.n;
      reads++;
      const n = Number(db.prepare("SELECT count(*) AS n FROM t").get()?.n);
      cache.set("all", { n });
      return n;
    });
  return { ...connection, count, reads: () => reads };
}

Deno.test("what was read is cached until this connection or another one writes", () =>
  withFile((path) => {
    const counting = countingIn(path);
    const { db, count } = counting;
    assertEquals([count(), count(), counting.reads()], [0, 0, 1]);
    db.exec("INSERT INTO t VALUES (1)");
    assertEquals([count(), count(), counting.reads()], [1, 1, 2]);
    runOn(path, "INSERT INTO t VALUES (2)");
    assertEquals([count(), count(), counting.reads()], [2, 2, 3]);
    counting.close();
  }));

Deno.test("what a transaction wrote is forgotten if it is undone", () =>
  withFile((path) => {
    const { db, count, transaction, close } = countingIn(path);
    assertThrows(
      () =>
        transaction(() => {
          db.exec("INSERT INTO t VALUES (1)");
          assertEquals(count(), 1);
          throw new RangeError("undone");
        }),
      RangeError,
    );
    assertEquals(count(), 0);
    close();
  }));
