import { loadEvaluationInput } from "../../src/api/databases/evaluation_input.ts";
import { createDatabaseCache } from "../../src/api/shared/database_cache.ts";
import { createLongReads } from "../../src/api/shared/long_reads.ts";
import { yieldToEventLoop } from "../../src/shared/yield_to_event_loop.ts";
import { MAX_ROW_SCANS } from "../../src/content/formulas/compute_budget.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { openStore } from "../support/stores.ts";
import { withApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { text } from "./driver.ts";

const LIMITS = { atOnce: 2, waiting: 3, inAll: 7, time: 60_000 };

Deno.test("callers with long work are served in turn, however much each requested", async () => {
  const order: string[] = [];
  const go = (caller: string) => yieldToEventLoop(caller).then(() => order.push(caller));
  const all = [..."aaaa"].map(go).concat([..."bb"].map(go), go("c"));
  await Promise.all(all);
  assertEquals(order.join(""), "abcabaa");
});

/** A read that runs until it is ended. */
function openRead(reads: ReturnType<typeof createLongReads>, caller: string) {
  let isOver = false;
  let turns = 0;
  const done = reads({ workspace: "w", userId: caller }, async (pause) => {
    do {
      await pause();
      turns++;
    } while (!isOver);
  });
  return {
    done,
    turns: () => turns,
    end: () => {
      isOver = true;
      return done;
    },
  };
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await yieldToEventLoop("someone else");
}

Deno.test("the concurrent long reads of a caller are limited, and others wait", async () => {
  const reads = createLongReads(LIMITS);
  const open = Array.from({ length: 4 }, () => openRead(reads, "a"));
  await pass(20);
  assertEquals(open.map(({ turns }) => turns() > 0), [true, true, false, false]);
  await open[0]?.end();
  await pass(20);
  assertEquals(open.map(({ turns }) => turns() > 0), [true, true, true, false]);
  await Promise.all(open.map(({ end }) => end()));
});

Deno.test("too many long reads of one caller, or of all callers, are rejected with Retry-After", async () => {
  const reads = createLongReads(LIMITS);
  const open = Array.from({ length: 5 }, () => openRead(reads, "a"));
  await pass(5);
  await assertRefused(openRead(reads, "a").done, "rate_limited");
  const others = [openRead(reads, "b"), openRead(reads, "c")];
  await pass(5);
  await assertRefused(openRead(reads, "d").done, "service_unavailable");
  await Promise.all([...open, ...others].map(({ end }) => end()));
  await openRead(reads, "a").end();
});

async function assertRefused(read: Promise<void>, code: string): Promise<void> {
  const error = await assertRejects(() => read, AppError);
  assertEquals([error.code, error.headers["retry-after"]], [code, "1"]);
}

Deno.test("a short read is never counted, and a long one ends at its time limit", async () => {
  const reads = createLongReads({ ...LIMITS, atOnce: 1, waiting: 0 });
  const open = openRead(reads, "a");
  await pass(3);
  assertEquals(
    await reads({ workspace: "w", userId: "a" }, () => Promise.resolve("short")),
    "short",
  );
  await open.end();
  const late = createLongReads({ ...LIMITS, time: -1 });
  const error = await assertRejects(
    () => late({ workspace: "w", userId: "a" }, (pause) => pause()),
    AppError,
  );
  assertEquals(error.code, "gateway_timeout");
});

Deno.test("a read of a row counts as long once the values of related rows are", () =>
  withApp(async (app) => {
    const other = await newDatabase(app, { Text: { rich_text: {} } });
    const { id } = await newDatabase(app, {
      Other: { relation: { database_id: other.id, single_property: {} } },
      Texts: { formula: { expression: 'prop("Other").map(current.prop("Text")).length()' } },
    });
    const rich_text = Array.from({ length: 100 }, () => text("x".repeat(2_000))[0]);
    const long: object[] = [];
    for (let n = 0; n < 5; n++) {
      const row = await newRow(app, other.id, { Name: titled(`${n}`), Text: { rich_text } });
      long.push({ id: row.id });
    }
    const { store } = app;
    const database = await createDatabaseCache(store).find("default", id);
    assert(database !== undefined);
    for (const count of [1, 5]) {
      const Other = { relation: long.slice(0, count) };
      const row = await newRow(app, id, { Name: titled("row"), Other });
      const node = await store.node("default", row.id);
      assert(node !== undefined);
      let pauses = 0;
      const pause = () => {
        pauses++;
        return Promise.resolve();
      };
      await loadEvaluationInput(store, "default", { database, nodes: [node], pause, now: 0 });
      assertEquals(pauses > 0, count === 5);
    }
  }));

Deno.test("a query of too many rows times conditions is rejected with the limit", async () => {
  const store = await openStore(":memory:");
  const spent: typeof store = {
    ...store,
    listRows: (workspace, query, listing) => {
      if (listing.pacing !== undefined) listing.pacing.budget.left = 5;
      return store.listRows(workspace, query, listing);
    },
  };
  await withApp(async (app) => {
    const { id } = await newDatabase(app);
    for (let n = 0; n < 3; n++) await newRow(app, id, { Name: titled("row") });
    const route = `POST /v2/databases/${id}/query`;
    const filter = { property: "Name", title: { contains: "x" } };
    for (const [pointer, body] of [["/filter", { filter }], ["/sorts", {}]] as const) {
      const { status, json } = await app.call(route, { body });
      assertEquals([status, json.code, json.errors[0].pointer], [400, "validation_error", pointer]);
      assertStringIncludes(json.message, String(MAX_ROW_SCANS));
    }
    assert((await app.call(`GET /v2/databases/${id}`)).status === 200);
  }, { store: spent });
});
