import { createKeyedMutex } from "../../src/api/shared/keyed_mutex.ts";
import { createWriteQueue, type Write, type Written } from "../../src/api/shared/write_queue.ts";
import type { PartWork, ShareTransaction, TransactionPart } from "../../src/store/port.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const PART: TransactionPart = { reading: {}, commit: () => Promise.resolve("committed") };

function written(body: string): Written {
  return { reply: { body }, durable: undefined };
}

interface Watched {
  /** Does writes that all wait for one before them. */
  atOnce(...writes: readonly Write[]): Promise<string[]>;
  /** How many writes each shared transaction got. */
  readonly sizes: readonly number[];
  readonly undone: () => number;
}

/** Does every work in order; `end` tells how the transaction ends. */
function watch(end: (outcomes: PromiseSettledResult<never>[]) => unknown = (all) => all): Watched {
  const sizes: number[] = [];
  let undone = 0;
  const share: ShareTransaction = async (_workspace, works) => {
    sizes.push(works.length);
    const outcomes = [];
    for (const work of works) outcomes.push(...await Promise.allSettled([work(PART)]));
    // Sound because `end` returns what it got, or a part of it.
    return await end(outcomes as never) as never;
  };
  const take = createWriteQueue({ share, onUndone: () => void undone++ });
  return {
    sizes,
    undone: () => undone,
    atOnce: async (...writes) => {
      const [, ...all] = await Promise.allSettled(
        [write("first"), ...writes].map((write) => take("w", write)),
      );
      return all.map((one) =>
        one.status === "fulfilled" ? String(one.value.reply.body) : one.reason.message
      );
    },
  };
}

function write(
  name: string,
  shared: PartWork<Written> = () => Promise.resolve(written(name)),
): Write {
  return { alone: () => Promise.resolve(written(`${name} alone`)), shared };
}

Deno.test("a write that nobody waits with is done alone", async () => {
  const { atOnce, sizes } = watch();
  assertEquals(await atOnce(write("a")), ["a alone"]);
  assertEquals(sizes, []);
});

Deno.test("writes that wait together share a transaction, each with its own outcome", async () => {
  const { atOnce, sizes } = watch();
  const refused = write("c", () => Promise.reject(new Error("refused")));
  const conflicting = write("d", () => Promise.resolve(undefined));
  assertEquals(
    await atOnce(write("a"), write("b"), refused, conflicting, write("e")),
    ["a", "b", "refused", "d alone", "e"],
  );
  assertEquals(sizes, [5]);
});

Deno.test("a write that is alone and conflicts with another process is done while that is locked out", async () => {
  const { atOnce, sizes } = watch();
  const alone: Write["alone"] = async (locked) => await locked() ?? written("conflict");
  const shared = () => Promise.resolve(written("locked"));
  assertEquals(await atOnce({ alone, shared }), ["locked"]);
  assertEquals(await atOnce({ alone }), ["conflict"], "what may take long never is");
  assertEquals(sizes, [1]);
});

Deno.test("a write that may not be shared has its turn between the others", async () => {
  const { atOnce, sizes } = watch();
  const large: Write = { alone: write("large").alone };
  assertEquals(await atOnce(large, write("a"), write("b")), ["large alone", "a", "b"]);
  assertEquals(sizes, [2]);
});

Deno.test("writes of a transaction that was undone are done alone, after the caches are emptied", async () => {
  const { atOnce, undone } = watch(() => undefined);
  assertEquals(await atOnce(write("a"), write("b")), ["a alone", "b alone"]);
  assertEquals(undone(), 1);
});

Deno.test("writes of a transaction that may have been committed are refused, not done again", async () => {
  const { atOnce, undone } = watch(() => Promise.reject(new Error("unknown")));
  assertEquals(await atOnce(write("a"), write("b")), ["unknown", "unknown"]);
  assertEquals(undone(), 1);
});

Deno.test("writes that a transaction did not begin share the next one", async () => {
  const { atOnce, sizes } = watch((all) => all.slice(0, 1));
  assertEquals(await atOnce(write("a"), write("b"), write("c")), ["a", "b", "c alone"]);
  assertEquals(sizes, [3, 2]);
});

Deno.test("a write that waited too long while a transaction tried it gets the outcome of that", async () => {
  const held = Promise.withResolvers<void>();
  const mutex = createKeyedMutex(1);
  const share: ShareTransaction = async (_workspace, works) => {
    await held.promise;
    return await Promise.allSettled(works.map((work) => work(PART)));
  };
  const take = createWriteQueue({ share, onUndone: () => {}, mutex });
  const first = take("w", write("first"));
  const waiting = [take("w", write("a")), take("w", write("b"))];
  await assertRejects(() => take("w", { alone: write("c").alone }), Error, "try again");
  held.resolve();
  await first;
  assertEquals((await Promise.all(waiting)).map(({ reply }) => reply.body), ["a", "b"]);
});
