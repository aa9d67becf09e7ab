/**
 * The store's contract: vectors, their spaces, and the queue of what is due.
 *
 * @module
 */
import fc from "fast-check";
import type { DuePage, PageVectors, Store } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { done, type StoreTest, W } from "./contract_support.ts";
import { block, insert, page, restore, trash, update } from "./samples.ts";

const OTHER = "other workspace";
const LEASE = 1_000;

function vectorsOf(id: string, ...bytes: number[]): PageVectors {
  return { id, blocks: bytes.map(() => null), vectors: Uint8Array.from(bytes) };
}

/** Returns the pages that are due at `now`, taken for a second. */
async function take(store: Store, now = 0, limit = 100): Promise<DuePage[]> {
  const taken = await store.takeDue(W, { now, until: now + LEASE, limit });
  return taken.toSorted((a, b) => a.id < b.id ? -1 : 1);
}

async function addSpace(store: Store, number = 1): Promise<void> {
  assertEquals(await store.addSpace(W, { number, embedder: "local", parts: 5 }), true);
}

/** Takes everything and saves a vector of each page. */
async function saveAll(store: Store, space: number, byte = 1): Promise<void> {
  const taken = await take(store);
  await store.saveVectors(W, space, taken.map((due) => ({ ...due, ...vectorsOf(due.id, byte) })));
}

async function saved(store: Store, space = 1, after = 0): Promise<[string, number[]][]> {
  const found = await store.vectors(W, space, { after, limit: 100 });
  return found.map(({ id, vectors }) => [id, [...vectors]]);
}

export function vectorContract(test: StoreTest): void {
  spaceContract(test);
  savingContract(test);
  scopeContract(test);
  leaseContract(test);
}

function spaceContract(test: StoreTest): void {
  test("spaces() lists spaces in the order in which they were made", async (store) => {
    assertEquals(await store.spaces(W), []);
    const model = Uint8Array.of(1, 2, 3);
    assertEquals(
      await store.addSpace(W, { number: 1, embedder: "local", parts: 9, model }),
      true,
    );
    assertEquals(await store.addSpace(W, { number: 2, embedder: "far", parts: 12 }), true);
    const state = { isFilled: false, isComplete: false, dimensions: undefined };
    assertEquals(await store.spaces(W), [
      { number: 1, embedder: "local", parts: 9, ...state },
      { number: 2, embedder: "far", parts: 12, ...state },
    ]);
    assertEquals(await store.model(W, 1).then((bytes) => bytes && [...bytes]), [1, 2, 3]);
    assertEquals(await store.model(W, 2), undefined);
    assertEquals(await store.model(OTHER, 1), undefined);
    assertEquals(await store.spaces(OTHER), []);
  });

  test("addSpace() lets one of those win that begin a space at once", async (store) => {
    await addSpace(store);
    const second = { number: 1, embedder: "far", parts: 7 };
    assertEquals(await store.addSpace(W, second), false);
    assertEquals((await store.spaces(W)).map(({ embedder }) => embedder), ["local"]);
    assertEquals(await store.addSpace(OTHER, second), true);
  });

  test("fillSpace() brings all pages into the queue, trashed ones too, in steps", async (store) => {
    await done(store, insert(page("a"), page("b"), page("c")));
    await done(store, [trash("b")]);
    await store.finishDue(W, await take(store));
    assertEquals(await store.countDue(W), 0);
    await addSpace(store);
    assertEquals(await store.fillSpace(W, 1, 2), 2);
    assertEquals((await take(store)).map(({ id }) => id), ["a", "b"]);
    assertEquals((await store.spaces(W))[0]?.isFilled, false);
    assertEquals(await store.fillSpace(W, 1, 2), 1);
    assertEquals(await store.fillSpace(W, 1, 2), 0);
    assertEquals((await store.spaces(W))[0]?.isFilled, true);
    assertEquals(await store.fillSpace(W, 1, 2), 0);
    assertEquals(await store.countDue(W), 3);
  });

  test("fillSpace() leaves out pages that have vectors in the space already", async (store) => {
    await done(store, insert(page("a"), page("b")));
    await addSpace(store);
    await store.saveVectors(
      W,
      1,
      (await take(store, 0, 1)).map((due) => {
        return { ...due, ...vectorsOf(due.id, 1) };
      }),
    );
    const [first] = await saved(store);
    await store.finishDue(W, await take(store));
    assertEquals(await store.fillSpace(W, 1, 9), 2);
    const left = (await take(store)).map(({ id }) => id);
    assertEquals(left, ["a", "b"].filter((id) => id !== first?.[0]));
  });

  test("completeSpace() forgets older spaces, whose vectors are swept in steps", async (store) => {
    await done(store, insert(page("a"), page("b"), page("c")));
    await addSpace(store);
    await saveAll(store, 1);
    await addSpace(store, 2);
    while (await store.fillSpace(W, 2, 10) > 0);
    await saveAll(store, 2, 2);
    await store.completeSpace(W, 2);
    const spaces = await store.spaces(W);
    assertEquals(spaces.map(({ number, isComplete }) => [number, isComplete]), [[2, true]]);
    assertEquals(await store.sweepVectors(W, 2), 2);
    assertEquals(await store.sweepVectors(W, 2), 1);
    assertEquals(await store.sweepVectors(W, 2), 0);
    assertEquals(await saved(store, 1), []);
    assertEquals(await saved(store, 2), [["a", [2]], ["b", [2]], ["c", [2]]]);
  });

  test("searchedWorkspaces() names those that have pages", async (store) => {
    assertEquals(await store.searchedWorkspaces(), []);
    await done(store, insert(page("a")));
    assertEquals(await store.searchedWorkspaces(), [W]);
  });
}

function savingContract(test: StoreTest): void {
  test("saveVectors() takes pages out of the queue and gives them vectors", async (store) => {
    await done(store, insert(page("a"), page("b")));
    await addSpace(store);
    await saveAll(store, 1);
    assertEquals(await store.countDue(W), 0);
    assertEquals(await saved(store), [["a", [1]], ["b", [1]]]);
    assertEquals(await saved(store, 2), []);
    assertEquals(await store.vectors(OTHER, 1, { after: 0, limit: 9 }), []);
  });

  test("saveVectors() saves nothing of a page that has changed meanwhile", async (store) => {
    await done(store, insert(page("a"), page("b")));
    await addSpace(store);
    const taken = await take(store);
    await done(store, [update("a", 1)]);
    await store.saveVectors(W, 1, taken.map((due) => ({ ...due, ...vectorsOf(due.id, 1) })));
    assertEquals(await saved(store), [["b", [1]]]);
    // At once, though the lease has not ended.
    assertEquals((await take(store)).map(({ id }) => id), ["a"]);
  });

  test("vectors() goes on from where it was read, and shows of a page the last alone", async (store) => {
    await done(store, insert(page("a"), page("b")));
    await addSpace(store);
    await saveAll(store, 1);
    const first = await store.vectors(W, 1, { after: 0, limit: 1 });
    assertEquals(first.map(({ id }) => id), ["a"]);
    const rest = await store.vectors(W, 1, { after: first[0]?.sequence ?? 0, limit: 9 });
    assertEquals(rest.map(({ id }) => id), ["b"]);
    await done(store, [update("a", 1)]);
    await saveAll(store, 1, 7);
    const seen = rest[0]?.sequence ?? 0;
    assertEquals(await saved(store, 1, seen), [["a", [7]]]);
    assertEquals(await saved(store), [["b", [1]], ["a", [7]]]);
  });

  test("saveVectors() keeps blocks and bytes, and a page without passages", async (store) => {
    await done(store, insert(page("a"), page("b")));
    await addSpace(store);
    const [a, b] = await take(store);
    const vectors = Uint8Array.of(0, 127, 129, 255);
    await store.saveVectors(W, 1, [
      { id: "a", change: a?.change ?? 0, blocks: ["x", null], vectors },
      { id: "b", change: b?.change ?? 0, blocks: [], vectors: new Uint8Array() },
    ]);
    const found = await store.vectors(W, 1, { after: 0, limit: 9 });
    assertEquals(
      found.map(({ id, blocks, vectors }) => ({ id, blocks, vectors: [...vectors] })),
      [
        { id: "a", blocks: ["x", null], vectors: [0, 127, 129, 255] },
        { id: "b", blocks: [], vectors: [] },
      ],
    );
  });

  test("saveVectors() saves nothing of other dimensions than the space has", async (store) => {
    await done(store, insert(page("a"), page("b"), page("c")));
    await addSpace(store);
    const dimensions = async () => (await store.spaces(W)).map(({ dimensions }) => dimensions);
    const save = async (id: string, vectors: readonly number[], space = 1) => {
      const due = (await take(store, 0, 9)).filter((one) => one.id === id);
      await store.releaseDue(W, await store.takeDue(W, { now: LEASE, until: LEASE, limit: 9 }));
      const saved = { id, blocks: vectors.length === 0 ? [] : [null] };
      return await store.saveVectors(
        W,
        space,
        due.map((page) => ({
          ...page,
          ...saved,
          vectors: Uint8Array.from(vectors),
        })),
      );
    };
    // A page without text says nothing of it.
    assertEquals(await save("c", []), true);
    assertEquals(await dimensions(), [undefined]);
    assertEquals(await save("a", [1, 2, 3]), true);
    assertEquals(await dimensions(), [3]);
    assertEquals(await save("b", [1, 2]), false);
    assertEquals([await saved(store), await store.countDue(W)], [[["c", []], ["a", [1, 2, 3]]], 1]);
    const next = { number: 2, embedder: "local", parts: 5, dimensions: 2 };
    assertEquals(await store.addSpace(W, next), true);
    assertEquals(await dimensions(), [3, 2]);
    assertEquals(await save("b", [1, 2], 2), true);
    assertEquals(await saved(store, 2), [["b", [1, 2]]]);
  });

  test("saveVectors() keeps nothing of a space that was forgotten", async (store) => {
    await done(store, insert(page("a")));
    await addSpace(store, 2);
    await store.completeSpace(W, 2);
    await saveAll(store, 1);
    assertEquals(await store.countDue(W), 0);
    assertEquals(await store.sweepVectors(W, 9), 0);
  });
}

function scopeContract(test: StoreTest): void {
  test("pageIds() goes through all pages in order, and no block", async (store) => {
    await done(store, [
      ...insert(page("c"), page("a"), page("b")),
      ...insert(block("d", "a", { parentKind: "page", containerId: "a" })),
    ]);
    assertEquals(await store.pageIds(W, { limit: 2 }), ["a", "b"]);
    assertEquals(await store.pageIds(W, { after: "b", limit: 2 }), ["c"]);
    assertEquals(await store.pageIds(OTHER, { limit: 2 }), []);
  });

  test("pagesWithin() keeps what lives and lies in the scope", async (store) => {
    const below = { parentKind: "page", parentId: "a", containerId: "a" } as const;
    const deeper = { parentKind: "page", parentId: "b", containerId: "b" } as const;
    await done(store, insert(page("a"), page("b", below), page("c", deeper), page("d")));
    const within = async (scope: object, ids = ["a", "b", "c", "d", "x"]): Promise<string[]> =>
      (await store.pagesWithin(W, ids, scope)).sort();
    assertEquals(await within({}), ["a", "b", "c", "d"]);
    assertEquals(await within({ parentId: "a" }), ["b"]);
    assertEquals(await within({ ancestorId: "a" }), ["b", "c"]);
    assertEquals(await within({ ancestorId: "a" }, ["c", "d"]), ["c"]);
    assertEquals(await store.pagesWithin(OTHER, ["a"], {}), []);
    await done(store, [trash("b")]);
    assertEquals(await within({}), ["a", "d"]);
    await done(store, [restore("b")]);
    assertEquals(await within({}), ["a", "b", "c", "d"]);
  });
}

type Step =
  | { readonly do: "write"; readonly page: number }
  | { readonly do: "take"; readonly worker: number; readonly limit: number }
  | { readonly do: "save" | "crash"; readonly worker: number }
  | { readonly do: "wait" };

const worker = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("write" as const), page: fc.nat(4) }),
  fc.record({ do: fc.constant("take" as const), worker, limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constantFrom("save" as const, "crash" as const), worker }),
  fc.record({ do: fc.constant("wait" as const) }),
);

function leaseContract(test: StoreTest): void {
  test("no page is lost, nor saved as it was before, whatever its workers do", async (store) => {
    await addSpace(store);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        made++;
        await work(store, steps, (number) => `r${made}p${number}`);
      }),
      { numRuns: 30 },
    );
  });
}

/** A worker's pages, with the version of each that it read when it took them. */
type Held = readonly (readonly [due: DuePage, version: number])[];

/** Runs the steps, then lets a last worker finish, and looks at what is saved. */
async function work(
  store: Store,
  steps: readonly Step[],
  idOf: (page: number) => string,
): Promise<void> {
  const versions = new Map<string, number>();
  const held = new Map<number, Held>();
  let now = 0;
  const write = async (id: string): Promise<void> => {
    const version = versions.get(id);
    versions.set(id, (version ?? 0) + 1);
    if (version === undefined) await done(store, insert(page(id)));
    else await done(store, [update(id, version)]);
  };
  const takeAs = async (worker: number, limit: number): Promise<void> => {
    const taken = await take(store, now, limit);
    held.set(worker, taken.map((due) => [due, versions.get(due.id) ?? 0]));
  };
  const save = async (worker: number): Promise<void> => {
    const pages = (held.get(worker) ?? []).map(([due, version]) => {
      return { ...due, ...vectorsOf(due.id, version) };
    });
    await store.saveVectors(W, 1, pages);
    held.delete(worker);
  };
  for (const one of steps) {
    if (one.do === "write") await write(idOf(one.page));
    else if (one.do === "take") await takeAs(one.worker, one.limit);
    else if (one.do === "save") await save(one.worker);
    else if (one.do === "crash") held.delete(one.worker);
    else now += LEASE;
  }
  now += LEASE;
  for (let due = await store.countDue(W); due > 0; due = await store.countDue(W)) {
    await takeAs(9, 3);
    await save(9);
  }
  const all = await store.vectors(W, 1, { after: 0, limit: 10_000 });
  const found = all.filter(({ id }) => versions.has(id));
  assertEquals(
    found.map(({ id, vectors }) => [id, vectors[0]]).sort(),
    [...versions].sort(),
  );
}
