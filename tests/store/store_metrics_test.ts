import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import {
  createStoreMetrics,
  measureWrites,
  type StoreMetrics,
  storeSources,
} from "../../src/store/store_metrics.ts";
import { AppError } from "../../src/shared/errors.ts";
import { type Metric, metricsText } from "../../src/shared/metrics.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { insert, page, update } from "./samples.ts";
import { atOnce } from "../../src/shared/yield_to_event_loop.ts";

const textOf = (metrics: readonly Metric[]) => atOnce(metricsText(metrics));

/** Returns the values of all series without histogram buckets and sums, which depend on time. */
async function seriesOf(metrics: StoreMetrics): Promise<Record<string, number>> {
  const read: Metric[] = [];
  for (const { read: samples, ...source } of storeSources(metrics)) {
    read.push({ ...source, samples: await samples() });
  }
  const lines = textOf(read).split("\n").filter((line) => /^[^#]/.test(line));
  return Object.fromEntries(
    lines.filter((line) => !/_bucket|_sum/.test(line)).map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space).replace("recto_store_", ""), Number(line.slice(space))];
    }),
  );
}

Deno.test("reads, writes and the outcomes of commits are measured", async () => {
  const metrics = createStoreMetrics();
  const store = measureWrites(openSqliteStore(":memory:", { metrics }), metrics);
  const before = (await seriesOf(metrics))['duration_seconds_count{operation="read"}'] ?? 0;
  await store.commit("w", insert(page("p")));
  await store.commit("w", [update("p", 9)]);
  await store.versions("w", ["p"]);
  const series = await seriesOf(metrics);
  assertEquals(series['commits_total{result="committed"}'], 1);
  assertEquals(series['commits_total{result="conflict"}'], 1);
  assertEquals(series['duration_seconds_count{operation="write"}'], 2);
  assertEquals(series['duration_seconds_count{operation="read"}'], before + 1);
  await store.close();
  await assertRejects(() => store.commit("w", insert(page("q"))), Error);
  assertEquals((await seriesOf(metrics))['commits_total{result="failed"}'], 1);
});

Deno.test("a pool tells how many connections are busy, and how long work waits for one", async () => {
  const metrics = createStoreMetrics();
  assertEquals("pool_waiting" in await seriesOf(metrics), false);
  const pool = createPool(["a", "b"], 10, metrics.waits.observe);
  metrics.pool = pool.state;
  const both = Promise.withResolvers<void>();
  const working = [1, 2].map(() => pool.use(() => both.promise));
  const third = assertRejects(() => pool.use(() => Promise.resolve()), AppError);
  await Promise.resolve();
  const series = await seriesOf(metrics);
  assertEquals(series['pool_connections{state="busy"}'], 2);
  assertEquals(series['pool_connections{state="idle"}'], 0);
  assertEquals(series["pool_waiting"], 1);
  await third;
  both.resolve();
  await Promise.all(working);
  assertEquals((await seriesOf(metrics))['pool_connections{state="idle"}'], 2);
  assertEquals((await seriesOf(metrics))["wait_seconds_count"], 2);
});
