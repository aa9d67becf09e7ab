import { startMemberProcess } from "../../src/cli/member_process.ts";
import { createLineJoiner } from "../../src/processes/line_joiner.ts";
import { type Channel, createLink, type Message } from "../../src/processes/link.ts";
import { addCounts } from "../../src/processes/counts.ts";
import { createRemoteWrite, createWriteHandler } from "../../src/processes/remote_writes.ts";
import { processesOf } from "../../src/config/processes.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import fc from "fast-check";

/** Two ends of a channel that passes messages as JSON. */
function createChannel(): [Channel, Channel] {
  const listeners: ((message: Message) => void)[] = [];
  const end = (own: number): Channel => ({
    send: (message) => {
      const text = JSON.stringify(message);
      queueMicrotask(() => listeners[1 - own]?.(JSON.parse(text)));
    },
    receive: (listener) => {
      listeners[own] = listener;
    },
  });
  return [end(0), end(1)];
}

interface Calculator {
  add(a: number, b: number): number;
  fail(): Promise<void>;
}

Deno.test("a link carries calls, results and errors", async () => {
  const [here, there] = createChannel();
  const calculator: Calculator = {
    add: (a, b) => a + b,
    fail: () => Promise.reject(new Error("No such thing")),
  };
  createLink(there, calculator);
  const link = createLink<Calculator>(here, {});
  assertEquals(await Promise.all([link.call("add", 1, 2), link.call("add", 3, 4)]), [3, 7]);
  await assertRejects(() => link.call("fail"), Error, "No such thing");
});

Deno.test("a link that closes rejects the calls without an answer, and all later ones", async () => {
  const [here] = createChannel();
  const link = createLink<Calculator>(here, {});
  const open = link.call("add", 1, 2);
  link.close();
  await assertRejects(() => open, Error, "has ended");
  await assertRejects(() => link.call("add", 1, 2), Error, "has ended");
});

Deno.test("a process that cannot be started has ended, and says why", async () => {
  const failures: unknown[] = [];
  const { ended, channel, kill } = startMemberProcess({
    deno: "/nowhere/deno",
    args: [],
    env: {},
    onOutput: () => {},
    onFailure: (error) => failures.push(error),
  });
  channel.send({ call: 1, name: "stop", args: [] });
  assertEquals(await ended, { code: 1, signal: null });
  kill();
  assertEquals(failures.length, 1);
});

Deno.test("joined outputs keep every line whole, and all of them", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.string({ maxLength: 20 }), { maxLength: 10 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (outputs, size) => {
        const lines = outputs.map((texts, index) =>
          texts.map((text) => `${index} ${text.replaceAll("\n", "")}`)
        );
        let written = "";
        const joiner = createLineJoiner(async (bytes) => {
          await Promise.resolve();
          written += new TextDecoder().decode(bytes);
        });
        await Promise.all(lines.map((own) => joiner.add(chunks(own.join("\n"), size))));
        assertEquals(written.split("\n").slice(0, -1).toSorted(), lines.flat().toSorted());
      },
    ),
    { numRuns: 100 },
  ));

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

Deno.test("metrics are sums of what all processes counted", () => {
  const lines = (written: number) => ({ written, dropped: 1 });
  const shadow = (judged: number) => ({
    digest: "d",
    judged,
    differences: { "GET /a": { allow: 1, deny: 2 } },
    fieldDifferences: {},
  });
  const { status, counts } = addCounts({
    status: {
      active: { digest: "a", document: "b" },
      refused: undefined,
      reloads: { adopted: 0, refused: 0 },
      candidate: {
        ...shadow(3),
        differences: new Map([["GET /a", { allow: 0, deny: 5 }]]),
        fieldDifferences: new Map(),
        observe: () => {},
      },
    },
    counts: { log: lines(1), decisionLog: undefined, damagedDocuments: 4 },
  }, [
    { log: lines(2), decisionLog: null, shadow: shadow(7), metrics: [] },
    { log: lines(3), decisionLog: null, shadow: { ...shadow(7), digest: "other" }, metrics: [] },
  ]);
  assertEquals(counts, {
    log: { written: 6, dropped: 3 },
    decisionLog: undefined,
    damagedDocuments: 4,
  });
  assertEquals(status.candidate?.judged, 10);
  assertEquals(status.candidate?.differences.get("GET /a"), { allow: 1, deny: 7 });
});

Deno.test("a write in another process returns what it returned, and throws what it threw", async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const write = createRemoteWrite(createWriteHandler(({ method }) => {
    if (method === "secret") return Promise.resolve(bytes);
    throw new AppError("storage_full", "Disk is full");
  }));
  assertEquals(await write({ method: "secret", args: ["cursors"] }), bytes);
  const error = await assertRejects(() => write({ method: "ping", args: [] }), AppError);
  assert(error instanceof AppError && error.code === "storage_full");
});

Deno.test("RECTO_PROCESSES is a number, or auto for the cores of the machine", () => {
  assertEquals(processesOf({ RECTO_PROCESSES: undefined }), 1);
  assertEquals(processesOf({ RECTO_PROCESSES: 3 }), 3);
  assertEquals(processesOf({ RECTO_PROCESSES: "auto" }), navigator.hardwareConcurrency);
});
