import { createVectorSpaces } from "../../src/indexing/spaces.ts";
import { pack } from "../../src/search/vectors/vector.ts";
import type { SavedVectors } from "../../src/store/port.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { createClusters } from "../support/clusters.ts";

const DIMENSIONS = 16;
const draw = createClusters({
  dimensions: DIMENSIONS,
  fields: 5,
  subjects: 20,
  spread: { subject: 1, text: 1 },
}, 3);
const embedder = { name: "fake", embed: () => Promise.resolve([]) };
const space = {
  number: 1,
  embedder: "fake",
  parts: 1,
  isFilled: true,
  isComplete: true,
  dimensions: DIMENSIONS,
};

interface Read {
  readonly after: number;
  readonly limit: number;
}

/** Workspaces whose vectors are these, in the order in which they were saved. */
function openSpaces(saved: readonly SavedVectors[], onRead: (read: Read) => void = () => {}) {
  const store = {
    spaces: () => Promise.resolve([space]),
    vectors: (_: string, __: number, read: Read) => {
      onRead(read);
      const { after, limit } = read;
      return Promise.resolve(saved.filter(({ sequence }) => sequence > after).slice(0, limit));
    },
  };
  const embedders = {
    wanted: "fake",
    lastDimensions: () => undefined,
    find: () => Promise.resolve(embedder),
  };
  return createVectorSpaces(store, embedders, { undivided: 500, piece: 640, mostVectors: 1_100 });
}

function savedVectors(sequence: number, id = `page-${sequence}`): SavedVectors {
  const vectors = new Uint8Array(pack(draw()).buffer);
  return { id, sequence, blocks: [`block-${sequence}`], vectors };
}

Deno.test("a workspace that outgrows one list is divided piece by piece, and serves meanwhile", async () => {
  const saved = Array.from({ length: 450 }, (_, i) => savedVectors(i + 1));
  const spaces = openSpaces(saved);
  assert(!spaces.arrange(), "nothing is open");
  await spaces.open("default");
  assert(!spaces.arrange(), "it is small");
  let pieces = 0;
  for (let sequence = 451; sequence <= 1_000; sequence++) {
    // A fifth of them are pages that change.
    const id = sequence % 5 === 0 ? `page-${sequence - 400}` : `page-${sequence}`;
    saved.push(savedVectors(sequence, id));
    const open = await spaces.open("default");
    const ids = new Set(saved.map(({ id }) => id));
    assertEquals(open?.pages?.size(), ids.size);
    // As many as there are, so that all lists are read.
    const found = open?.pages?.nearest(draw(), ids.size) ?? [];
    assertEquals(new Set(found.map(({ pageId }) => pageId)), ids);
    assertEquals(open?.blockOf(id, 0), `block-${sequence}`);
    if (spaces.arrange()) pieces++;
  }
  assert(pieces > 100, `${pieces} pieces`);
});

Deno.test("memory is bounded by vectors, of which a page has many and a change makes no more", async () => {
  const blocks = Array.from({ length: 64 }, () => null);
  const vectors = new Uint8Array(DIMENSIONS * blocks.length).fill(1);
  const change = (id: string, sequence: number) => ({ id, sequence, blocks, vectors });
  const saved = Array.from({ length: 8 }, (_, i) => change(`page-${i}`, i + 1));
  let loaded = 0;
  const spaces = openSpaces(saved, ({ after }) => loaded += after === 0 ? 1 : 0);
  const open = async (...workspaces: readonly string[]) => {
    for (const workspace of workspaces) await spaces.open(workspace);
    return loaded;
  };
  assertEquals(await open("first", "second"), 2);
  saved.push(...Array.from({ length: 20 }, (_, i) => change("page-0", i + 9)));
  assertEquals(await open("second", "first"), 2);
  assertEquals(await open("third", "first"), 3);
  assertEquals(await open("second"), 4);
});

Deno.test("vectors with other dimensions than their space are ignored, and such questions are reported", async () => {
  const short = { id: "short", sequence: 1, blocks: [null], vectors: new Uint8Array(3) };
  const saved = [short, savedVectors(2, "whole"), { ...savedVectors(3, "other"), ...short }];
  let length = DIMENSIONS;
  const told: string[] = [];
  const store = { spaces: () => Promise.resolve([space]), vectors: () => Promise.resolve(saved) };
  const embed = () => Promise.resolve([new Float32Array(length)]);
  const embedders = {
    wanted: "fake",
    lastDimensions: () => undefined,
    find: () => Promise.resolve({ name: "fake", embed }),
  };
  const spaces = createVectorSpaces(store, embedders, {
    onOtherDimensions: (one) => told.push(one),
  });
  const open = await spaces.open("w");
  assertEquals(open?.pages?.nearest(draw(), 9).map(({ pageId }) => pageId), ["whole"]);
  assertEquals((await open?.embedder.embed([]))?.length, 1);
  assertEquals(told, []);
  length = DIMENSIONS - 1;
  await assertRejects(
    async () => await open?.embedder.embed([]),
    Error,
    "Expected embeddings with 16 dimensions: got 15",
  );
  assertEquals(told, ["w"]);
});
