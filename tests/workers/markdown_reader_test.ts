import { AppError } from "../../src/shared/errors.ts";
import { createMarkdownReader, type MarkdownReader } from "../../src/workers/markdown_reader.ts";
import type {
  MarkdownReply,
  MarkdownRequest,
  MarkdownText,
} from "../../src/workers/markdown_reader_worker.ts";
import { createWorkerPool } from "../../src/workers/worker_pool.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { HOSTILE_KINDS } from "../support/hostile_markdown.ts";

/** A text that takes minutes to read. */
const HOSTILE = HOSTILE_KINDS["quotes in quotes"]?.(200_000) ?? "";
const ANNE = { workspace: "a", userId: "anne" };
const BERT = { workspace: "a", userId: "bert" };
const never = () => 60_000;
const long = () => 50_000;

async function withReader(
  options: Parameters<typeof createMarkdownReader>[0],
  test: (read: (markdown: string, asker?: typeof ANNE) => Promise<string[]>) => Promise<void>,
): Promise<void> {
  const reader: MarkdownReader = createMarkdownReader(options);
  try {
    await test(async (markdown, asker = ANNE) => {
      const { nodes } = await reader.read(markdown, asker);
      return nodes.map(({ doc }) => JSON.parse(doc).rich_text?.[0]?.plain_text);
    });
  } finally {
    reader.close();
  }
}

Deno.test("read() returns the nodes of each text, and all of a large one", () =>
  withReader({ timeLimit: never }, async (read) => {
    const large = Array.from({ length: 4_000 }, (_, index) => `Paragraph ${index}`);
    const texts = [["one"], large, ["two", "three"]];
    const asked = texts.map((paragraphs) => read(paragraphs.join("\n\n")));
    assertEquals(await Promise.all(asked), texts);
  }));

Deno.test("the Worker sends each portion of a text when it is requested", async () => {
  const pool = createWorkerPool({
    module: import.meta.resolve("../../src/workers/markdown_reader_worker.ts"),
    purpose: "reads Markdown",
    memory: 256,
    nice: 0,
    kept: 1,
  });
  const markdown = Array.from({ length: 2_000 }, (_, index) => `Paragraph ${index}`).join("\n\n");
  const text: MarkdownText = { markdown, variant: undefined, timeLimit: never() };
  const replies: MarkdownReply[] = [];
  await pool.use(async (worker) => {
    for (let request: MarkdownRequest = text, last = 0; last < 1; request = "next") {
      const sent = replies.length;
      await worker.request<MarkdownRequest, MarkdownReply>(request, (reply) => {
        replies.push(reply);
        return "last";
      });
      assertEquals(replies.length, sent + 1);
      if (!("nodes" in (replies.at(-1) ?? {}))) last++;
    }
  });
  pool.close();
  const sizes = replies.map((reply) => "nodes" in reply ? JSON.stringify(reply).length : 0);
  assert(sizes.length > 4 && sizes.every((size) => size < 600_000), String(sizes));
  assertEquals(replies.flatMap((reply) => "nodes" in reply ? reply.nodes : []).length, 2_000);
});

Deno.test("read() stops a text that takes too long, without blocking the event loop, and continues", () =>
  withReader({ timeLimit: () => 1_000 }, async (read) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const slow = assertRejects(() => read(HOSTILE), AppError, "takes too long");
    const next = read("Hello");
    assertEquals((await slow).members["errors"], [
      { pointer: "/markdown", detail: "Markdown takes too long to read: divide it." },
    ]);
    clearInterval(timer);
    assert(ticks > 5, "the thread of requests was free");
    assertEquals(await next, ["Hello"]);
  }));

Deno.test("read() reads texts of other users while one takes long", () =>
  withReader({ timeLimit: long, smallTimeLimit: long() }, async (read) => {
    let stopped = false;
    const slow = read(HOSTILE).catch(() => stopped = true);
    const waits = read("Hello").catch(() => stopped = true);
    assertEquals(await read("Hello", BERT), ["Hello"]);
    assertEquals(await read("Hello", { workspace: "b", userId: "anne" }), ["Hello"]);
    assert(!stopped, "the slow text is still being read");
    void Promise.all([slow, waits]);
  }));

Deno.test("read() reads small texts while large ones use all slots", () =>
  withReader({ timeLimit: long, smallTimeLimit: long() }, async (read) => {
    let stopped = false;
    const slow = ["a", "b", "c", "d"].map((workspace) =>
      read(HOSTILE, { workspace, userId: "eve" }).catch(() => stopped = true)
    );
    assertEquals(await read("Hello"), ["Hello"]);
    assertEquals(await read("Hello", { workspace: "a", userId: "eve" }), ["Hello"]);
    assert(!stopped, "the slow texts are still being read");
    void Promise.all(slow);
  }));

Deno.test("read() moves a small text that takes long to the queue for large ones", () =>
  withReader({ timeLimit: never }, async (read) => {
    const small = HOSTILE_KINDS["images in images"]?.(3_996) ?? "";
    assert(small.length <= 4_000);
    assertEquals((await read(small)).length, 1);
    assertEquals(await read("Hello"), ["Hello"]);
  }));

Deno.test("read() rejects a text that nests too deep, and continues", () =>
  withReader({ timeLimit: never }, async (read) => {
    await assertRejects(() => read(">".repeat(4_000)), AppError, "nests too deep");
    assertEquals(await read("Hello"), ["Hello"]);
  }));

Deno.test("read() rejects a text that exceeds the memory of a Worker, and continues", () =>
  withReader({ timeLimit: never, memory: 40 }, async (read) => {
    const wide = HOSTILE_KINDS["a wide table"]?.(500_000) ?? "";
    const refused = await assertRejects(() => read(wide), AppError, "takes too much memory");
    assertEquals(refused.code, "validation_error");
    assertEquals(await read("Hello"), ["Hello"]);
  }));

Deno.test("read() rejects more blocks than a request may have", () =>
  withReader({ timeLimit: never }, async (read) => {
    await assertRejects(() => read("a\n\n".repeat(5_001)), AppError, "5000");
  }));

Deno.test("read() limits how many texts of a user may wait", () =>
  withReader({ timeLimit: never, maxWaiting: 1 }, async (read) => {
    const two = [read("Hello"), read("Hello")];
    const refused = await assertRejects(() => read("Hello"), AppError, "try again");
    assertEquals(refused.code, "service_unavailable");
    assertEquals(await read("Hello", BERT), ["Hello"]);
    await Promise.all(two);
    assertEquals(await read("Hello"), ["Hello"]);
  }));

Deno.test("the Worker of a first text starts alone, and another one while it is used", async () => {
  const reader = createMarkdownReader();
  try {
    const reading = reader.read("Hello", ANNE);
    // What starts is awaited by the event loop, so that two of them would block it for twice as long.
    await Promise.resolve();
    assertEquals(reader.counts(), { busy: 1, idle: 0, waiting: 0 });
    await reading;
    assertEquals(reader.counts().busy, 0);
    assert(reader.counts().idle > 0, "a Worker is ready for the next text");
  } finally {
    reader.close();
  }
});

Deno.test("close() rejects pending texts", async () => {
  const reader = createMarkdownReader();
  const read = assertRejects(() => reader.read("Hello", ANNE), Error, "was ended");
  reader.close();
  await read;
});
