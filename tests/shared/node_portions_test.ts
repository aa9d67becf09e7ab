import fc from "fast-check";
import { nodePortions, readNodes } from "../../src/shared/node_portions.ts";
import { assertEquals } from "../assert.ts";
import { page, view } from "../store/samples.ts";

const ids = fc.uniqueArray(fc.nat(500).map((n) => `p${n}`), { maxLength: 300 });

Deno.test("readNodes() returns all nodes that exist in their order, however few a store returns at once", () =>
  fc.assert(fc.asyncProperty(
    ids,
    fc.func(fc.boolean()),
    fc.infiniteStream(fc.integer({ min: 1, max: 60 })),
    async (asked, exists, sizes) => {
      const existing = asked.filter((id) => exists(id));
      const store = {
        firstNodes: (_: string, some: readonly string[]) =>
          Promise.resolve(
            some.filter((id) => exists(id)).slice(0, sizes.next().value)
              .map((id) => view(page(id))),
          ),
      };
      const read = await readNodes(store, "w", asked);
      assertEquals(read.map(({ id }) => id), existing);
      for await (const some of nodePortions(store, "w", asked)) assertEquals(some.length > 0, true);
    },
  )));
