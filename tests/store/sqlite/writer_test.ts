import fc from "fast-check";
import { numberCell } from "../../../src/content/schema/cells.ts";
import type { Change } from "../../../src/content/schema/node.ts";
import { AppError } from "../../../src/shared/errors.ts";
import type { Store } from "../../../src/store/port.ts";
import { createCommitGroup } from "../../../src/store/sqlite/commit_group.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { writeGroup, type WriteOutcome } from "../../../src/store/sqlite/groups.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { fromErrorData, toErrorData } from "../../../src/shared/error_data.ts";
import { createLengthEstimator } from "../../../src/store/sqlite/write_length.ts";
import { createWriteQueue, type Waiting } from "../../../src/store/sqlite/write_queue.ts";
import { createWriter, type Writer } from "../../../src/store/sqlite/writer.ts";
import type { WriterWorker } from "../../../src/store/sqlite/writer_thread.ts";
import { createWriting } from "../../../src/store/sqlite/writing.ts";
import type { WriteRequest } from "../../../src/store/writing.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../assert.ts";
import { D, database } from "../row_samples.ts";
import { block, insert, page, person, restore, trash, update } from "../samples.ts";
import { withFile } from "./files.ts";
import { LONG_CHANGES, manyRows, rowIds } from "./long_changes.ts";

const ROWS = 3_000;
/** Some of all rows, so that many reads fit into one change. */
const IDS = rowIds(ROWS).filter((_, index) => index % 100 === 0);

/** Lets everything else that waits have its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Returns the number of rows and their distinct states, as one read sees them. */
async function stateOf(store: Store): Promise<string> {
  const rows = await store.nodes("w", IDS);
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

/** A thread that answers when it is told to, and what it was given. */
function heldThread() {
  const groups: (readonly WriteRequest[])[] = [];
  const answers: ((outcomes: readonly WriteOutcome[]) => void)[] = [];
  const checkpoints: (() => void)[] = [];
  const thread: WriterWorker = {
    write: (group) => {
      groups.push(group);
      return new Promise((resolve) => answers.push(resolve));
    },
    checkpoint: () => new Promise((resolve) => checkpoints.push(resolve)),
    close: () => Promise.resolve(),
  };
  const answer = async (outcome: WriteOutcome = { value: "committed" }): Promise<void> => {
    answers.shift()?.(groups.at(-1)?.map(() => outcome) ?? []);
    await turn();
  };
  return { thread, groups, answer, checkpoints };
}

type Held = ReturnType<typeof heldThread> & { readonly writer: Writer; readonly here: string[] };

/** A writer over a held thread; commits of the workspaces `long…` are long. */
function heldWriter(patience?: number): Held {
  const held = heldThread();
  const here: string[] = [];
  const writer = createWriter({
    thread: held.thread,
    write: ({ args }) => {
      here.push(String(args[0]));
      return "committed";
    },
    isLong: ({ args }) => String(args[0]).startsWith("long"),
    createGroup: (options) =>
      createCommitGroup({ begin: () => ({ isOpen: () => true, commit: () => {} }) }, options),
  }, patience === undefined ? {} : { patience });
  return { ...held, writer, here };
}

function workspacesOf(groups: Held["groups"]): unknown[] {
  return groups.map((group) => group.map(({ args }) => args[0]));
}

Deno.test("a short write is made at once, and behind a long one in the thread", async () => {
  const { writer, here, groups, answer } = heldWriter();
  assertEquals(await writer.commit("a", []), "committed");
  const all = ["long", "b", "c"].map((workspace) => writer.commit(workspace, []));
  await answer();
  await answer();
  assertEquals(await Promise.all(all), ["committed", "committed", "committed"]);
  await writer.commit("d", []);
  assertEquals(here, ["a", "d"]);
  assertEquals(workspacesOf(groups), [["long"], ["b", "c"]]);
  await writer.close();
});

Deno.test("a write of another workspace waits for one of a burst, and not for all", async () => {
  const { writer, groups, answer } = heldWriter();
  const burst = Array.from({ length: 4 }, () => writer.commit("long burst", []));
  const other = writer.commit("other", []);
  for (let round = 0; round < 5; round++) await answer();
  await Promise.all([...burst, other]);
  const expected = [["long burst"], ["long burst"], ["other"], ["long burst"], ["long burst"]];
  assertEquals(workspacesOf(groups), expected);
  await writer.close();
});

Deno.test("a write that waits too long behind others is refused, and nothing of it is done", async () => {
  const { writer, groups, answer, here } = heldWriter(1);
  const long = writer.commit("long", []);
  const error = await assertRejects(() => writer.commit("a", []), AppError);
  assertEquals([error.code, error.headers["retry-after"]], ["service_unavailable", "5"]);
  await answer();
  assertEquals(await long, "committed");
  assertEquals([workspacesOf(groups), here], [[["long"]], []]);
  await writer.close();
});

Deno.test("writes go on while the log is copied into the file, wait for its rest, and then go on", async () => {
  const { writer, here, groups, answer, checkpoints } = heldWriter();
  for (let write = 1; checkpoints.length === 0 && write < 1_000; write++) {
    await writer.commit(`a${write}`, []);
  }
  assertEquals(checkpoints.length, 1);
  await writer.commit("beside", []);
  assertEquals(here.at(-1), "beside");
  checkpoints[0]?.();
  await turn();
  assertEquals(checkpoints.length, 2);
  const before = here.length;
  const waiting = writer.commit("b", []);
  await turn();
  assertEquals([here.length, groups.length], [before, 0]);
  checkpoints[1]?.();
  await turn();
  await answer();
  assertEquals(await waiting, "committed");
  assertEquals(workspacesOf(groups), [["b"]]);
  await writer.commit("c", []);
  assertEquals(here.at(-1), "c");
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

Deno.test("nothing more is written, here or there, once the thread met a disk that failed", async () => {
  const { writer, groups, answer, here } = heldWriter();
  const long = assertRejects(() => writer.commit("long", []), AppError, "damaged");
  const failure = Object.assign(new Error("disk I/O error"), { errcode: 1034 });
  await answer({ thrown: toErrorData(failure) });
  await long;
  for (const workspace of ["a", "long"]) {
    const { cause } = await assertRejects(() => writer.commit(workspace, []), AppError);
    assert(cause instanceof Error && cause.message === "disk I/O error");
  }
  assertEquals([groups.length, here], [1, []]);
  await writer.close();
});

Deno.test("a queue gives each write once, in the order of its workspace, and nobody two turns at once", () => {
  const waiting: fc.Arbitrary<Waiting> = fc.record({
    workspace: fc.constantFrom("a", "b", "c", "d"),
    isLong: fc.boolean(),
  });
  const steps = fc.array(fc.oneof(waiting, fc.constant("take" as const)), { maxLength: 40 });
  fc.assert(fc.property(steps, fc.integer({ min: 1, max: 4 }), (all, limit) => {
    const queue = createWriteQueue<Waiting>(limit);
    const added: Waiting[] = [];
    const taken: Waiting[] = [];
    const take = (): void => {
      const before = added.filter((one) => !taken.includes(one));
      const group = queue.take();
      assertEquals(group.length > 0, before.length > 0);
      assert(group.length <= limit && (group.length === 1 || group.every((one) => !one.isLong)));
      assertEquals(new Set(group.map(({ workspace }) => workspace)).size, group.length);
      taken.push(...group);
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
    const of = (list: readonly Waiting[], workspace: string) =>
      list.filter((one) => one.workspace === workspace);
    for (const workspace of ["a", "b", "c", "d"]) {
      assertEquals(of(taken, workspace).length, of(added, workspace).length);
      assert(of(taken, workspace).every((one, index) => one === of(added, workspace)[index]));
    }
  }));
});

Deno.test("each write of a group is done or undone by itself", () => {
  const connection = openConnection(":memory:");
  migrate(connection);
  const write = createWriting(connection);
  const commit = (workspace: string, ...changes: Parameters<Store["commit"]>[1]): WriteRequest => ({
    method: "commit",
    args: [workspace, changes],
  });
  const outcomes = writeGroup(connection, write, [
    commit("a", ...insert(page("p"))),
    commit("b", ...insert(page("p")), update("p", 9)),
    commit("a", trash("p")),
    { method: "secret", args: ["s"] },
  ]);
  const values = outcomes.map((outcome) => "value" in outcome ? outcome.value : outcome.thrown);
  assertEquals(values.slice(0, 3), ["committed", "conflict", "committed"]);
  assert(values[3] instanceof Uint8Array);
  const kept = connection.db.prepare("SELECT workspace_id, version FROM nodes").all();
  assertEquals(kept.map((row) => ({ ...row })), [{ workspace_id: "a", version: 2 }]);
  connection.close();
});

Deno.test("a write that ends the transaction of its group undoes no other", () => {
  const connection = openConnection(":memory:");
  const { db, transaction } = connection;
  db.exec("CREATE TABLE t (x TEXT PRIMARY KEY)");
  const add = db.prepare("INSERT INTO t VALUES (?)");
  const write = ({ args }: WriteRequest): unknown =>
    transaction(() => {
      add.run(String(args[0]));
      if (args[0] !== "full") return args[0];
      // As SQLite does by itself where the disk is full.
      db.exec("ROLLBACK");
      throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
    });
  const group = ["a", "full", "b"].map((name): WriteRequest => ({
    method: "secret",
    args: [name],
  }));
  const outcomes = writeGroup(connection, write, group);
  assertEquals(outcomes.map((outcome) => "value" in outcome), [true, false, true]);
  assertEquals(db.prepare("SELECT x FROM t ORDER BY x").all().map(({ x }) => x), ["a", "b"]);
  connection.close();
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
  assertEquals(write(commit(...insert(...nodes))), "committed");
  const long = [
    insert(...Array.from({ length: 101 }, (_, index) => page(`n${index}`))),
    Array.from({ length: 10 }, (_, index) => row(`r${index}`, 10)),
    insert(...texts.slice(0, 30)),
    LONG_CHANGES.reshape,
    [trash("small")],
    [restore("small")],
    [update("large", 1)],
    [update("b7", 1)],
    [update(D, 1)],
  ];
  const short = [
    insert(page("n"), ...texts.slice(0, 20)),
    Array.from({ length: 10 }, (_, index) => row(`r${index}`, 9)),
    [trash("c")],
    [update("small", 1)],
  ];
  assertEquals(long.map((changes) => isLong(commit(...changes))), long.map(() => true));
  assertEquals(short.map((changes) => isLong(commit(...changes))), short.map(() => false));
  assertEquals(isLong({ method: "ping", args: [] }), false);
  connection.close();
});
