import { createDatabaseCache } from "../../src/api/shared/database_cache.ts";
import { parseDatabaseDoc } from "../../src/content/schema/database.ts";
import type { NodeView } from "../../src/content/schema/node.ts";
import type { NodeReader } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { createWorld, NAME } from "../content/databases/helpers.ts";

/** A cache of the databases of a world. */
function createCache({ all }: ReturnType<typeof createWorld>) {
  const nodesOf = (ids: readonly string[]) =>
    ids.flatMap((id): NodeView[] => {
      const node = all.get(id)?.node;
      return node === undefined ? [] : [{ ...node, hasChildren: false }];
    });
  const reader: Pick<NodeReader, "firstNodes" | "versions"> = {
    firstNodes: (_workspace, ids) => Promise.resolve(nodesOf(ids)),
    versions: (_workspace, ids) =>
      Promise.resolve(new Map(nodesOf(ids).map(({ id, version }) => [id, version]))),
  };
  // Sound because the cache reads nothing else.
  return createDatabaseCache(reader as NodeReader);
}

async function hitsAmong(world: ReturnType<typeof createWorld>, ids: readonly string[]) {
  const cache = createCache(world);
  for (const id of [...ids, ...ids]) {
    const found = await cache.find("w", id);
    assertEquals(found?.doc, parseDatabaseDoc(world.node(id).doc));
  }
  return cache.counts.hits;
}

Deno.test("the cache keeps as many databases as it has room for what they are compiled to", async () => {
  const world = createWorld();
  const short = Array.from({ length: 6 }, () => world.create(NAME));
  assertEquals(await hitsAmong(world, short), 6);
  const formula = { formula: { expression: `[${"1,".repeat(15_900)}1].length()` } };
  const targets = Array.from({ length: 6 }, () => world.create({ ...NAME, X: formula }));
  const properties = Object.fromEntries(targets.flatMap((id, n) => [
    [`R${n}`, { relation: { database_id: id, single_property: {} } }],
    [`S${n}`, {
      rollup: { function: "sum", relation_property_name: `R${n}`, rollup_property_name: "X" },
    }],
  ]));
  const long = Array.from({ length: 6 }, () => world.create({ ...NAME, ...properties }));
  assertEquals(await hitsAmong(world, long), 0);
  assertEquals(await hitsAmong(world, long.slice(0, 2)), 2);
});
