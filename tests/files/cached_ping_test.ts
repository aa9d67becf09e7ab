import { cachePing } from "../../src/files/cached_ping.ts";
import { assertEquals, assertRejects } from "../assert.ts";

/** A cached ping of which the test settles each run, and the times of the runs. */
function controlledPing() {
  const clock = { time: 1_000_000 };
  const runs: number[] = [];
  let current = Promise.withResolvers<void>();
  const ping = cachePing((time) => {
    runs.push(time - 1_000_000);
    current = Promise.withResolvers();
    return current.promise;
  }, () => clock.time);
  return { clock, runs, ping, settle: () => current.resolve(), fail: () => current.reject(ERROR) };
}

const ERROR = new Error("unreachable");

Deno.test("cachePing() caches a success and a failure for five seconds", async () => {
  const { clock, runs, ping, settle, fail } = controlledPing();
  for (const end of [settle, fail]) {
    const first = ping();
    end();
    await first.catch(() => {});
    clock.time += 4_999;
    await ping().catch(() => {});
    clock.time += 1;
  }
  assertEquals(runs, [0, 5_000]);
  const again = ping();
  fail();
  assertEquals(await assertRejects(() => again, Error), ERROR);
  assertEquals(runs, [0, 5_000, 10_000]);
});

Deno.test("cachePing() shares a ping that does not end, and starts no other", async () => {
  const { clock, runs, ping, settle } = controlledPing();
  const first = ping();
  clock.time += 60_000;
  const second = ping();
  assertEquals(runs, [0]);
  settle();
  await Promise.all([first, second]);
});

Deno.test("cachePing() extends no result when the clock is set back", async () => {
  const { clock, runs, ping, settle } = controlledPing();
  const first = ping();
  settle();
  await first;
  clock.time -= 3_600_000;
  const second = ping();
  settle();
  await second;
  assertEquals(runs, [0, -3_600_000]);
});
