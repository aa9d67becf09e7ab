import type { LinkSide } from "../../../src/content/schema/property.ts";
import fc from "fast-check";
import { numberCell } from "../../../src/content/schema/cells.ts";
import type { Change, NodeContent } from "../../../src/content/schema/node.ts";
import { AppError } from "../../../src/shared/errors.ts";
import type { Store } from "../../../src/store/port.ts";
import { createCommitGroup } from "../../../src/store/sqlite/commit_group.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { fromErrorData, toErrorData } from "../../../src/shared/error_data.ts";
import { createLengthEstimator } from "../../../src/store/sqlite/write_length.ts";
import { createWriteQueue, type Waiting } from "../../../src/store/sqlite/write_queue.ts";
import { createWriter, type Writer, type WriterOptions } from "../../../src/store/sqlite/writer.ts";
import type { WriterWorker } from "../../../src/store/sqlite/writer_thread.ts";
import { createWriting } from "../../../src/store/sqlite/writing.ts";
import type { WriteRequest } from "../../../src/store/writing.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../assert.ts";
import { eventually } from "../../support/eventually.ts";
import { D, database } from "../row_samples.ts";
import { block, insert, LATER, page, person, restore, trash, update } from "../samples.ts";
import { withFile } from "./files.ts";
import { LONG_CHANGES, manyRows, rowIds } from "./long_changes.ts";

const ROWS = 3_000;
/** Some of all rows, so that many reads fit into one change. */
const IDS = rowIds(ROWS).filter((_, index) => index % 100 === 0);

/** Moves a page to the top of its workspace. */
function move(id: string, content?: NodeContent): Change {
  const to = { parentKind: "workspace", parentId: null, containerId: null, position: "m" } as const;
  return { op: "move", id, version: 1, to, edit: LATER, ...(content && { content }) };
}

/** Lets everything else that waits have its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Returns the number of rows and their distinct states, as one read sees them. */
async function stateOf(store: Store): Promise<string> {
  const rows = await store.firstNodes("w", IDS);
  const states = new Set(rows.map(({ version, trashRoot }) => `${version} ${trashRoot}`));
  return `${rows.length} rows: ${[...states].join(", ")}`;
}

for (const [name, after] of [["reshape", "2 null"], ["trash", `2 ${D}`]] as const) {
  Deno.test(`a ${name} of many rows holds up no reader, who sees all of it or nothing`, () =>
    withFile(async (path) => {
      const store = openSqliteStore(path);
      assertEquals(await store.commit("w", manyRows(ROWS)), "committed");
      const seen: string[] = [];
      let outcome: string | undefined;
      void store.commit("w", LONG_CHANGES[name]).then((done) => outcome = done);
      while (outcome === undefined) {
        seen.push(await stateOf(store));
        await turn();
      }
      assertEquals(outcome, "committed");
      // In this thread it would be over before anybody could look.
      assert(seen.length > 2, `only ${seen.length} turns`);
      const states = [`${IDS.length} rows: 1 null`, `${IDS.length} rows: ${after}`];
      assertEquals([...new Set([...seen, await stateOf(store)])], states);
      await store.close();
    }));
}

Deno.test("a user who is known is served while a long change is written", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.saveUser("w", person("u"));
    await store.commit("w", manyRows(ROWS));
    const ended: string[] = [];
    await Promise.all([
      store.commit("w", LONG_CHANGES.reshape).then(() => ended.push("change")),
      store.saveUser("w", person("u")).then(() => ended.push("user")),
      store.ping().then(() => ended.push("ping")),
    ]);
    assertEquals(ended.at(-1), "change");
    await store.close();
  }));

/**
 * A thread that answers when it is told to, and the workspaces of what it was given. It runs, or
 * starts when `opening` resolves.
 */
function heldThread(opening?: Promise<void>) {
  const there: string[] = [];
  const answers: PromiseWithResolvers<unknown>[] = [];
  const ask = <T>(asked: string): Promise<T> => {
    there.push(asked);
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    // Sound because each test answers with what the method returns.
    return answer.promise as Promise<T>;
  };
  const thread: WriterWorker = {
    open: () => opening,
    write: ({ args }) => ask(String(args[0])),
    attempt: ({ args }) => ask(`attempt ${args[0]}`),
    begin: ({ args }) => ask(`begin ${args[0]}`),
    goOn: (workspace) => ask(`go on ${workspace}`),
    merge: () => Promise.resolve(false),
    copyLog: () => Promise.resolve(0),
    cutLog: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  const answer = async (value: unknown = "committed"): Promise<void> => {
    answers.shift()?.resolve(value);
    // What is written next may pause first, and then has a turn of its own.
    for (let turns = 0; turns < 5; turns++) await turn();
  };
  const fail = (error: unknown): void => answers.shift()?.reject(error);
  return { thread, there, answer, fail };
}

type Held = ReturnType<typeof heldThread> & {
  readonly writer: Writer;
  readonly here: string[];
  /** Holds that were asked for, and their ends. */
  readonly holds: string[];
};

interface HeldOptions extends WriterOptions {
  readonly opening?: Promise<void>;
  readonly interrupted?: readonly string[];
  /** Resolves once nobody reads what a workspace was before its hold. */
  readonly ended?: Promise<void>;
  /** Replaces some of the work of the thread. */
  readonly replaced?: Partial<WriterWorker>;
}

/** A writer over a held thread; commits of the workspaces `long…` are long. */
function heldWriter(
  { opening, interrupted = [], ended = Promise.resolve(), replaced, ...options }: HeldOptions = {},
): Held {
  const held = heldThread(opening);
  const here: string[] = [];
  const holds: string[] = [];
  const released = (workspace: string) => () => {
    holds.push(`release ${workspace}`);
    return Promise.resolve({ ended });
  };
  const writer = createWriter({
    thread: { ...held.thread, ...replaced },
    interrupted,
    logSize: () => 0,
    hold: (workspace) => {
      holds.push(`hold ${workspace}`);
      return Promise.resolve(released(workspace));
    },
    refuse: (workspace) => {
      holds.push(`refuse ${workspace}`);
      return Promise.resolve(released(workspace));
    },
    write: ({ args }) => {
      here.push(String(args[0]));
      return "committed";
    },
    isLong: ({ args }) => String(args[0]).startsWith("long"),
    createGroup: (parts) =>
      createCommitGroup({ begin: () => ({ isOpen: () => true, commit: () => {} }) }, parts),
  }, options);
  return { ...held, writer, here, holds };
}

Deno.test("a short write is made at once, and behind a long one as soon as that has ended", async () => {
  const { writer, here, there, answer } = heldWriter();
  assertEquals(await writer.commit("a", []), "committed");
  const all = ["long", "b", "c"].map((workspace) => writer.commit(workspace, []));
  await turn();
  assertEquals(here, ["a"]);
  await answer();
  assertEquals(await Promise.all(all), ["committed", "committed", "committed"]);
  await writer.commit("d", []);
  assertEquals([here, there], [["a", "b", "c", "d"], ["long"]]);
  await writer.close();
});

Deno.test("short writes are made at once while the thread of a long one starts", async () => {
  const started = Promise.withResolvers<void>();
  const { writer, here, there, answer } = heldWriter({ opening: started.promise });
  const long = writer.commit("long", []);
  assertEquals(await writer.commit("a", []), "committed");
  assertEquals([here, there], [["a"], []]);
  started.resolve();
  await turn();
  assertEquals(there, ["long"]);
  await answer();
  assertEquals(await long, "committed");
  await writer.close();
});

Deno.test("a write of another workspace waits for one of a burst, and not for all", async () => {
  const { writer, here, there, answer } = heldWriter();
  const burst = Array.from({ length: 4 }, () => writer.commit("long burst", []));
  const other = writer.commit("other", []);
  const made: number[] = [];
  for (let round = 1; round <= 4; round++) {
    while (there.length < round) await turn();
    made.push(here.length);
    await answer();
  }
  await Promise.all([...burst, other]);
  assertEquals(made, [0, 0, 1, 1]);
  await writer.close();
});

Deno.test("a write that waits too long behind others is refused, and nothing of it is done", async () => {
  const { writer, there, answer, here } = heldWriter({ patience: 1 });
  const long = writer.commit("long", []);
  const error = await assertRejects(() => writer.commit("a", []), AppError);
  assertEquals([error.code, error.headers["retry-after"]], ["service_unavailable", "5"]);
  await answer();
  assertEquals(await long, "committed");
  assertEquals([there, here], [["long"], []]);
  await writer.close();
});

Deno.test("short writes go on while the log is copied, wait for its rest, and go on between cuts", async () => {
  const cuts = heldWork<boolean>();
  const copied = Promise.withResolvers<number>();
  let copies = 0;
  const copyLog = () => copies++ === 0 ? copied.promise : Promise.resolve(0);
  const { writer, here, there, answer } = heldWriter({ replaced: { copyLog, cutLog: cuts.ask } });
  for (let write = 1; copies === 0 && write < 1_000; write++) await writer.commit(`a${write}`, []);
  const long = writer.commit("long", []);
  await writer.commit("beside", []);
  assertEquals([here.at(-1), there, copies], ["beside", [], 1]);
  copied.resolve(100);
  await cuts.seen(1);
  const before = here.length;
  const waiting = writer.commit("b", []);
  await turn();
  assertEquals([here.length, there], [before, []]);
  cuts.asked[0]?.resolve(true);
  assertEquals(await waiting, "committed");
  await cuts.seen(2);
  assertEquals(there, []);
  cuts.asked[1]?.resolve(false);
  await asked(there, 1);
  await answer();
  assertEquals([await long, there], ["committed", ["long"]]);
  await writer.close();
});

Deno.test("a log that a reader keeps is copied in part, and holds up no write", async () => {
  const cuts = heldWork<boolean>();
  let copies = 0;
  const copyLog = () => Promise.resolve(100_000 + copies++);
  const { writer, here, there, answer } = heldWriter({ replaced: { copyLog, cutLog: cuts.ask } });
  for (let n = 0; n < 200; n++) assertEquals(await writer.commit("a", []), "committed");
  assert(copies >= 3, `${copies} copies`);
  assertEquals([here.length, cuts.asked.length], [200, 0]);
  const long = writer.commit("long", []);
  await asked(there, 1);
  await answer();
  assertEquals(await long, "committed");
  await writer.close();
});

Deno.test("a copy of the log begins once the long write under way has ended", async () => {
  const read = Promise.withResolvers<void>();
  let copies = 0;
  const copyLog = () => {
    copies++;
    return Promise.resolve(0);
  };
  const { writer, there, answer } = heldWriter({ ended: read.promise, replaced: { copyLog } });
  const sliced = writer.commit("long", UNBOUNDED);
  await asked(there, 1);
  await answer("unfinished");
  await asked(there, 2);
  await answer();
  assertEquals(await sliced, "committed");
  const long = writer.commit("long b", []);
  await asked(there, 3);
  read.resolve();
  await turn();
  assertEquals(copies, 0);
  await answer();
  assertEquals(await long, "committed");
  await eventually(() => Promise.resolve(assert(copies > 0)));
  await writer.close();
});

Deno.test("a long write that waits for a copy of the log is refused when the server stops", async () => {
  let copies = 0;
  const copyLog = () => {
    copies++;
    return new Promise<number>(() => {});
  };
  const { writer, there } = heldWriter({ replaced: { copyLog } });
  for (let write = 1; copies === 0 && write < 1_000; write++) await writer.commit("a", []);
  const long = assertRejects(() => writer.commit("long", []), AppError, "Server is stopping");
  await turn();
  await writer.close();
  await long;
  assertEquals([copies, there], [1, []]);
});

/** A commit that may take long. */
const UNBOUNDED: readonly Change[] = [{ op: "unlink", relationId: "none" }];

/** Resolves once the thread was asked this often. */
async function asked(there: readonly string[], times: number): Promise<void> {
  for (let turns = 0; there.length < times; turns++) {
    assert(turns < 5_000, `the thread was asked for ${there}`);
    await turn();
  }
}

Deno.test("a commit that takes long is made in slices, and others write in between", async () => {
  const { writer, here, there, answer, holds } = heldWriter();
  const long = writer.commit("long", UNBOUNDED);
  const own = writer.commit("long", []);
  await asked(there, 1);
  await answer("unfinished");
  await asked(there, 2);
  assertEquals([there, holds], [["attempt long", "begin long"], ["hold long"]]);
  for (const [index, other] of ["a", "b"].entries()) {
    const waiting = writer.commit(other, []);
    await turn();
    assertEquals(here.at(-1) === other, false);
    await answer("unfinished");
    assertEquals(await waiting, "committed");
    await asked(there, index + 3);
    assertEquals(there.at(-1), "go on long");
  }
  assertEquals(holds, ["hold long"]);
  await answer("committed");
  assertEquals(await long, "committed");
  assertEquals([here, holds], [["a", "b"], ["hold long", "release long"]]);
  await asked(there, 5);
  assertEquals(there.at(-1), "long");
  await answer();
  assertEquals(await own, "committed");
  await writer.close();
});

Deno.test("nobody waits for an attempt, another long write and the first slice in a row", async () => {
  using clock = stoppedClock();
  const { writer, here, there, answer } = heldWriter();
  const long = writer.commit("long", UNBOUNDED);
  await asked(there, 1);
  const others = [writer.commit("long b", []), writer.commit("a", [])];
  clock.time += 100;
  await answer("unfinished");
  await asked(there, 2);
  clock.time += 50;
  await answer();
  await Promise.all(others);
  assertEquals([there, here], [["attempt long", "long b"], ["a"]]);
  clock.time += 100;
  await asked(there, 3);
  await answer();
  assertEquals([await long, there.at(-1)], ["committed", "begin long"]);
  await writer.close();
});

/** Monotonic milliseconds that pass only when the test says so. */
function stoppedClock(): { time: number } & Disposable {
  const { now } = performance;
  const clock = {
    time: now.call(performance),
    [Symbol.dispose]: () => void (performance.now = now),
  };
  performance.now = () => clock.time;
  return clock;
}

Deno.test("a commit that conflicts in its first slice, or is short, leaves nothing held", async () => {
  const { writer, there, answer, holds } = heldWriter();
  const short = writer.commit("long", UNBOUNDED);
  await asked(there, 1);
  await answer("committed");
  assertEquals([await short, holds], ["committed", []]);
  const conflict = writer.commit("long", UNBOUNDED);
  await asked(there, 2);
  await answer("unfinished");
  await asked(there, 3);
  await answer("conflict");
  assertEquals([await conflict, holds], ["conflict", ["hold long", "release long"]]);
  await writer.close();
});

Deno.test("a slice for which the disk is full is made again, and its commit ends as if it were not", async () => {
  const { writer, there, answer, fail } = heldWriter();
  const long = writer.commit("long", UNBOUNDED);
  await asked(there, 1);
  await answer("unfinished");
  await asked(there, 2);
  await answer("unfinished");
  await asked(there, 3);
  fail(Object.assign(new Error("database or disk is full"), { errcode: 13 }));
  await asked(there, 4);
  assertEquals(there.slice(2), ["go on long", "go on long"]);
  await answer("committed");
  assertEquals(await long, "committed");
  await writer.close();
});

Deno.test("a commit whose first slice fails ends with that error once it is sure what is on the disk", async () => {
  const { writer, there, answer, fail, holds } = heldWriter();
  for (const [index, left] of ["committed", "unfinished"].entries()) {
    const asks = there.length;
    const long = assertRejects(() => writer.commit("long", UNBOUNDED), Error, "a fault");
    await asked(there, asks + 1);
    await answer("unfinished");
    await asked(there, asks + 2);
    fail(new Error("a fault"));
    await asked(there, asks + 3);
    assertEquals([there.at(-1), holds.length], ["go on long", 2 * index + 1]);
    await answer(left);
    if (left === "unfinished") {
      await asked(there, asks + 4);
      await answer("committed");
    }
    await long;
    assertEquals(holds.length, 2 * index + 2);
  }
  await writer.close();
});

Deno.test("a workspace whose slice fails for good stays held, and others are served", async () => {
  const { writer, there, answer, fail, holds } = heldWriter({ patience: 50 });
  const long = assertRejects(() => writer.commit("long", UNBOUNDED), Error, "a fault");
  await asked(there, 1);
  await answer("unfinished");
  await asked(there, 2);
  await answer("unfinished");
  await asked(there, 3);
  fail(new Error("a fault"));
  await long;
  await assertRejects(() => writer.commit("long", []), AppError, "busy with a long change");
  assertEquals(await writer.commit("a", []), "committed");
  assertEquals(holds, ["hold long"]);
  await writer.close();
});

Deno.test("a commit that was interrupted is finished, once there is room, before anybody uses its workspace", async () => {
  const told: string[] = [];
  const { writer, there, answer, fail, here, holds } = heldWriter({
    interrupted: ["a"],
    onUnfinished: (workspace, reason) =>
      told.push(`${workspace}: ${reason instanceof AppError && reason.code}`),
    onNotice: (notice) => told.push(notice),
  });
  assertEquals(holds, ["refuse a"]);
  await asked(there, 1);
  fail(Object.assign(new Error("database or disk is full"), { errcode: 13 }));
  const waiting = writer.commit("a", []);
  await asked(there, 2);
  await answer("unfinished");
  await asked(there, 3);
  assertEquals([here, told], [[], ["a: storage_full"]]);
  await answer("committed");
  assertEquals(await waiting, "committed");
  assertEquals(there, ["go on a", "go on a", "go on a"]);
  assertEquals([here, holds], [["a"], ["refuse a", "release a"]]);
  assertEquals(told[1], "Finished a change of workspace a that was interrupted");
  await writer.close();
});

Deno.test("four commits at most are made in slices at a time, and one more waits", async () => {
  const { writer, there, answer, holds } = heldWriter();
  const names = ["long 1", "long 2", "long 3", "long 4", "long 5"];
  const all = names.map((name) => writer.commit(name, UNBOUNDED));
  // Of each the attempt, and of the first four a slice.
  for (let asks = 1; asks <= 9; asks++) {
    await asked(there, asks);
    await answer("unfinished");
  }
  assertEquals(holds, names.slice(0, 4).map((name) => `hold ${name}`));
  for (let asks = 10; asks <= 14; asks++) {
    await asked(there, asks);
    await answer("committed");
  }
  assertEquals(await Promise.all(all), names.map(() => "committed"));
  assertEquals(holds.filter((one) => one.startsWith("hold")).length, 5);
  await writer.close();
});

Deno.test("what waits is refused when the server stops", async () => {
  const { writer, answer } = heldWriter();
  const long = writer.commit("long", []);
  const waiting = assertRejects(() => writer.commit("a", []), AppError, "Server is stopping");
  await writer.close();
  await waiting;
  await assertRejects(() => writer.commit("b", []), AppError, "Server is stopping");
  await answer();
  assertEquals(await long, "committed");
});

/** Work that the thread was asked for, until each is answered. */
function heldWork<T>() {
  const asked: PromiseWithResolvers<T>[] = [];
  const ask = (): Promise<T> => {
    const answer = Promise.withResolvers<T>();
    asked.push(answer);
    return answer.promise;
  };
  const seen = (count: number): Promise<void> =>
    eventually(() => Promise.resolve(assertEquals(asked.length, count)));
  return { asked, ask, seen };
}

Deno.test("segments are merged there behind sixteen writes, with other writes in between", async () => {
  const { asked: merges, ask: merge, seen } = heldWork<boolean>();
  const { writer, here } = heldWriter({ replaced: { merge } });
  for (let n = 0; n < 15; n++) await writer.commit("a", []);
  await turn();
  assertEquals(merges.length, 0);
  await writer.commit("a", []);
  await seen(1);
  const other = writer.commit("b", []);
  await turn();
  assertEquals(here.length, 16);
  merges[0]?.resolve(true);
  assertEquals(await other, "committed");
  await seen(2);
  merges[1]?.resolve(false);
  await writer.commit("c", []);
  assertEquals([here.slice(16), merges.length], [["b", "c"], 2]);
  await writer.close();
});

Deno.test("a merge that fails is tried again behind as many writes", async () => {
  const { asked: merges, ask: merge, seen } = heldWork<boolean>();
  const { writer } = heldWriter({ replaced: { merge } });
  for (let n = 0; n < 16; n++) await writer.commit("a", []);
  await seen(1);
  merges[0]?.reject(new Error("the index is damaged"));
  // The one that failed was a transaction, too.
  for (let n = 0; n < 15; n++) assertEquals(await writer.commit("a", []), "committed");
  await seen(2);
  merges[1]?.resolve(false);
  await writer.close();
});

Deno.test("nothing more is written, here or there, once the thread met a disk that failed", async () => {
  const { writer, there, fail, here } = heldWriter();
  const long = assertRejects(() => writer.commit("long", []), AppError, "damaged");
  const failure = Object.assign(new Error("disk I/O error"), { errcode: 1034 });
  fail(failure);
  await long;
  for (const workspace of ["a", "long"]) {
    const { cause } = await assertRejects(() => writer.commit(workspace, []), AppError);
    assert(cause instanceof Error && cause.message === "disk I/O error");
  }
  assertEquals([there, here], [["long"], []]);
  await writer.close();
});

Deno.test("a queue gives each write once, in the order of its workspace, and workspaces take turns", () => {
  const names = ["a", "b", "c", "d"];
  const waiting: fc.Arbitrary<Waiting> = fc.record({ workspace: fc.constantFrom(...names) });
  const steps = fc.array(fc.oneof(waiting, fc.constant("take" as const)), { maxLength: 40 });
  fc.assert(fc.property(steps, (all) => {
    const queue = createWriteQueue<Waiting>();
    const added: Waiting[] = [];
    const taken: Waiting[] = [];
    /** The workspaces that waited at the last turn of another one and had none since. */
    const owed = new Map<string, Set<string>>();
    const take = (): void => {
      const left = added.filter((one) => !taken.includes(one)).map(({ workspace }) => workspace);
      const next = queue.take();
      assertEquals(next !== undefined, left.length > 0);
      if (next === undefined) return;
      taken.push(next);
      assertEquals(owed.get(next.workspace)?.size ?? 0, 0);
      for (const others of owed.values()) others.delete(next.workspace);
      owed.set(next.workspace, new Set(left).difference(new Set([next.workspace])));
    };
    for (const step of all) {
      if (step === "take") take();
      else {
        const own = { ...step };
        queue.add(own);
        added.push(own);
      }
    }
    while (!queue.isEmpty) take();
    for (const name of names) {
      const [own, given] = [added, taken].map((list) =>
        list.filter(({ workspace }) => workspace === name)
      );
      assertEquals(given?.length, own?.length);
      assert(given?.every((one, index) => one === own?.[index]));
    }
  }));
});

Deno.test("a queue gives no write of a workspace that is held, until it is released", () => {
  const queue = createWriteQueue<Waiting & { readonly name: string }>();
  const add = (workspace: string, name: string) => {
    const one = { workspace, name };
    queue.add(one);
    return one;
  };
  add("a", "a1");
  queue.hold("a");
  const gone = add("a", "a2");
  add("b", "b1");
  assertEquals([queue.isHeld("a"), queue.isHeld("b"), queue.isEmpty], [true, false, false]);
  assertEquals([queue.take()?.name, queue.take()?.name], ["b1", undefined]);
  assertEquals([queue.remove(gone), queue.isEmpty], [true, true]);
  add("a", "a3");
  queue.release("a");
  assertEquals([queue.take()?.name, queue.take()?.name, queue.take()], ["a1", "a3", undefined]);
  queue.hold("a");
  add("a", "a4");
  assertEquals(queue.clear().map(({ name }) => name), ["a4"]);
});

Deno.test("errors keep their meaning from one thread to another", () => {
  const cause = Object.assign(new Error("disk I/O error"), { errcode: 1034, code: "ERR_SQLITE" });
  const refusal = new AppError("service_unavailable", "Out of reach", {
    headers: { "retry-after": "1" },
    members: { a: 1 },
    reason: "why",
    cause,
  });
  const again = fromErrorData(structuredClone(toErrorData(refusal)));
  assert(again instanceof AppError);
  assertEquals({ ...again }, { ...refusal });
  assertEquals([again.message, again.status], ["Out of reach", 503]);
  const known = again.cause;
  assert(known instanceof Error && "errcode" in known);
  assertEquals([known.message, known.errcode, known.stack], [cause.message, 1034, cause.stack]);
  assertThrows(
    () => {
      throw fromErrorData(toErrorData("a text"));
    },
    Error,
    "a text",
  );
});

/** Links a row on one side of a relation with so many others. */
function link(relationId: string, side: LinkSide, id: string, count: number): Change {
  const others = Array.from({ length: count }, (_, index) => `other${index}`);
  return { op: "link", relationId, side, id, others };
}

/** Inserts a row with this many cells. */
function row(id: string, count: number): Change {
  const cells = Array.from({ length: count }, (_, index) => ({
    ...numberCell(index),
    propertyId: `p${index}`,
    ordinal: 0,
  }));
  return { op: "insert", node: page(id), cells };
}

Deno.test("what reaches many nodes or much text is long, and everything else is short", () => {
  const connection = openConnection(":memory:");
  migrate(connection);
  const write = createWriting(connection);
  const isLong = createLengthEstimator(connection.db);
  const commit = (...changes: Parameters<Store["commit"]>[1]): WriteRequest => ({
    method: "commit",
    args: ["w", changes],
  });
  const words = "many words ".repeat(400);
  const doc = JSON.stringify({ rich_text: [{ plain_text: words, type: "text" }] });
  const texts = Array.from(
    { length: 70 },
    (_, index) => block(`b${index}`, "large", { doc, containerId: "large", parentKind: "page" }),
  );
  const nodes = [
    page("large"),
    ...texts,
    page("small"),
    block("c", "small"),
    database(),
    page("p"),
  ];
  const linked = (["from", "to"] as const).map((side) => link(`by ${side}`, side, "p", 501));
  assertEquals(write(commit(...insert(...nodes), ...linked)), "committed");
  const long = [
    [link("by from", "from", "p", 0)],
    [link("by to", "to", "p", 0)],
    [link("new", "from", "p", 501)],
    insert(...Array.from({ length: 101 }, (_, index) => page(`n${index}`))),
    Array.from({ length: 10 }, (_, index) => row(`r${index}`, 10)),
    insert(...texts.slice(0, 15)),
    LONG_CHANGES.reshape,
    [trash("small")],
    [restore("small")],
    [move("large")],
    [move("p", { title: "", doc: "{}", hasMentions: false })],
    [update("large", 1)],
    [update("b7", 1)],
    [update(D, 1)],
  ];
  const short = [
    [link("by from", "to", "p", 0)],
    [link("by to", "from", "p", 0)],
    [link("new", "to", "p", 500)],
    insert(page("n"), ...texts.slice(0, 10)),
    Array.from({ length: 10 }, (_, index) => row(`r${index}`, 9)),
    [trash("c")],
    [move("p")],
    [update("small", 1)],
  ];
  assertEquals(long.map((changes) => isLong(commit(...changes))), long.map(() => true));
  assertEquals(short.map((changes) => isLong(commit(...changes))), short.map(() => false));
  assertEquals(isLong({ method: "ping", args: [] }), false);
  connection.close();
});

Deno.test("a short change is long beside a text in the index that is", () => {
  const connection = openConnection(":memory:");
  migrate(connection);
  const write = createWriting(connection);
  const isLong = createLengthEstimator(connection.db);
  const commit = (...changes: Parameters<Store["commit"]>[1]): WriteRequest => ({
    method: "commit",
    args: ["w", changes],
  });
  const within = (id: string) => ({ containerId: id, parentKind: "page" }) as const;
  const doc = JSON.stringify({ rich_text: [{ plain_text: "word ".repeat(6_000), type: "text" }] });
  const nodes = [
    page("long"),
    block("b", "long", { ...within("long"), doc }),
    page("short"),
    block("c", "short", within("short")),
  ];
  assertEquals(write(commit(...insert(...nodes))), "committed");
  const added = (id: string) => commit(...insert(block("n", id, { ...within(id), position: "n" })));
  assertEquals([isLong(added("long")), isLong(added("short"))], [true, false]);
  assertEquals([isLong(commit(update("b", 1))), isLong(commit(update("c", 1)))], [true, false]);
  connection.close();
});
