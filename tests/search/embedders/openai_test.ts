import { createOpenAiEmbedder, type OpenAiOptions } from "../../../src/search/embedders/openai.ts";
import { type Embedder, TextsRefused } from "../../../src/search/embedder.ts";
import { UnusableBody } from "../../../src/shared/bounded_body.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";
import {
  type EmbeddingsServer,
  type Issue,
  vectorFor,
  withEmbeddings,
} from "../embeddings_server.ts";

const text = (text: string) => ({ title: "", text });

interface Trial {
  readonly embedder: Embedder;
  readonly server: EmbeddingsServer;
  /** Milliseconds that were waited, one by one; no test waits for them. */
  readonly waits: readonly number[];
}

function trying(
  issues: readonly Issue[],
  trial: (trial: Trial) => Promise<void>,
  options: Partial<OpenAiOptions> = {},
): Promise<void> {
  return withEmbeddings(async (server) => {
    server.fail(...issues);
    const waits: number[] = [];
    const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    const base = { url: server.url, model: "small", key: "secret", wait };
    await trial({ embedder: createOpenAiEmbedder({ ...base, ...options }), server, waits });
  });
}

Deno.test("openai embedder follows the protocol and returns unit vectors", () =>
  trying([], async ({ embedder, server }) => {
    const [vector, ...more] = await embedder.embed([{ title: "Plan", text: "Buy milk" }]);
    assertEquals(more, []);
    assert(Math.abs(Math.hypot(...vector ?? []) - 1) < 1e-6);
    const [request] = server.requests;
    assertEquals(request?.path, "/v1/embeddings");
    assertEquals(request?.headers.get("authorization"), "Bearer secret");
    assertEquals(request?.body, {
      model: "small",
      input: ["Plan\n\nBuy milk"],
      encoding_format: "float",
      dimensions: 8,
    });
  }, { dimensions: 8 }));

Deno.test("openai embedder sends neither key nor dimensions if they are not set", () =>
  withEmbeddings(async (server) => {
    await createOpenAiEmbedder({ url: `${server.url}/`, model: "m" }).embed([text("a")]);
    const [request] = server.requests;
    assertEquals(request?.path, "/v1/embeddings");
    assertEquals(request?.headers.has("authorization"), false);
    assertEquals(request?.body, { model: "m", input: ["a"], encoding_format: "float" });
  }));

Deno.test("openai embedder writes prefixes before questions and before other texts", () =>
  trying([], async ({ embedder, server }) => {
    await embedder.embed([{ title: "Plan", text: "Buy milk" }]);
    await embedder.embedQuestion?.("What to buy?");
    const inputs = server.requests.map(({ body }) => (body as { input: unknown }).input);
    assertEquals(inputs, [["passage: Plan\n\nBuy milk"], ["query: What to buy?"]]);
    assertEquals(embedder.name, "openai small whole passage:");
  }, { questionPrefix: "query: ", documentPrefix: "passage: " }));

Deno.test("openai embedder sends batches and keeps the order, whatever the order of the response", () =>
  trying(["shuffled", "shuffled"], async ({ embedder, server }) => {
    const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`);
    const vectors = await embedder.embed(texts.map(text));
    assertEquals(server.requests.length, 2);
    vectors.forEach((vector, i) => {
      const expected = vectorFor(texts[i] ?? "");
      const length = Math.hypot(...expected);
      vector.forEach((entry, at) => {
        assert(Math.abs(entry - (expected[at] ?? 0) / length) < 1e-6, `text ${i}`);
      });
    });
  }));

Deno.test("openai embedder sends no request without texts", () =>
  trying([], async ({ embedder, server }) => {
    assertEquals(await embedder.embed([]), []);
    assertEquals(server.requests.length, 0);
  }));

for (const issue of ["500", "503", "slow", "cut"] as const) {
  Deno.test(`openai embedder tries again after ${issue}, each time later`, () =>
    trying([issue, issue], async ({ embedder, server, waits }) => {
      assertEquals((await embedder.embed([text("a")])).length, 1);
      assertEquals(server.requests.length, 3);
      assertEquals(waits, [500, 1_000]);
    }, { timeLimit: 500 }));
}

Deno.test("openai embedder waits as long as Retry-After says, in seconds or until a date", () => {
  const now = () => Date.parse("Sat, 21 Nov 2026 12:00:00 GMT");
  return trying(["429", "429 date", "429 late"], async ({ embedder, waits }) => {
    assertEquals((await embedder.embed([text("a")])).length, 1);
    assertEquals(waits, [7_000, 42_000, 60_000]);
  }, { now });
});

Deno.test("openai embedder gives up after five attempts and reports the status", () =>
  trying(Array.from({ length: 9 }, () => "500" as const), async ({ embedder, server }) => {
    const error = await assertRejects(() => embedder.embed([text("a")]), Error, "500");
    assert(!error.message.includes("secret"));
    assertEquals(server.requests.length, 5);
  }));

Deno.test("openai embedder does not retry permanent errors", () =>
  trying(["401"], async ({ embedder, server }) => {
    await assertRejects(() => embedder.embed([text("a")]), Error, "401");
    assertEquals(server.requests.length, 1);
  }));

for (const issue of ["400", "413", "422"] as const) {
  Deno.test(`openai embedder says after ${issue} that it is the texts`, () =>
    trying([issue], async ({ embedder, server }) => {
      await assertRejects(() => embedder.embed([text("a")]), TextsRefused, issue);
      assertEquals(server.requests.length, 1);
    }));
}

Deno.test("openai embedder rejects vectors with other dimensions than requested", () =>
  trying(["wrong dimensions"], async ({ embedder }) => {
    await assertRejects(
      () => embedder.embed([text("a")]),
      Error,
      "Expected embeddings with 8 dimensions: got 7",
    );
  }, { dimensions: 8 }));

Deno.test("openai embedder rejects vectors with different dimensions", () =>
  trying(["unequal dimensions"], async ({ embedder }) => {
    await assertRejects(() => embedder.embed([text("a"), text("b")]), Error, "dimensions");
  }));

for (
  const issue of [
    "no data",
    "text for numbers",
    "large numbers",
    "one missing",
    "too many vectors",
    "too many dimensions",
  ] as const
) {
  Deno.test(`openai embedder refuses an answer with ${issue}`, () =>
    trying([issue], async ({ embedder, server }) => {
      await assertRejects(() => embedder.embed([text("a"), text("b")]), Error, "embeddings");
      assertEquals(server.requests.length, 1);
    }));
}

for (const issue of ["garbage", "endless"] as const) {
  Deno.test(`openai embedder does not ask again for an answer that is ${issue}`, () =>
    trying([issue, issue], async ({ embedder, server }) => {
      await assertRejects(() => embedder.embed([text("a")]), UnusableBody);
      assertEquals(server.requests.length, 1);
    }));
}

Deno.test("openai embedder follows no redirect with its key", () =>
  trying(["redirect", "redirect"], async ({ embedder, server }) => {
    await assertRejects(() => embedder.embed([text("a")]), Error);
    assertEquals(server.requests.every(({ path }) => path === "/v1/embeddings"), true);
  }, { attempts: 2 }));

Deno.test("openai embedder stops when it is aborted, also while it waits", () =>
  withEmbeddings(async (server) => {
    server.fail("429", "429");
    const stopped = new AbortController();
    const wait = (_: number, signal?: AbortSignal) => {
      stopped.abort(new Error("stopped"));
      return Promise.reject(signal?.reason);
    };
    const embedder = createOpenAiEmbedder({ url: server.url, model: "m", wait });
    await assertRejects(() => embedder.embed([text("a")], stopped.signal), Error, "stopped");
    assertEquals(server.requests.length, 1);
  }));

Deno.test("openai embedder leaves no listener on a signal that it waited with", () =>
  withEmbeddings(async (server) => {
    server.fail("429 date");
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener, signal.removeEventListener];
    signal.addEventListener = (...parameters: Parameters<typeof add>) => {
      listeners++;
      add.apply(signal, parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      listeners--;
      remove.apply(signal, parameters);
    };
    // The time that the server asks to wait for.
    const now = () => Date.parse("2026-11-21T12:00:42Z");
    await createOpenAiEmbedder({ url: server.url, model: "m", now }).embed([text("a")], signal);
    assertEquals([server.requests.length, listeners], [2, 0]);
  }));
