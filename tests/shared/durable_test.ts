import {
  ALWAYS_DURABLE,
  confirmDurable,
  readDurably,
  type VisibleState,
  writeDurably,
} from "../../src/shared/durable.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";

/** A state with one open transaction, which the test ends. */
function heldState() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let undone = 0;
  let isOpen = true;
  const state: VisibleState = { pending: () => isOpen ? promise : undefined, undone: () => undone };
  const end = (fails = false): void => {
    if (fails) undone++;
    isOpen = false;
    resolve();
  };
  return { state, end };
}

/** Returns whether a promise has settled once everything else had its turn. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => void (settled = true);
  promise.then(note, note);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return settled;
}

Deno.test("an answer waits until what it shows is on the disk, and so does a refusal", async () => {
  for (
    const work of [() => "answer", () => Promise.reject(new AppError("object_not_found", "x"))]
  ) {
    const { state, end } = heldState();
    const read = readDurably(state, work).catch(({ code }) => code);
    assertEquals(await isSettled(read), false);
    end();
    assertEquals(["answer", "object_not_found"].includes(await read), true);
  }
  assertEquals(await readDurably(ALWAYS_DURABLE, () => "answer"), "answer");
});

Deno.test("a read of what is undone meanwhile is done again", async () => {
  const { state, end } = heldState();
  const answers = ["undone", "left"];
  const read = readDurably(state, () => answers.shift());
  end(true);
  assertEquals(await read, "left");
});

Deno.test("a read that meets what is undone each time is refused with 503", async () => {
  let undone = 0;
  const state: VisibleState = { pending: () => undefined, undone: () => undone };
  const read = readDurably(state, () => void undone++);
  const error = await assertRejects(() => read, AppError);
  assertEquals([error.code, undone], ["service_unavailable", 3]);
});

Deno.test("a write keeps its own outcome, and is refused with 503 for what was undone", async () => {
  const outcomes = [
    [() => "written", "written"],
    [() => Promise.reject(new AppError("storage_full", "x")), "storage_full"],
    [() => Promise.reject(new AppError("object_not_found", "x")), "service_unavailable"],
  ] as const;
  for (const [work, expected] of outcomes) {
    const { state, end } = heldState();
    const written = writeDurably(state, work).catch(({ code }) => code);
    end(true);
    assertEquals(await written, expected);
  }
});

Deno.test("what was seen is confirmed once it is on the disk, unless some of it was undone", async () => {
  const kept = heldState();
  const confirmed = confirmDurable(kept.state, 0);
  assertEquals(await isSettled(confirmed), false);
  kept.end();
  await confirmed;
  const lost = heldState();
  lost.end(true);
  await assertRejects(() => confirmDurable(lost.state, 0), AppError);
});
