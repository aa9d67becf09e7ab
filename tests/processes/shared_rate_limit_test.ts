import fc from "fast-check";
import { createBuckets } from "../../src/http/rate_limit.ts";
import { createSharedRateLimiter } from "../../src/processes/shared_rate_limit.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../assert.ts";

const RATE = { perSecond: 100, burst: 40 };

/** Limiters of so many processes on the same buckets, which count what they were asked. */
function createProcesses(processes: number) {
  const buckets = createBuckets(RATE);
  const time = performance.now();
  let asked = 0;
  const remote = {
    take: (key: string, count: number) => {
      asked++;
      // The time stands still, so that the burst is all that there is.
      return Promise.resolve(buckets.take(key, time, count));
    },
    refund: buckets.refund,
  };
  const limiters = Array.from(
    { length: processes },
    () => createSharedRateLimiter(RATE, { name: "default", processes, buckets: remote }),
  );
  return { limiters, asked: () => asked, time };
}

Deno.test("processes together let no more requests pass than one bucket has", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 200 }),
      async (processes, calls) => {
        const { limiters, time } = createProcesses(processes);
        let passed = 0;
        for (const call of calls) {
          const limiter = limiters[call % processes];
          try {
            await limiter?.spend("ada", time);
            passed++;
          } catch (error) {
            assert(error instanceof AppError && error.code === "rate_limited");
          }
        }
        assert(passed <= RATE.burst, `${passed} passed`);
        // What may be parked elsewhere is an eighth of the bucket at most.
        assert(passed >= Math.min(calls.length, RATE.burst - RATE.burst / 8), `${passed} passed`);
      },
    ),
    { numRuns: 25 },
  ));

Deno.test("a process asks for few of the requests of a busy caller", async () => {
  const { limiters: [limiter], asked, time } = createProcesses(1);
  for (let times = 0; times < RATE.burst; times++) await limiter?.spend("ada", time);
  assert(asked() < RATE.burst / 3, `asked ${asked()} times`);
});

Deno.test("a caller that is refused is refused at once until the bucket has a request", async () => {
  const { limiters: [limiter], asked, time } = createProcesses(1);
  for (let times = 0; times < RATE.burst; times++) await limiter?.spend("ada", time);
  await assertRejects(async () => await limiter?.spend("ada", time), AppError, "Too many requests");
  const before = asked();
  assertThrows(() => limiter?.spend("ada", time), AppError, "Too many requests");
  assertEquals(asked(), before);
});
