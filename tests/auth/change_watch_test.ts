import { createChangeWatch } from "../../src/auth/change_watch.ts";
import { assertEquals, assertRejects } from "../assert.ts";

/** A watch on a revision that a test may change, and what it did. */
function watch() {
  const source = {
    revision: 1,
    reads: 0,
    changes: 0,
    failure: undefined as Error | undefined,
    /** Set: reads wait for it. */
    gate: undefined as Promise<void> | undefined,
  };
  const created = createChangeWatch({
    read: async () => {
      source.reads++;
      const { revision } = source;
      await source.gate;
      if (source.failure) throw source.failure;
      return revision;
    },
    onChange: () => {
      source.changes++;
      return Promise.resolve();
    },
  });
  return { ...created, source };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("a watch knows nothing before its first look", async () => {
  const { isCurrent, look, source } = watch();
  assertEquals(isCurrent(0), false);
  await look(0);
  assertEquals([isCurrent(0), source.reads, source.changes], [true, 1, 1]);
});

Deno.test("a watch looks again after 400 ms beside the requests, and is trusted for 900 ms", async () => {
  const { isCurrent, look, source } = watch();
  await look(0);
  assertEquals([isCurrent(399), source.reads], [true, 1]);
  source.gate = new Promise(() => {});
  assertEquals([isCurrent(400), isCurrent(899), source.reads], [true, true, 2]);
  assertEquals([isCurrent(900), source.reads], [false, 2]);
});

Deno.test("a watch reports a change once", async () => {
  const { isCurrent, look, source } = watch();
  await look(0);
  source.revision = 2;
  isCurrent(500);
  await settled();
  assertEquals([source.changes, isCurrent(1_200)], [2, true]);
  await settled();
  assertEquals([source.reads, source.changes], [3, 2]);
});

Deno.test("look() looks again if the look under way began too long ago", async () => {
  const { isCurrent, look, source } = watch();
  await look(0);
  const { promise, resolve } = Promise.withResolvers<void>();
  source.gate = promise;
  isCurrent(500);
  source.revision = 2;
  const looked = look(1_500);
  resolve();
  await looked;
  assertEquals([source.reads, source.changes], [3, 2]);
});

Deno.test("look() rejects while the source fails, and a cached state is trusted no longer", async () => {
  const { isCurrent, look, source } = watch();
  await look(0);
  source.failure = new Error("down");
  assertEquals(isCurrent(500), true);
  await settled();
  assertEquals(isCurrent(901), false);
  await settled();
  await assertRejects(() => look(901), Error, "down");
  source.failure = undefined;
  await look(902);
  assertEquals([isCurrent(902), source.changes], [true, 1]);
});

Deno.test("a watch looks again if the clock was set back", async () => {
  const { isCurrent, look } = watch();
  await look(3_600_000);
  assertEquals(isCurrent(0), false);
  await look(0);
  assertEquals(isCurrent(0), true);
});

Deno.test("a watch is not current before the change has been taken in", async () => {
  let changes = 0;
  const { isCurrent, look } = createChangeWatch({
    read: () => Promise.resolve("same"),
    onChange: () => ++changes === 1 ? Promise.reject(new Error("damaged")) : Promise.resolve(),
  });
  await assertRejects(() => look(0), Error, "damaged");
  assertEquals(isCurrent(0), false);
  await settled();
  assertEquals([isCurrent(0), changes], [true, 2]);
});
