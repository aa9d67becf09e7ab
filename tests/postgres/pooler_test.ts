import { PoolerError } from "../../src/store/postgres/pooler.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { insert, page } from "../store/samples.ts";
import { startCluster } from "./cluster.ts";
import { startPgBouncer } from "./pgbouncer.ts";

for (const mode of ["transaction", "statement"]) {
  Deno.test(`a pooler in ${mode} mode is refused at the start, with what to do`, async () => {
    await using cluster = await startCluster();
    await using pooler = await startPgBouncer(cluster.url, mode);
    for (let attempt = 0; attempt < 3; attempt++) {
      const told = await assertRejects(
        () => openPostgresStore({ url: pooler.url, size: 4 }),
        PoolerError,
      );
      assertStringIncludes(told.message, "set it to pool_mode = session");
    }
  });
}

Deno.test("a pooler in session mode is as good as the server", async () => {
  await using cluster = await startCluster();
  await using pooler = await startPgBouncer(cluster.url, "session");
  const store = await openPostgresStore({ url: pooler.url, size: 4 });
  try {
    await store.commit(W, insert(page("p")));
    assertEquals((await store.node(W, "p"))?.id, "p");
    await store.ping();
  } finally {
    await store.close();
  }
});
