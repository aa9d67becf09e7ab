import { createBackground } from "../../src/indexing/background.ts";
import { assert, assertEquals } from "../assert.ts";

/** Runs background work until its second step; returns how often it asked whether others are busy. */
async function looksBeforeSecondStep(isBusy: (look: number) => boolean): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let looks = 0;
  let steps = 0;
  const background = createBackground({
    step() {
      if (++steps === 2) resolve();
      return true;
    },
    isBusy: () => isBusy(++looks),
    onFailure: (error) => assert(false, String(error)),
  });
  background.start();
  await promise;
  const counted = looks;
  await background.stop();
  return counted;
}

Deno.test("background work waits as long as requests wait for each other, but not for ever", async () => {
  assertEquals(await looksBeforeSecondStep(() => false), 1);
  assertEquals(await looksBeforeSecondStep((look) => look < 3), 3);
  assertEquals(await looksBeforeSecondStep(() => true), 12);
});
