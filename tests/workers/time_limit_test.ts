import { TimeLimitError, withinTime } from "../../src/workers/time_limit.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../assert.ts";

/** In a task of its own, as it asks for. */
function inTask<T>(work: () => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  setTimeout(() => Promise.try(work).then(resolve, reject), 0);
  return promise;
}

Deno.test("withinTime() returns what the work returns, and throws what it throws", () => {
  assertEquals(withinTime(60_000, () => "done"), "done");
  assertEquals(withinTime(59_999.5, () => undefined), undefined);
  const fail = () => {
    throw new RangeError("mine");
  };
  assertThrows(() => withinTime(60_000, fail), RangeError, "mine");
});

Deno.test("withinTime() stops endless work, whatever it catches", async () => {
  let count = 0;
  const endless = () => {
    for (;;) {
      try {
        for (;;) count++;
      } catch {
        count = 0;
      }
    }
  };
  await assertRejects(() => inTask(() => withinTime(50, endless)), TimeLimitError);
  const stopped = count;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert(stopped > 0);
  assertEquals(count, stopped);
  assertEquals(withinTime(60_000, () => "next"), "next");
});

Deno.test("withinTime() stops a regular expression that backtracks forever", async () => {
  const text = `${"a".repeat(40)}b`;
  await assertRejects(
    () => inTask(() => withinTime(50, () => /^(a|a)*$/.test(text))),
    TimeLimitError,
  );
});
