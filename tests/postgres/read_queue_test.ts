import { openConnection } from "../../src/store/postgres/connection.ts";
import { createReadQueue } from "../../src/store/postgres/read_queue.ts";
import { createRowReader } from "../../src/store/postgres/rows.ts";
import { assertEquals } from "../assert.ts";
import { D } from "../store/row_samples.ts";
import { openSchema } from "../support/stores.ts";

// Opened before the tests, because what a test opens it must close.
const { url, connection, wipe } = await openSchema({ isPatient: true });
/** Five connections for statements by themselves, and five that are lent. */
const larger = openConnection({ url, size: 10 });

/** Reads that began and go on until they are released. */
function lastingReads() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let began = 0;
  return {
    read: () => {
      began++;
      return promise;
    },
    began: () => began,
    release: resolve,
  };
}

for (const [connections, ofOne, ofAll] of [[1, 1, 1], [2, 1, 1], [5, 3, 4]] as const) {
  Deno.test(`of ${connections} connections a workspace reads on ${ofOne}, all on ${ofAll}`, async () => {
    const queue = createReadQueue(connections);
    const { read, began, release } = lastingReads();
    const first = Array.from({ length: 9 }, () => queue.run({ workspace: "a" }, read));
    assertEquals(began(), ofOne);
    const further = ["b", "c"].map((workspace) => queue.run({ workspace }, read));
    assertEquals([began(), queue.waiting()], [ofAll, 11 - ofAll]);
    release();
    await Promise.all([...first, ...further]);
  });
}

Deno.test("while reads of a workspace wait, others read and everybody writes", async () => {
  const { read, release } = lastingReads();
  const reads = Array.from({ length: 20 }, () => larger.reading(read, { workspace: "a" }));
  const now = () => Promise.resolve("now");
  assertEquals(await larger.reading(now, { workspace: "b" }), "now");
  assertEquals(await larger.transaction(now), "now");
  release();
  await Promise.all(reads);
});

Deno.test("a long query waits for its caller's other queries without a connection", async () => {
  let held = 0;
  const paused: number[] = [];
  const { rows } = createRowReader({
    ...connection,
    reading: async (work, reader) => {
      held++;
      const answer = await connection.reading(work, reader);
      held--;
      return answer;
    },
  }, { long: -1 });
  const query = { databaseId: D, inTrash: false, sorts: [], limit: 1 };
  const pause = () => Promise.resolve(void paused.push(held));
  assertEquals(await rows("w", query, { pause, budget: { left: 1_000 } }), []);
  assertEquals(paused, [0]);
  await larger.close();
  await wipe();
});
