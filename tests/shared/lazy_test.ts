import { lazyPromise } from "../../src/shared/lazy.ts";
import { assertEquals, assertRejects } from "../assert.ts";

Deno.test("lazyPromise() makes its value once, for all who ask at the same time and later", async () => {
  let made = 0;
  const value = lazyPromise(() => Promise.resolve(++made));
  assertEquals(made, 0);
  assertEquals(await Promise.all([value(), value()]), [1, 1]);
  assertEquals(await value(), 1);
});

Deno.test("lazyPromise() tries again what failed", async () => {
  let tries = 0;
  const value = lazyPromise(() =>
    ++tries === 1 ? Promise.reject(new Error("Gone")) : Promise.resolve(tries)
  );
  await assertRejects(value, Error, "Gone");
  assertEquals(await value(), 2);
});
