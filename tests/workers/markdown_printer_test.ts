import { type PortionData, printPortion } from "../../src/content/markdown/print_portion.ts";
import { AppError } from "../../src/shared/errors.ts";
import type { QueueUser } from "../../src/shared/fair_queue.ts";
import { createMarkdownPrinter, type MarkdownPrinter } from "../../src/workers/markdown_printer.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

const ADA: QueueUser = { workspace: "a", userId: "ada" };

interface Printer extends Pick<MarkdownPrinter, "close"> {
  print(portion: PortionData, user: QueueUser): ReturnType<MarkdownPrinter["print"]>;
}

async function withPrinter(test: (printer: Printer) => Promise<void>): Promise<void> {
  const { print, close } = createMarkdownPrinter();
  const printer: Printer = {
    print: (portion, user) => print(() => portion, user),
    close,
  };
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

/** Blocks of this text. */
function blocks(type: string, count: number, content: string): PortionData {
  const item = { type: "text", text: { content }, plain_text: content, href: null };
  const rich_text = [{ ...item, annotations: { color: "default" } }];
  const doc = JSON.stringify({ rich_text, color: "default", language: "text" });
  const all = <T>(value: T) => Array.from({ length: count }, () => value);
  const portion = nested(count);
  return { ...portion, types: all(type), parents: all(-1), docs: all(doc) };
}

Deno.test("print() prints each portion as the main thread would, in order", () =>
  withPrinter(async ({ print }) => {
    const portions = [nested(3), nested(70, 7), nested(1, 40)];
    const printed = await Promise.all(portions.map((portion) => print(portion, ADA)));
    assertEquals(printed, portions.map(printPortion));
    assertEquals(new Set(printed.map(({ texts }) => texts.join(""))).size, 3);
  }));

Deno.test("print() prints portions of many nodes, long documents and long texts", () =>
  withPrinter(async ({ print }) => {
    const long = blocks("code", 5, "😀".repeat(150_000));
    assert(printPortion(long).texts.length > 10);
    for (const portion of [nested(3_000), long, blocks("code", 0, "")]) {
      assertEquals(await print(portion, ADA), printPortion(portion));
    }
  }));

/** Seconds of work: each character needs an escape. */
const LONG = blocks("paragraph", 8, "[".repeat(200_000));

/** Records what is sent to Workers that start during `run`, and what they send. */
async function watchMessages(run: () => Promise<void>): Promise<Message[]> {
  const { Worker: own } = globalThis;
  const messages: Message[] = [];
  const record = (from: Message["from"], data: unknown) =>
    messages.push({ from, length: JSON.stringify(data).length });
  globalThis.Worker = class extends own {
    constructor(...args: ConstructorParameters<typeof own>) {
      super(...args);
      this.addEventListener("message", ({ data }) => record("worker", data));
    }
    override postMessage(data: unknown): void {
      record("printer", data);
      super.postMessage(data);
    }
  };
  try {
    await run();
  } finally {
    globalThis.Worker = own;
  }
  return messages;
}

interface Message {
  readonly from: "printer" | "worker";
  readonly length: number;
}

Deno.test("messages are short, and the Worker sends none that is not requested", async () => {
  const portion = blocks("code", 30, "x".repeat(40_000));
  const printed = printPortion(portion);
  const messages = await watchMessages(() =>
    withPrinter(async ({ print }) => assertEquals(await print(portion, ADA), printed))
  );
  assert(messages.every(({ length }) => length < 300_000));
  const replies = messages.flatMap(({ from }, index) => from === "worker" ? index : []);
  assert(replies.length > printed.texts.length);
  assert(replies.every((index) => messages[index - 1]?.from === "printer"));
});

Deno.test("print() does not block the event loop", () =>
  withPrinter(async ({ print }) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 0);
    const portion = nested(2_000);
    await Promise.all(Array.from({ length: 20 }, () => print(portion, ADA)));
    clearInterval(timer);
    assert(ticks > 5, "the thread of requests was free");
  }));

Deno.test("a long portion does not delay one of another caller of the workspace, or of another one", async () => {
  for (const other of [{ ...ADA, userId: "ann" }, { workspace: "b", userId: "bob" }]) {
    await withPrinter(async ({ print }) => {
      const order: string[] = [];
      const long = Promise.all([1, 2].map(() => print(LONG, ADA))).then(() => order.push("long"));
      await print(nested(3), other);
      order.push("short");
      await long;
      assertEquals(order, ["short", "long"]);
    });
  }
});

Deno.test("a second Worker starts only for another caller", async () => {
  const { Worker: own } = globalThis;
  let started = 0;
  globalThis.Worker = class extends own {
    constructor(...args: ConstructorParameters<typeof own>) {
      super(...args);
      started++;
    }
  };
  try {
    await withPrinter(async ({ print }) => {
      for (const [userId, workers] of [["ada", 1], ["ann", 2], ["bob", 2]] as const) {
        const other = { ...ADA, userId };
        await Promise.all([ADA, ADA, other].map((user) => print(nested(3), user)));
        assertEquals(started, workers);
      }
    });
  } finally {
    globalThis.Worker = own;
  }
});

Deno.test("a caller with too many waiting portions is rejected, and nobody else", () =>
  withPrinter(async ({ print }) => {
    const allowed = Array.from({ length: 101 }, () => print(nested(1), ADA));
    const refused = await assertRejects(() => print(nested(1), ADA), AppError, "Too many pages");
    assertEquals(refused.code, "service_unavailable");
    await print(nested(1), { ...ADA, userId: "ann" });
    await Promise.all(allowed);
  }));

Deno.test("print() loads a portion when it is its turn", async () => {
  const { print, close } = createMarkdownPrinter();
  try {
    const { promise: first, resolve } = Promise.withResolvers<PortionData>();
    let isLoaded = false;
    const second = () => {
      isLoaded = true;
      return nested(1);
    };
    const printed = [print(() => first, ADA), print(second, ADA)];
    await print(() => nested(1), { ...ADA, userId: "ann" });
    assert(!isLoaded);
    resolve(nested(3));
    assertEquals(await Promise.all(printed), [nested(3), nested(1)].map(printPortion));
  } finally {
    close();
  }
});

Deno.test("print() rejects a portion it cannot print, and continues", () =>
  withPrinter(async ({ print }) => {
    const broken = { ...nested(1), docs: ["["] };
    const failed = assertRejects(
      () => print(broken, ADA),
      Error,
      "The Worker that prints Markdown failed",
    );
    assertEquals(await print(nested(3), ADA), printPortion(nested(3)));
    await failed;
  }));

Deno.test("close() rejects pending portions", async () => {
  const { print, close } = createMarkdownPrinter();
  const printed = [1, 2, 3].map(() =>
    assertRejects(() => print(() => nested(3), ADA), Error, "was ended")
  );
  close();
  await Promise.all(printed);
});
