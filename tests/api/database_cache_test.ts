import { createDatabaseCache } from "../../src/api/shared/database_cache.ts";
import { areCurrent } from "../../src/api/shared/versions.ts";
import { parseDatabaseDoc } from "../../src/content/schema/database.ts";
import type { NodeView } from "../../src/content/schema/node.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
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

Deno.test("a database depends on a limited number of others, those that it is related to first", async () => {
  const world = createWorld();
  const relationsTo = (ids: readonly string[]) =>
    Object.fromEntries(
      ids.map((id, n) => [`R${n}`, { relation: { database_id: id, single_property: {} } }]),
    );
  const direct = Array.from({ length: 60 }, () => {
    const others = Array.from({ length: 20 }, () => world.create(NAME));
    return world.create({ ...NAME, ...relationsTo(others) });
  });
  const formula = { formula: { expression: "1" } };
  const id = world.create({ ...NAME, ...relationsTo(direct), F: formula });
  const found = await createCache(world).find("w", id);
  assertEquals(found?.related.size, LIMITS.relatedDatabases);
  assertEquals(direct.every((other) => found?.related.has(other)), true);
});

Deno.test("versions of very many nodes are compared a thousand at once", async () => {
  const nodes = Array.from({ length: 2_500 }, (_, n) => ({ id: `${n}`, version: n }));
  const lengths: number[] = [];
  const store: Pick<NodeReader, "versions"> = {
    versions: (_workspace, ids) => {
      lengths.push(ids.length);
      return Promise.resolve(new Map(ids.map((id) => [id, Number(id)])));
    },
  };
  assertEquals(await areCurrent(store, "w", nodes), true);
  assertEquals(lengths, [1_000, 1_000, 500]);
  assertEquals(await areCurrent(store, "w", [...nodes, { id: "1", version: 2 }]), false);
});
