import { createKeyedMutex } from "../../src/api/shared/keyed_mutex.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";

Deno.test("createTurns() runs work under one key one after the other, in the order it came", async () => {
  const turns = createKeyedMutex();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} starts`);
    await Promise.resolve();
    log.push(`${name} ends`);
    return name;
  };
  const names = ["a", "b", "c"];
  assertEquals(await Promise.all(names.map((name) => turns("key", work(name)))), names);
  assertEquals(log, names.flatMap((name) => [`${name} starts`, `${name} ends`]));
});

Deno.test("createTurns() lets work under another key go ahead", async () => {
  const turns = createKeyedMutex();
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = turns("slow", () => promise);
  assertEquals(await turns("quick", () => Promise.resolve("quick")), "quick");
  resolve("slow");
  assertEquals(await slow, "slow");
});

Deno.test("createTurns() goes on after work that fails, whose failure is its caller's alone", async () => {
  const turns = createKeyedMutex();
  const failing = turns("key", () => Promise.reject(new RangeError("no")));
  const next = turns("key", () => Promise.resolve("next"));
  await assertRejects(() => failing, RangeError, "no");
  assertEquals(await next, "next");
  await assertRejects(() => turns("key", () => Promise.reject(new TypeError("no"))), TypeError);
  assertEquals(await turns("key", () => Promise.resolve("again")), "again");
});

Deno.test("createTurns() refuses who waits too long, and those behind have their turns all the same", async () => {
  const turns = createKeyedMutex(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns("key", () => promise);
  let hasRun = false;
  const refused = await assertRejects(
    () => turns("key", () => Promise.resolve(hasRun = true)),
    AppError,
  );
  assertEquals([refused.code, refused.headers["retry-after"]], ["service_unavailable", "5"]);
  resolve();
  await first;
  assertEquals(await turns("key", () => Promise.resolve("next")), "next");
  assertEquals(hasRun, false);
});
