/**
 * Jobs that go on after their request: bounded in number, and ended with the service.
 *
 * @module
 */
import { createBackgroundJobs } from "../../src/files/background_jobs.ts";
import { assertEquals } from "../assert.ts";

/** A queue, with what its jobs did and what it was told of failures. */
function openJobs(atOnce: number, waiting: number) {
  const failures: string[] = [];
  const onFailure = (error: unknown) => void failures.push(String(error));
  return { ...createBackgroundJobs({ atOnce, waiting, onFailure }), failures };
}

Deno.test("a few jobs run at once, a number waits in order, and one more is refused", async () => {
  const jobs = openJobs(2, 2);
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const isTaken = ends.map(({ promise }, index) =>
    jobs.add(() => {
      begun.push(index);
      return promise;
    })
  );
  assertEquals([isTaken, begun], [[true, true, true, true], [0, 1]]);
  assertEquals(jobs.add(() => Promise.resolve()), false);
  ends[1]?.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await jobs.idle();
  assertEquals(begun, [0, 1, 2, 3]);
  assertEquals(jobs.add(() => Promise.resolve()), true);
  await jobs.stop();
});

Deno.test("a job that fails is told, and makes room for the next one", async () => {
  const jobs = openJobs(1, 9);
  jobs.add(() => Promise.reject(new Error("no")));
  let ran = false;
  jobs.add(() => {
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
  jobs.add((signal) =>
    new Promise((_, reject) => {
      ran++;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    })
  );
  jobs.add(() => {
    ran++;
    return Promise.resolve();
  });
  await jobs.stop();
  assertEquals([ran, jobs.failures], [1, []]);
  assertEquals(jobs.add(() => Promise.resolve()), false);
});
