import { lazy } from "../../src/shared/lazy_promise.ts";
import { assertEquals, assertRejects } from "../assert.ts";

Deno.test("lazy() makes its value once, for all who ask at the same time and later", async () => {
  let made = 0;
  const value = lazy(() => Promise.resolve(++made));
  assertEquals(made, 0);
  assertEquals(await Promise.all([value(), value()]), [1, 1]);
  assertEquals(await value(), 1);
});

Deno.test("lazy() tries again what failed", async () => {
  let tries = 0;
  const value = lazy(() =>
    ++tries === 1 ? Promise.reject(new Error("Gone")) : Promise.resolve(tries)
  );
  await assertRejects(value, Error, "Gone");
  assertEquals(await value(), 2);
});
