/**
 * Jobs that go on after their request: bounded in number, and ended with the service.
 *
 * @module
 */
import { createBackgroundJobs } from "../../src/files/background_jobs.ts";
import { assertEquals } from "../assert.ts";

const ANN = { workspace: "acme", userId: "ann" };

/** A queue, with the failures that it was told of. */
function openJobs(concurrency: number, maxWaiting: number, share = concurrency) {
  const failures: string[] = [];
  const onFailure = (error: unknown) => void failures.push(String(error));
  const limits = { concurrency, perWorkspace: share, perUser: share, maxWaiting };
  return { ...createBackgroundJobs({ ...limits, onFailure }), failures };
}

Deno.test("a few jobs run at once, a number waits in order, and one more is refused", async () => {
  const jobs = openJobs(2, 2);
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const isTaken = ends.map(({ promise }, index) =>
    jobs.add(ANN, () => {
      begun.push(index);
      return promise;
    })
  );
  assertEquals([isTaken, begun], [[true, true, true, true], [0, 1]]);
  assertEquals(jobs.add(ANN, () => Promise.resolve()), false);
  ends[1]?.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await jobs.idle();
  assertEquals(begun, [0, 1, 2, 3]);
  assertEquals(jobs.add(ANN, () => Promise.resolve()), true);
  await jobs.stop();
});

Deno.test("a job that fails is told, and makes room for the next one", async () => {
  const jobs = openJobs(1, 9);
  jobs.add(ANN, () => Promise.reject(new Error("no")));
  let ran = false;
  jobs.add(ANN, () => {
    ran = true;
    return Promise.resolve();
  });
  await jobs.idle();
  assertEquals([ran, jobs.failures], [true, ["Error: no"]]);
  await jobs.stop();
});

Deno.test("an end aborts the jobs that run, drops those that wait, and takes no more", async () => {
  const jobs = openJobs(1, 9);
  let ran = 0;
  jobs.add(ANN, (signal) =>
    new Promise((_, reject) => {
      ran++;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }));
  jobs.add(ANN, () => {
    ran++;
    return Promise.resolve();
  });
  await jobs.stop();
  assertEquals([ran, jobs.failures], [1, []]);
  assertEquals(jobs.add(ANN, () => Promise.resolve()), false);
});

Deno.test("jobs of others run and wait beside those of a user who has as many as possible", async () => {
  const jobs = openJobs(2, 1, 1);
  const never = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  assertEquals([1, 2, 3].map(() => jobs.add(ANN, never)), [true, true, false]);
  const ran: string[] = [];
  for (const userId of ["bob", "cleo"]) {
    const run = () => Promise.resolve(void ran.push(userId));
    assertEquals(jobs.add({ workspace: "other", userId }, run), true);
  }
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(ran, ["bob", "cleo"]);
  await jobs.stop();
});
