import { setImmediate } from "node:timers";
import { learnWorkspace } from "../../src/indexing/learn.ts";
import { assert, assertEquals } from "../assert.ts";
import { page } from "../store/samples.ts";

/** Passes time without letting anything else run. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

Deno.test("learning lets requests be served between batches, however short each batch is", async () => {
  const pages = Array.from({ length: 640 }, (_, number) => page(`p${number}`, { title: "gull" }));
  const byId = new Map(pages.map((one) => [one.id, { ...one, hasChildren: false }]));
  const ids = [...byId.keys()].toSorted();
  let turns = 0;
  let isLearning = true;
  const count = () => {
    turns++;
    if (isLearning) setImmediate(count);
  };
  setImmediate(count);
  const model = await learnWorkspace(
    {
      pageIds: (_, { after = "", limit }) =>
        Promise.resolve(ids.filter((id) => id > after).slice(0, limit)),
      firstNodes: (_, wanted) => {
        // Twenty batches, each of which ends before its own time for a pause.
        block(3);
        return Promise.resolve(wanted.flatMap((id) => byId.get(id) ?? []));
      },
      docs: () => Promise.resolve([]),
      children: () => Promise.resolve([]),
      pageComments: () => Promise.resolve([]),
    },
    "w",
    {
      pages: ids.length,
      signal: new AbortController().signal,
      learn: (passages) => {
        isLearning = false;
        assertEquals(passages.length, ids.length);
        return Promise.resolve(new Uint8Array());
      },
    },
  );
  assertEquals(model?.length, 0);
  assert(turns >= 10, `${turns} turns of the event loop`);
});
