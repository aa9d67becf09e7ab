import type { Embedder } from "../../../src/search/embedder.ts";
import { ServicePaused, withQuestions } from "../../../src/search/embedders/questions.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";

/** An embedder that counts its calls and fails while it is told to. */
function createService() {
  const state = { calls: 0, isDown: false, now: 0 };
  const service: Embedder = {
    name: "test",
    embed: (texts) => {
      state.calls++;
      if (state.isDown) return Promise.reject(new Error("down"));
      return Promise.resolve(texts.map(({ text }) => Float32Array.of(text.length)));
    },
  };
  const embedder = withQuestions(service, () => state.now);
  const ask = async (question: string) => await embedder.embedQuestion?.(question);
  return { state, embedder, ask };
}

Deno.test("the vector of a question is asked for once", async () => {
  const { state, ask } = createService();
  assertEquals(await ask("abc"), Float32Array.of(3));
  assertEquals(await ask("abc"), Float32Array.of(3));
  await ask("other");
  assertEquals(state.calls, 2);
});

Deno.test("a service that fails is left alone, for longer after each failure", async () => {
  const { state, ask } = createService();
  state.isDown = true;
  const pauses: number[] = [];
  for (let failure = 0; failure < 9; failure++) {
    await assertRejects(() => ask("a"), Error, "down");
    let pause = 0;
    // Asks other questions until the service is tried once more.
    for (const { calls } = state; state.calls === calls; pause += 500) {
      state.now += 500;
      await ask("b").catch(() => {});
    }
    pauses.push(pause);
    state.now += 60_000;
  }
  assertEquals(pauses[0], 1_000);
  assert(pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 0)));
  assert(Math.max(...pauses) <= 60_000);
});

Deno.test("a service that works again is asked at once, and known questions need none", async () => {
  const { state, embedder, ask } = createService();
  await ask("known");
  state.isDown = true;
  await assertRejects(() => ask("a"), Error, "down");
  assertEquals(await ask("known"), Float32Array.of(5));
  await assertRejects(() => ask("b"), ServicePaused);
  state.isDown = false;
  await embedder.embed([{ title: "", text: "of the background" }]);
  assertEquals(await ask("b"), Float32Array.of(1));
});

Deno.test("while one question tries a service that failed, others do not wait", async () => {
  const { state, ask } = createService();
  state.isDown = true;
  await assertRejects(() => ask("a"), Error, "down");
  state.now += 1_000;
  const results = await Promise.allSettled([ask("b"), ask("c"), ask("d")]);
  assertEquals(state.calls, 2);
  assertEquals(results.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
});
