import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { childrenOf, newPage, paragraph, textsOf } from "../api/driver.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { startCluster } from "./cluster.ts";

const WRITERS = 8;
const BLOCKS = 12;

/** Sends a request until it is not refused for a while. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    assertEquals(answer.headers.get("retry-after"), "1");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function appendOnce(app: TestApp, parent: string, text: string): Promise<Answer> {
  return insist(() =>
    app.call(`PATCH /v2/blocks/${parent}/children`, {
      body: { children: [paragraph(text)] },
      headers: { "idempotency-key": text },
    })
  );
}

for (const mode of ["fast", "immediate"] as const) {
  Deno.test(`writers outlive a restart of the server (${mode}): all is there, each once`, async () => {
    await using cluster = await startCluster();
    const store = await openPostgresStore({ url: cluster.url, size: 6 });
    await withApp(async (app) => {
      const page = await newPage(app);
      const { promise: halfway, resolve } = Promise.withResolvers<void>();
      let acknowledged = 0;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let block = 0; block < BLOCKS; block++) {
          const { status, text } = await appendOnce(app, page, `${writer}-${block}`);
          assertEquals(status, 200, text);
          if (++acknowledged === (WRITERS * BLOCKS) / 2) resolve();
        }
      });
      await Promise.race([halfway, Promise.all(writers)]);
      await cluster.halt(mode);
      const refused = await app.call(`GET /v2/blocks/${page}/children`);
      assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
      assertEquals((await app.call("GET /readyz")).status, 503);
      await cluster.start();
      await Promise.all(writers);
      const texts = textsOf(await childrenOf(app, page));
      const all = Array.from(
        { length: WRITERS * BLOCKS },
        (_, index) => `${index % WRITERS}-${Math.floor(index / WRITERS)}`,
      );
      assertEquals(texts.toSorted(), all.toSorted());
      // Each writer waited for its answers, so its blocks stand in its order.
      for (let writer = 0; writer < WRITERS; writer++) {
        const own = texts.filter((text) => text.startsWith(`${writer}-`));
        assertEquals(own, Array.from({ length: BLOCKS }, (_, block) => `${writer}-${block}`));
      }
      assert(acknowledged === WRITERS * BLOCKS);
    }, { store });
  });
}
