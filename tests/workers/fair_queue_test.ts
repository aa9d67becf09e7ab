import fc from "fast-check";
import { AppError } from "../../src/shared/errors.ts";
import { type Asker, createFairQueue } from "../../src/workers/fair_queue.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

const OPTIONS = { places: 3, perWorkspace: 2, waiting: 5, patience: 60_000, busy: "Busy" };
const asker = (workspace: string, userId: string): Asker => ({ workspace, userId });

/** Work that lasts until it is let go. */
function held(): { readonly work: () => Promise<void>; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, letGo: resolve };
}

/** Lets everything happen that can. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("take() answers what the work answers, and rejects as it does", async () => {
  const { take } = createFairQueue(OPTIONS);
  assertEquals(await take(asker("a", "1"), () => Promise.resolve(7)), 7);
  await assertRejects(
    () => take(asker("a", "1"), () => Promise.reject(new Error("no"))),
    Error,
    "no",
  );
  assertEquals(await take(asker("a", "1"), () => Promise.resolve(8)), 8);
});

Deno.test("a caller has one turn at a time, in the order that it asked", async () => {
  const { take } = createFairQueue(OPTIONS);
  const order: number[] = [];
  const first = held();
  const all = [
    take(asker("a", "1"), first.work),
    ...[1, 2, 3].map((number) =>
      take(asker("a", "1"), () => Promise.resolve(order.push(number)).then(() => {}))
    ),
  ];
  await settle();
  assertEquals(order, []);
  first.letGo();
  await Promise.all(all);
  assertEquals(order, [1, 2, 3]);
});

Deno.test("whatever one caller asks for, another one of its workspace begins at once", async () => {
  const { take } = createFairQueue(OPTIONS);
  const flood = Array.from({ length: 6 }, held);
  const all = flood.map(({ work }) => take(asker("a", "1"), work));
  assertEquals(await take(asker("a", "2"), () => Promise.resolve("done")), "done");
  for (const { letGo } of flood) letGo();
  await Promise.all(all);
});

Deno.test("whatever the callers of one workspace ask for, another one begins at once", async () => {
  const { take } = createFairQueue(OPTIONS);
  const flood = Array.from({ length: 20 }, held);
  const all = flood.map(({ work }, index) => take(asker("a", `${index}`), work));
  assertEquals(await take(asker("b", "1"), () => Promise.resolve("done")), "done");
  for (const { letGo } of flood) letGo();
  await Promise.all(all);
});

Deno.test("workspaces take turns, and so do callers", async () => {
  const { take } = createFairQueue({ ...OPTIONS, places: 1, perWorkspace: 1 });
  const order: string[] = [];
  const first = held();
  const names = ["a1", "a1", "a1", "a2", "a2", "b1", "b1"];
  const all = [
    take(asker("z", "1"), first.work),
    ...names.map((name) =>
      take(asker(name.slice(0, 1), name), () => Promise.resolve(order.push(name)))
    ),
  ];
  first.letGo();
  await Promise.all(all);
  assertEquals(order, ["a1", "b1", "a2", "b1", "a1", "a2", "a1"]);
});

Deno.test("who waits for too many turns is refused, and nobody else", async () => {
  const { take } = createFairQueue({ ...OPTIONS, waiting: 2 });
  const first = held();
  const all = [first.work, first.work, first.work].map((work) => take(asker("a", "1"), work));
  const refused = await assertRejects(() => take(asker("a", "1"), first.work), AppError, "Busy");
  assertEquals([refused.code, refused.headers["retry-after"]], ["service_unavailable", "5"]);
  await take(asker("a", "2"), () => Promise.resolve());
  first.letGo();
  await Promise.all(all);
  await take(asker("a", "1"), () => Promise.resolve());
});

Deno.test("who has waited too long is refused, and its work never begins", async () => {
  const { take } = createFairQueue({ ...OPTIONS, patience: -1 });
  let begun = false;
  const late = () => take(asker("a", "1"), () => Promise.resolve(void (begun = true)));
  await assertRejects(late, AppError, "Busy");
  assert(!begun);
});

Deno.test("whoever asks, all are served, and never more at a time than may be", async () => {
  const askers = fc.array(
    fc.record({
      workspace: fc.constantFrom("a", "b", "c"),
      userId: fc.constantFrom("1", "2", "3"),
    }),
    { maxLength: 40 },
  );
  await fc.assert(fc.asyncProperty(askers, async (askers) => {
    const { take } = createFairQueue({ ...OPTIONS, waiting: 40 });
    const now: Asker[] = [];
    const counts = (of: (asker: Asker) => string) =>
      [...Map.groupBy(now, of).values()].map(({ length }) => length);
    await Promise.all(askers.map((asker) =>
      take(asker, async () => {
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
