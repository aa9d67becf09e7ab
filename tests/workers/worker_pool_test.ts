import { createWorkerPool, type WorkerPool } from "../../src/workers/worker_pool.ts";
import { assertEquals } from "../assert.ts";

async function withPool(test: (pool: WorkerPool) => Promise<void>, kept = 2): Promise<void> {
  const module = import.meta.resolve("./named_worker.ts");
  const pool = createWorkerPool({ module, purpose: "has a name", memory: 64, nice: 0, kept });
  try {
    await test(pool);
  } finally {
    pool.close();
  }
}

/** Returns the name of the Worker that is given the next work. */
async function nameOf(pool: WorkerPool): Promise<string> {
  let name = "";
  await pool.use((worker) =>
    worker.request<string, string>("name", (message) => {
      name = message;
      return "last";
    })
  );
  return name;
}

/** Resolves once so many Workers are idle. */
async function untilIdle(pool: WorkerPool, count: number): Promise<void> {
  while (pool.counts().idle !== count) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("a further Worker starts after work, and the one that was used last is used first", () =>
  withPool(async (pool) => {
    const first = await nameOf(pool);
    assertEquals(pool.counts(), { busy: 0, idle: 1 });
    await untilIdle(pool, 2);
    assertEquals([await nameOf(pool), await nameOf(pool)], [first, first]);
  }));

Deno.test("Workers beyond those that are kept start only with work", () =>
  withPool(async (pool) => {
    await nameOf(pool);
    // Longer than it takes until a Worker starts in advance.
    await new Promise((resolve) => setTimeout(resolve, 300));
    assertEquals(pool.counts(), { busy: 0, idle: 1 });
    const names = await Promise.all([nameOf(pool), nameOf(pool), nameOf(pool)]);
    assertEquals(new Set(names).size, 3);
    assertEquals(pool.counts(), { busy: 0, idle: 3 });
  }, 1));

Deno.test("idle Workers are ended until one is left", () =>
  withPool(async (pool) => {
    await nameOf(pool);
    await untilIdle(pool, 2);
    await untilIdle(pool, 1);
    assertEquals((await nameOf(pool)).length, 36);
  }));
