import { type PortionData, printPortion } from "../../src/content/markdown/print_portion.ts";
import { createMarkdownPrinter, type MarkdownPrinter } from "../../src/workers/markdown_printer.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

async function withPrinter(test: (printer: MarkdownPrinter) => Promise<void>): Promise<void> {
  const printer = createMarkdownPrinter();
  try {
    await test(printer);
  } finally {
    printer.close();
  }
}

/** A list whose items, an unknown block among them, stand in one another. */
function nested(depth: number, start = 1): PortionData {
  const indexes = Array.from({ length: depth }, (_, index) => index);
  return {
    ids: indexes.map((index) => `id-${index}`),
    types: indexes.map((index) => index === 1 ? "unsupported" : "numbered_list_item"),
    parents: indexes.map((index) => index - 1),
    titles: indexes.map(() => ""),
    docs: indexes.map(() => JSON.stringify({ rich_text: [], color: "default" })),
    start,
    publicUrl: "https://recto.test",
  };
}

Deno.test("print() prints each portion as the main thread would, in order", () =>
  withPrinter(async ({ print }) => {
    const portions = [nested(3), nested(70, 7), nested(1, 40)];
    const printed = await Promise.all(portions.map(print));
    assertEquals(printed, portions.map(printPortion));
    assertEquals(new Set(printed.map(({ text }) => text)).size, 3);
  }));

Deno.test("print() does not block the event loop", () =>
  withPrinter(async ({ print }) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 0);
    const portion = nested(2_000);
    await Promise.all(Array.from({ length: 20 }, () => print(portion)));
    clearInterval(timer);
    assert(ticks > 5, "the thread of requests was free");
  }));

Deno.test("print() rejects a portion it cannot print, and continues", () =>
  withPrinter(async ({ print }) => {
    const broken = { ...nested(1), docs: ["["] };
    await assertRejects(() => print(broken), Error, "The Worker that prints Markdown failed");
    assertEquals(await print(nested(3)), printPortion(nested(3)));
  }));

Deno.test("close() rejects pending portions", async () => {
  const { print, close } = createMarkdownPrinter();
  const printed = assertRejects(() => print(nested(3)), Error, "was ended");
  close();
  await printed;
});
