import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { createWriterWorker, type WriterWorker } from "../../../src/store/sqlite/writer_thread.ts";
import { assertEquals } from "../../assert.ts";
import { withFile } from "./files.ts";

interface Threads {
  started: number;
  /** Resolves when the next thread is ended. */
  nextEnd(): Promise<void>;
}

/** Runs a test on a thread that ends as soon as it has nothing to write. */
function withIdleThread(
  test: (thread: WriterWorker, threads: Threads) => Promise<void>,
): Promise<void> {
  return withFile(async (path) => {
    await openSqliteStore(path).close();
    const own = globalThis.Worker;
    let ended = Promise.withResolvers<void>();
    const threads = { started: 0, nextEnd: () => ended.promise };
    globalThis.Worker = class extends own {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        threads.started++;
        ended = Promise.withResolvers();
      }
      override terminate(): void {
        super.terminate();
        ended.resolve();
      }
    };
    const thread = createWriterWorker(path, { idleTime: 0 });
    try {
      await test(thread, threads);
    } finally {
      await thread.close();
      globalThis.Worker = own;
    }
  });
}

function ping(thread: WriterWorker): Promise<unknown> {
  return thread.write({ method: "ping", args: [{ takesSpace: true }] });
}

Deno.test("the thread that writes ends when it has nothing to write, and starts with the next write", () =>
  withIdleThread(async (thread, threads) => {
    for (const started of [1, 2, 3]) {
      assertEquals(await ping(thread), undefined);
      assertEquals(threads.started, started);
      await threads.nextEnd();
    }
  }));

Deno.test("open() starts one thread, and returns nothing once it has opened the file", () =>
  withIdleThread(async (thread, threads) => {
    await Promise.all([thread.open(), thread.open(), ping(thread)]);
    assertEquals([threads.started, thread.open()], [1, undefined]);
    await threads.nextEnd();
    assertEquals(await thread.open(), undefined);
    assertEquals(threads.started, 2);
  }));

Deno.test("a write that comes while the thread ends is made", () =>
  withIdleThread(async (thread) => {
    for (let turns = 0; turns < 60; turns++) {
      await Promise.all([ping(thread), ping(thread)]);
      for (let turn = 0; turn < turns % 6; turn++) {
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  }));
