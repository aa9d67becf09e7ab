import { createSpaces } from "../../src/indexing/spaces.ts";
import { pack } from "../../src/search/vectors/vector.ts";
import type { SavedVectors } from "../../src/store/vector_port.ts";
import { assert, assertEquals } from "../assert.ts";
import { createClusters } from "../support/clusters.ts";

const DIMENSIONS = 16;
const draw = createClusters({
  ...{ dimensions: DIMENSIONS, fields: 5, subjects: 20, spread: { subject: 1, text: 1 } },
}, 3);
const embedder = { name: "fake", embed: () => Promise.resolve([]) };
const space = { number: 1, embedder: "fake", parts: 1, isFilled: true, isComplete: true };

/** A workspace whose vectors are these, in the order in which they were saved. */
function openSpaces(saved: readonly SavedVectors[]) {
  const store = {
    spaces: () => Promise.resolve([space]),
    vectors: (_: string, __: number, { after, limit }: { after: number; limit: number }) =>
      Promise.resolve(saved.filter(({ sequence }) => sequence > after).slice(0, limit)),
  };
  const embedders = { wanted: "fake", find: () => Promise.resolve(embedder) };
  return createSpaces(store, embedders, { undivided: 500, piece: 640 });
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
