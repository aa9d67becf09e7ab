import { batchesOf } from "../../src/store/batches.ts";
import { assertEquals } from "../assert.ts";

Deno.test("a batch ends with the node that makes it long, or after so many nodes", () => {
  const nodes = [1, 2, 600_000, 3, 4, 5].map((length) => ({ id: `${length}`, length }));
  const lengths = batchesOf(nodes, 2).map((batch) => batch.map(({ length }) => length));
  assertEquals(lengths, [[1, 2], [600_000], [3, 4], [5]]);
  assertEquals(batchesOf([], 2), []);
});
