import type { TransactionWork } from "../../../src/store/postgres/connection.ts";
import type { Session, Value } from "../../../src/store/postgres/query.ts";
import type { SavedVectors, Store, VectorIndex } from "../../../src/store/port.ts";
import { openVectorIndex } from "../../../src/store/postgres/vectors/vector_index.ts";
import { createPostgresStore } from "../../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { done, W } from "../../store/contract_support.ts";
import { insert, page, trash, update } from "../../store/samples.ts";
import { openSchema } from "../../support/stores.ts";

const PAGES = 600;
const DIMENSIONS = 8;
const LIMIT = 20;

/** Bytes that look random and are the same each time. */
function vectorOf(seed: number, dimensions = DIMENSIONS): Int8Array<ArrayBuffer> {
  return Int8Array.from(
    { length: dimensions },
    (_, at) => Math.round(127 * Math.sin(1 + seed * 12.9898 + at * 78.233 + seed * at)),
  );
}

interface Stage {
  readonly store: Store;
  readonly index: VectorIndex;
  /** Searches of the index, as they were sent. */
  readonly asked: { readonly text: string; readonly values: readonly Value[] }[];
  explain(text: string): Promise<string>;
  /** Names of the indexes of vectors that there are. */
  indexes(): Promise<string[]>;
}

/** A store with an index for every workspace that has more than `mostScanned` vectors. */
async function withIndex(
  work: (stage: Stage) => Promise<void>,
  { mostScanned = 100 } = {},
): Promise<void> {
  const { connection } = await openSchema();
  try {
    const asked: Stage["asked"] = [];
    const watch = (session: Session): Session => ({
      send(text, values) {
        if (text.includes("ORDER BY direction")) asked.push({ text, values });
        return session.send(text, values);
      },
    });
    const watched = {
      ...connection,
      reading: <T>(read: TransactionWork<T>) =>
        connection.reading((session) => read(watch(session))),
    };
    const { index } = await openVectorIndex(watched, { mostScanned });
    const store = createPostgresStore(connection, index);
    assert(store.vectorIndex);
    const indexes = async () => {
      const found = await connection.session.send(
        "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE $1",
        ["%hnsw%"],
      );
      return found.map(([name]) => String(name));
    };
    const explain = async (text: string) =>
      (await connection.session.send(`EXPLAIN ${text}`, [])).map(([line]) => line).join("\n");
    await work({ store, index: store.vectorIndex, asked, explain, indexes });
  } finally {
    await connection.close();
  }
}

/** Saves vectors of everything that is due: those of a page by the number in its name. */
async function saveDue(
  store: Store,
  { workspace = W, space = 1, dimensions = DIMENSIONS, seedOf = numberOf } = {},
): Promise<void> {
  const due = await store.takeDue(workspace, { now: 0, until: 0, limit: 10_000 });
  await store.saveVectors(
    workspace,
    space,
    due.map((page) => ({
      ...page,
      blocks: [null, "block"],
      vectors: new Uint8Array([
        ...new Uint8Array(vectorOf(seedOf(page.id), dimensions).buffer),
        ...new Uint8Array(vectorOf(seedOf(page.id) + PAGES, dimensions).buffer),
      ]),
    })),
  );
}

function numberOf(id: string): number {
  return Number(id.split(" ").at(-1));
}

/** Makes pages with vectors, half of them in another page, and their index. */
async function fill({ store, index }: Stage): Promise<void> {
  const inside = { parentKind: "page", parentId: "parent", containerId: "parent" } as const;
  const pages = Array.from(
    { length: PAGES },
    (_, number) => page(`page ${number}`, number % 2 === 0 ? {} : inside),
  );
  await done(store, insert(page("parent"), ...pages));
  await store.addSpace(W, { number: 1, embedder: "local", parts: PAGES });
  await saveDue(store, { seedOf: (id) => id === "parent" ? 9_999 : numberOf(id) });
  while (await index.extend(W, 1));
}

function cosine(a: Int8Array, b: Int8Array): number {
  const product = (x: Int8Array, y: Int8Array) => x.reduce((sum, e, i) => sum + e * (y[i] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** Numbers of the nearest pages, by comparing all. */
function nearest(vector: Int8Array, isMeant: (number: number) => boolean): number[] {
  const score = (number: number) =>
    Math.max(cosine(vector, vectorOf(number)), cosine(vector, vectorOf(number + PAGES)));
  return Array.from({ length: PAGES }, (_, number) => number).filter(isMeant)
    .sort((a, b) => score(b) - score(a)).slice(0, LIMIT);
}

/** How many of the nearest are among what was found, of 1, over some questions. */
async function recall(
  ask: (vector: Int8Array) => Promise<readonly SavedVectors[]>,
  isMeant: (number: number) => boolean,
): Promise<number> {
  let [hits, all] = [0, 0];
  for (let seed = 0; seed < 10; seed++) {
    const vector = vectorOf(5_000 + seed);
    const found = new Set((await ask(vector)).map(({ id }) => numberOf(id)));
    const wanted = nearest(vector, isMeant);
    hits += wanted.filter((number) => found.has(number)).length;
    all += wanted.length;
  }
  return hits / all;
}

Deno.test("the index finds the nearest pages of a workspace, with their vectors", () =>
  withIndex(async (stage) => {
    assertEquals(await stage.index.reach(W, 1), undefined);
    await fill(stage);
    assertEquals(await stage.index.reach(W, 1), PAGES + 1);
    const near = (vector: Int8Array) => stage.index.near(W, 1, { vector, scope: {}, limit: LIMIT });
    assert(await recall(near, () => true) > 0.95);
    const [first] = await near(vectorOf(5_000));
    assert(first);
    assertEquals(first.blocks, [null, "block"]);
    assertEquals(
      [...new Int8Array(first.vectors.slice(0, DIMENSIONS).buffer)],
      [...vectorOf(numberOf(first.id))],
    );
  }));

Deno.test("a search scans the index of its own workspace", () =>
  withIndex(async (stage) => {
    await fill(stage);
    const [name] = await stage.indexes();
    await stage.index.near(W, 1, { vector: vectorOf(1), scope: {}, limit: LIMIT });
    const [asked] = stage.asked;
    assert(asked);
    const literals = asked.values.map((value) =>
      Array.isArray(value) ? `'{" ${value.join().trim()} "}'` : `'${value}'`
    );
    const text = literals.reduce(
      (sql, literal, at) => sql.replaceAll(`$${at + 1}`, literal),
      asked.text,
    );
    const plan = await stage.explain(text);
    assert(plan.includes(`Index Scan using ${name}`), plan);
  }));

Deno.test("the index finds what lives and lies in a scope, as much as there is", () =>
  withIndex(async (stage) => {
    const { store, index } = stage;
    await fill(stage);
    const scope = { parentId: "parent" };
    const inParent = (vector: Int8Array) => index.near(W, 1, { vector, scope, limit: LIMIT });
    const isInside = (number: number) => number % 2 === 1;
    assert((await inParent(vectorOf(1))).every(({ id }) => isInside(numberOf(id))));
    assert(await recall(inParent, isInside) > 0.95);
    const all = await index.near(W, 1, { vector: vectorOf(1), scope, limit: PAGES });
    assertEquals(all.length, PAGES / 2);
    await done(store, [trash("page 1"), trash("page 3")]);
    const living = await index.near(W, 1, { vector: vectorOf(1), scope, limit: PAGES });
    assertEquals(living.length, PAGES / 2 - 2);
    assertEquals(living.some(({ id }) => id === "page 1" || id === "page 3"), false);
  }));

Deno.test("the index of one workspace tells nothing of another's, whatever they are called", () =>
  withIndex(async (stage) => {
    const { store, index, indexes } = stage;
    await fill(stage);
    const other = `o'ther "\\ workspace`;
    assertEquals(
      await store.commit(
        other,
        insert(...Array.from({ length: 120 }, (_, at) => page(`page ${at}`))),
      ),
      "committed",
    );
    await store.addSpace(other, { number: 1, embedder: "local", parts: 120 });
    await saveDue(store, { workspace: other });
    assertEquals(await index.reach(other, 1), undefined);
    while (await index.extend(other, 1));
    assertEquals(await index.reach(other, 1), 120);
    assertEquals((await indexes()).length, 2);
    const found = await index.near(other, 1, { vector: vectorOf(1), scope: {}, limit: PAGES });
    assertEquals(found.length, 120);
  }));

Deno.test("a small workspace is not indexed", () =>
  withIndex(async (stage) => {
    await fill(stage);
    assertEquals(await stage.index.reach(W, 1), undefined);
    assertEquals(await stage.indexes(), []);
  }, { mostScanned: 2 * (PAGES + 1) }));

Deno.test("the index follows what is saved, and tells how far", () =>
  withIndex(async (stage) => {
    const { store, index } = stage;
    await fill(stage);
    await done(store, [update("page 7", 1)]);
    await saveDue(store, { seedOf: () => 5_000 });
    const ask = () => index.near(W, 1, { vector: vectorOf(5_000), scope: {}, limit: 1 });
    assertEquals(await index.reach(W, 1), PAGES + 1);
    assertEquals(await index.extend(W, 1), true);
    assertEquals(await index.reach(W, 1), PAGES + 2);
    assert((await ask()).some(({ id }) => id === "page 7"));
    assertEquals(await index.extend(W, 1), false);
  }));

Deno.test("a new space gets an index of its own dimensions, and that of a forgotten one goes", () =>
  withIndex(async (stage) => {
    const { store, index, indexes } = stage;
    await fill(stage);
    const before = await indexes();
    await store.addSpace(W, { number: 2, embedder: "other", parts: PAGES });
    while (await store.fillSpace(W, 2, 1_000));
    await saveDue(store, { space: 2, dimensions: 3 });
    while (await index.extend(W, 2));
    const vector = vectorOf(1, 3);
    assertEquals(
      (await index.near(W, 2, { vector, scope: {}, limit: PAGES })).length >= PAGES,
      true,
    );
    await store.completeSpace(W, 2);
    while (await store.sweepVectors(W, 500) > 0);
    const after = await indexes();
    assertEquals([before.length, after.length], [1, 1]);
    assertEquals(before[0] === after[0], false);
    assertEquals(await index.reach(W, 1), undefined);
  }));
