import fc from "fast-check";
import { AppError } from "../../src/shared/errors.ts";
import { createFairQueue, type QueueUser } from "../../src/shared/fair_queue.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

const OPTIONS = {
  concurrency: 3,
  perWorkspace: 2,
  maxWaiting: 5,
  maxWait: 60_000,
  busyMessage: "Busy",
};
const user = (workspace: string, userId: string): QueueUser => ({ workspace, userId });

/** Work that lasts until it is released. */
function blockedWork(): { readonly work: () => Promise<void>; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, release: resolve };
}

/** Runs everything that is ready to run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("run() settles as the work does", async () => {
  const { run } = createFairQueue(OPTIONS);
  assertEquals(await run(user("a", "1"), () => Promise.resolve(7)), 7);
  await assertRejects(
    () => run(user("a", "1"), () => Promise.reject(new Error("no"))),
    Error,
    "no",
  );
  const failing = () => {
    throw new Error("at once");
  };
  await assertRejects(() => run(user("a", "1"), failing), Error, "at once");
  assertEquals(await run(user("a", "1"), () => Promise.resolve(8)), 8);
});

Deno.test("a user runs one task at a time, in the order they were queued", async () => {
  const { run } = createFairQueue(OPTIONS);
  const order: number[] = [];
  const first = blockedWork();
  const all = [
    run(user("a", "1"), first.work),
    ...[1, 2, 3].map((number) =>
      run(user("a", "1"), () => Promise.resolve(order.push(number)).then(() => {}))
    ),
  ];
  await settle();
  assertEquals(order, []);
  first.release();
  await Promise.all(all);
  assertEquals(order, [1, 2, 3]);
});

Deno.test("a user runs as many tasks at a time as the queue allows", async () => {
  const { run, waiting } = createFairQueue({ ...OPTIONS, perUser: 2 });
  const works = Array.from({ length: 3 }, blockedWork);
  const all = works.map(({ work }) => run(user("a", "1"), work));
  assertEquals(waiting(), 1);
  for (const { release } of works) release();
  await Promise.all(all);
});

Deno.test("one user cannot delay another user of the same workspace", async () => {
  const { run } = createFairQueue(OPTIONS);
  const flood = Array.from({ length: 6 }, blockedWork);
  const all = flood.map(({ work }) => run(user("a", "1"), work));
  assertEquals(await run(user("a", "2"), () => Promise.resolve("done")), "done");
  for (const { release } of flood) release();
  await Promise.all(all);
});

Deno.test("one workspace cannot delay another workspace", async () => {
  const { run } = createFairQueue(OPTIONS);
  const flood = Array.from({ length: 20 }, blockedWork);
  const all = flood.map(({ work }, index) => run(user("a", `${index}`), work));
  assertEquals(await run(user("b", "1"), () => Promise.resolve("done")), "done");
  for (const { release } of flood) release();
  await Promise.all(all);
});

Deno.test("workspaces take turns, and so do users", async () => {
  const { run } = createFairQueue({ ...OPTIONS, concurrency: 1, perWorkspace: 1 });
  const order: string[] = [];
  const first = blockedWork();
  const names = ["a1", "a1", "a1", "a2", "a2", "b1", "b1"];
  const all = [
    run(user("z", "1"), first.work),
    ...names.map((name) =>
      run(user(name.slice(0, 1), name), () => Promise.resolve(order.push(name)))
    ),
  ];
  first.release();
  await Promise.all(all);
  assertEquals(order, ["a1", "b1", "a2", "b1", "a1", "a2", "a1"]);
});

Deno.test("a user with too many waiting tasks is rejected, and nobody else", async () => {
  const { run } = createFairQueue({ ...OPTIONS, maxWaiting: 2 });
  const first = blockedWork();
  const all = [first.work, first.work, first.work].map((work) => run(user("a", "1"), work));
  const refused = await assertRejects(() => run(user("a", "1"), first.work), AppError, "Busy");
  assertEquals([refused.code, refused.headers["retry-after"]], ["service_unavailable", "5"]);
  await run(user("a", "2"), () => Promise.resolve());
  first.release();
  await Promise.all(all);
  await run(user("a", "1"), () => Promise.resolve());
});

Deno.test("a task that has waited too long is rejected, and never starts", async () => {
  const { run } = createFairQueue({ ...OPTIONS, maxWait: -1 });
  let begun = false;
  const late = () => run(user("a", "1"), () => Promise.resolve(void (begun = true)));
  await assertRejects(late, AppError, "Busy");
  assert(!begun);
});

Deno.test("every task runs, and never more at a time than allowed", async () => {
  const askers = fc.array(
    fc.record({
      workspace: fc.constantFrom("a", "b", "c"),
      userId: fc.constantFrom("1", "2", "3"),
    }),
    { maxLength: 40 },
  );
  await fc.assert(fc.asyncProperty(askers, async (askers) => {
    const { run } = createFairQueue({ ...OPTIONS, maxWaiting: 40 });
    const now: QueueUser[] = [];
    const counts = (of: (asker: QueueUser) => string) =>
      [...Map.groupBy(now, of).values()].map(({ length }) => length);
    await Promise.all(askers.map((asker) =>
      run(asker, async () => {
        now.push(asker);
        assert(now.length <= 3);
        assert(Math.max(...counts(({ workspace }) => workspace)) <= 2);
        assert(Math.max(...counts(({ workspace, userId }) => workspace + userId)) <= 1);
        await Promise.resolve();
        now.splice(now.indexOf(asker), 1);
      })
    ));
    assertEquals(now, []);
  }));
});
