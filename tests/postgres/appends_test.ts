import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assertEquals } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { block, insert, page } from "../store/samples.ts";
import { startCluster } from "./cluster.ts";

const WRITERS = 64;

Deno.test("writers that want one place are told of it, and the server's log says nothing", async () => {
  await using cluster = await startCluster();
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openPostgresStore({ url: cluster.url, size: 8 })),
  );
  try {
    const [first] = stores;
    assertEquals(await first?.commit(W, insert(page("p"))), "committed");
    const outcomes = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => {
        const children = [
          block(`a${writer}`, "p", { position: "m" }),
          block(`b${writer}`, "p", { position: `m${writer}` }),
        ];
        return stores[writer % stores.length]?.commit(W, insert(...children));
      }),
    );
    const committed = outcomes.filter((outcome) => outcome === "committed");
    assertEquals([committed.length, outcomes.length - committed.length], [1, WRITERS - 1]);
    assertEquals((await first?.children(W, "p", { limit: 99 }))?.length, 2, "nothing by halves");
    assertEquals((await cluster.log()).match(/ERROR.*/g), null);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
});
