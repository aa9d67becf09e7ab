import { AppError } from "../../src/errors.ts";
import { createMarkdownReader, type MarkdownReader } from "../../src/threads/markdown_reader.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

/** A text that takes minutes to read. */
const HOSTILE = `${"> ".repeat(16)}a\n\n`.repeat(6_000);
const GREETING = { paragraph: { rich_text: [{ text: { content: "Hello" } }] } };

async function withReader(
  options: Parameters<typeof createMarkdownReader>[0],
  test: (reader: MarkdownReader) => Promise<void>,
): Promise<void> {
  const reader = createMarkdownReader(options);
  try {
    await test(reader);
  } finally {
    reader.close();
  }
}

Deno.test("read() answers texts in the order they came", () =>
  withReader({}, async ({ read }) => {
    const texts = ["one", "two", "three"];
    const contents = await Promise.all(texts.map(read));
    const said = contents.map(({ blocks }) => JSON.stringify(blocks));
    assertEquals(said.map((json, index) => json.includes(texts[index] ?? "?")), [true, true, true]);
  }));

Deno.test("read() ends what takes too long, lets others work meanwhile, and reads on", () =>
  withReader({ timeLimit: 1_000 }, async ({ read }) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const slow = assertRejects(() => read(HOSTILE), AppError, "takes too long");
    const next = read("Hello");
    assertEquals((await slow).members["errors"], [
      { pointer: "/markdown", detail: "Markdown takes too long to read: divide it." },
    ]);
    clearInterval(timer);
    assert(ticks > 5, "the thread of requests was free");
    assertEquals((await next).blocks, [GREETING]);
  }));

Deno.test("read() refuses what nests too deep, and reads on", () =>
  withReader({ timeLimit: 60_000 }, async ({ read }) => {
    await assertRejects(() => read(">".repeat(4_000)), AppError, "nests too deep");
    assertEquals((await read("Hello")).blocks, [GREETING]);
  }));

Deno.test("read() lets only so many wait", () =>
  withReader({ waiting: 1 }, async ({ read }) => {
    const read2 = [read("Hello"), read("Hello")];
    const refused = await assertRejects(() => read("Hello"), AppError, "try again");
    assertEquals(refused.code, "service_unavailable");
    await Promise.all(read2);
    assertEquals((await read("Hello")).blocks, [GREETING]);
  }));
