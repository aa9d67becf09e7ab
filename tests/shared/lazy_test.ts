import { lazyPromise } from "../../src/shared/lazy.ts";
import { assertEquals, assertRejects } from "../assert.ts";

Deno.test("lazyPromise() computes its value once, for concurrent and later calls", async () => {
  let made = 0;
  const value = lazyPromise(() => Promise.resolve(++made));
  assertEquals(made, 0);
  assertEquals(await Promise.all([value(), value()]), [1, 1]);
  assertEquals(await value(), 1);
});

Deno.test("lazyPromise() retries after a rejection", async () => {
  let tries = 0;
  const value = lazyPromise(() =>
    ++tries === 1 ? Promise.reject(new Error("Gone")) : Promise.resolve(tries)
  );
  await assertRejects(value, Error, "Gone");
  assertEquals(await value(), 2);
});
