import { createEmbedders } from "../../src/indexing/embedders.ts";
import { createIndexer, type Indexer } from "../../src/indexing/indexer.ts";
import type { Embedder } from "../../src/search/embedder.ts";
import { learnLsa } from "../../src/search/meaning/lsa.ts";
import { lsaToBytes } from "../../src/search/meaning/lsa_bytes.ts";
import type { Passage } from "../../src/search/passages.ts";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { textAbout } from "../api/semantic_support.ts";
import { insert, page } from "../store/samples.ts";

const { signal } = new AbortController();
/** More than a workspace needs to be learnt. */
const LEARNT = 120;

interface Stage extends Indexer {
  readonly store: Store;
  /** Passages of each time that something was learnt. */
  readonly lessons: readonly number[];
  /** From now on the service of a stage that has one fails for texts that have this in them. */
  failFor(text: string): void;
  pass(milliseconds: number): void;
}

/** Runs a test on an indexer that learns, or that asks a service. */
async function withIndexer(
  test: (stage: Stage) => Promise<void>,
  { hasService = false }: { readonly hasService?: boolean } = {},
): Promise<void> {
  const store = openSqliteStore(":memory:");
  const lessons: number[] = [];
  let failing: string | undefined;
  let time = 0;
  const service: Embedder = {
    name: "fake",
    embed: (texts) =>
      failing !== undefined && texts.some(({ title }) => title.includes(failing ?? ""))
        ? Promise.reject(new Error("The service failed"))
        : Promise.resolve(texts.map(() => Float32Array.of(0.6, 0.8))),
  };
  const indexer = createIndexer({
    store,
    embedders: createEmbedders(store, hasService ? service : undefined),
    now: () => time,
    learn: (passages: readonly Passage[]) => {
      lessons.push(passages.length);
      return Promise.resolve(lsaToBytes(learnLsa(passages)));
    },
    onRefused: () => {},
  });
  try {
    await test({
      ...indexer,
      store,
      lessons,
      failFor: (text) => void (failing = text),
      pass: (milliseconds) => void (time += milliseconds),
    });
  } finally {
    await store.close();
  }
}

async function write(store: Store, workspace: string, ...ids: readonly string[]): Promise<void> {
  const pages = ids.map((id, seed) => page(id, { title: `${id} ${textAbout(seed % 6, seed)}` }));
  for (const one of pages) {
    assertEquals(await store.commit(workspace, insert({ ...one, position: one.id })), "committed");
  }
}

function names(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${name}${String(number).padStart(4, "0")}`);
}

/** Steps until there is nothing left to do. */
async function finish({ step }: Indexer): Promise<void> {
  for (let steps = 0; await step(signal); steps++) assert(steps < 10_000, "It never ends");
}

/** Which of these have so much in their queue. */
async function dueOf(store: Store, workspaces: readonly string[]): Promise<number[]> {
  return await Promise.all(workspaces.map(store.countDue));
}

Deno.test("a workspace that is filled in one go ends with what is learnt from all of it, and no write is waited for", () =>
  withIndexer(async (stage) => {
    const { store, lessons } = stage;
    await write(store, "w", ...names("first", LEARNT));
    // Learns, and makes some vectors, before the rest comes.
    for (let step = 0; step < 3; step++) await stage.step(signal);
    assertEquals(lessons, [LEARNT]);
    await write(store, "w", ...names("rest", 4 * LEARNT));
    await finish(stage);
    assertEquals(lessons, [LEARNT, 5 * LEARNT]);
    const spaces = await store.spaces("w");
    assertEquals(spaces.map(({ parts, isComplete }) => [parts, isComplete]), [[5 * LEARNT, true]]);
    const { number = 0 } = spaces[0] ?? {};
    assertEquals((await store.vectors("w", number, { after: 0, limit: 9_999 })).length, 5 * LEARNT);
  }));

Deno.test("a page of a learnt workspace is next, though a thousand new workspaces wait to be learnt", () =>
  withIndexer(async (stage) => {
    const { store } = stage;
    await write(store, "learnt", ...names("p", LEARNT));
    await finish(stage);
    const others = names("other", 1_000);
    for (const workspace of others) await write(store, workspace, "a", "b");
    await write(store, "learnt", "new");
    await stage.step(signal);
    assertEquals(await store.countDue("learnt"), 0);
    assertEquals(new Set(await dueOf(store, others)), new Set([2]));
    // And of the others each has its turn, one by one.
    for (let step = 0; step < 10; step++) await stage.step(signal);
    const begun = (await dueOf(store, others)).filter((due) => due < 2).length;
    assert(begun > 0 && begun <= 10, `${begun} of the others in 10 steps`);
    await finish(stage);
  }));

Deno.test("learning is not starved by an endless queue of changed pages", () =>
  withIndexer(async (stage) => {
    const { store, lessons } = stage;
    await write(store, "busy", ...names("p", LEARNT));
    await finish(stage);
    await write(store, "new", ...names("p", LEARNT));
    let steps = 0;
    for (; lessons.length < 2 && steps < 10; steps++) {
      await write(store, "busy", `more${steps}`);
      await stage.step(signal);
    }
    assert(steps <= 4, `${steps} steps`);
  }));

Deno.test("a failed batch returns to the queue, its workspace pauses, and others continue", () =>
  withIndexer(async (stage) => {
    const { store, step } = stage;
    await write(store, "bad", "x1", "x2");
    await write(store, "good", "a");
    stage.failFor("x");
    let failures = 0;
    const tryStep = () => step(signal).catch(() => (failures++, true));
    while (await tryStep());
    assertEquals([failures, await dueOf(store, ["bad", "good"])], [1, [2, 0]]);
    const taken = await store.takeDue("bad", { now: 0, until: 0, limit: 9 });
    assertEquals(taken.map(({ id }) => id), ["x1", "x2"]);
    await store.releaseDue("bad", taken);
    // Each rest is twice as long as the one before.
    for (const rest of [1_000, 2_000, 4_000]) {
      stage.pass(rest - 1);
      while (await tryStep());
      stage.pass(1);
      const before = failures;
      while (await tryStep());
      assertEquals(failures, before + 1, `after ${rest}`);
    }
    stage.failFor("nothing");
    stage.pass(8_000);
    await finish(stage);
    assertEquals(await dueOf(store, ["bad", "good"]), [0, 0]);
  }, { hasService: true }));

Deno.test("workspaces whose pages other processes have taken are not polled repeatedly", () =>
  withIndexer(async (stage) => {
    const { store } = stage;
    await write(store, "w", "a");
    await store.takeDue("w", { now: 0, until: 1_000, limit: 9 });
    let steps = 0;
    while (await stage.step(signal)) assert(++steps < 10);
    assertEquals(await store.countDue("w"), 1);
    stage.pass(1_000);
    await finish(stage);
    assertEquals(await store.countDue("w"), 0);
  }, { hasService: true }));
