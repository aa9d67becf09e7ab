import fc from "fast-check";
import * as v from "valibot";
import { AppError } from "../../../src/shared/errors.ts";
import { database } from "../../../src/content/databases/json.ts";
import { syncedProperty } from "../../../src/content/databases/relations.ts";
import type { PropertyOf, Schema } from "../../../src/content/schema/property.ts";
import { assert, assertEquals } from "../../assert.ts";
import { createWorld, NAME, type World } from "./helpers.ts";

const name = fc.constantFrom("Name", "A", "B", "C", "D", "__proto__", "title");
const optionName = fc.constantFrom("x", "y", "z", "w");
const options = fc.uniqueArray(optionName).map((names) => names.map((name) => ({ name })));
const groups = fc.tuple(
  ...Array.from(
    { length: 3 },
    () =>
      fc.record({ name: optionName, option_ids: fc.subarray(["x", "y"]) }, { requiredKeys: [] }),
  ),
);

/** A configuration that refers to databases by index. */
const config = fc.oneof(
  fc.constantFrom("title", "rich_text", "number", "date", "checkbox", "created_time", "button")
    .map((type) => ({ [type]: {} })),
  fc.record({ options }, { requiredKeys: [] }).map((select) => ({ select })),
  fc.record({ options }, { requiredKeys: [] }).map((multi_select) => ({ multi_select })),
  fc.record({ options, groups }, { requiredKeys: [] })
    .filter(({ options }) => options?.length !== 0)
    .map((status) => ({ status })),
  fc.constantFrom("1 + 1", 'prop("A")', 'prop("B") + 1', "").map((expression) => ({
    formula: { expression },
  })),
  { arbitrary: fc.record({ to: fc.nat(1), isDual: fc.boolean() }), weight: 6 },
  fc.record({
    relation_property_name: name,
    rollup_property_name: name,
    function: fc.constantFrom("count", "sum", "show_unique"),
  }).map((rollup) => ({ rollup })),
  fc.constantFrom({ unique_id: { prefix: "U" } }, { unique_id: {} }),
);
const change = fc.oneof(
  { arbitrary: config, weight: 4 },
  { arbitrary: fc.constant(null), weight: 2 },
  { arbitrary: fc.record({ name }), weight: 2 },
  fc.tuple(config, name).map(([of, name]) => ({ ...of, name })),
);
/** A name, or the index of an existing property. */
const key = fc.oneof(name, fc.nat(5).map((place) => `#${place}`));
const step = fc.record({ at: fc.nat(1), changes: fc.dictionary(key, change, { maxKeys: 3 }) });

interface Writing {
  readonly databases: readonly string[];
  readonly schema: Schema;
}

/** A request with indexes replaced by existing databases and properties. */
function written(
  changes: Readonly<Record<string, unknown>>,
  { databases, schema }: Writing,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(changes).map(([given, change]) => {
      const key = given.startsWith("#") ? schema[Number(given.slice(1))]?.id ?? "A" : given;
      if (typeof change !== "object" || change === null || !("to" in change)) return [key, change];
      const { to, isDual, ...rest } = change as { to: number; isDual: boolean };
      const kind = isDual ? "dual_property" : "single_property";
      return [key, { ...rest, relation: { database_id: databases[to], [kind]: {} } }];
    }),
  );
}

/** Returns whether a request was accepted; a rejected one must change nothing. */
function attempt(world: World, id: string, changes: Readonly<Record<string, unknown>>): boolean {
  const before = [...world.all];
  try {
    world.patch(id, changes);
    return true;
  } catch (error) {
    assert(error instanceof AppError, String(error));
    assertEquals([...world.all], before);
    return false;
  }
}

function assertSound(world: World, id: string): void {
  const schema = world.properties(id);
  const unique = (values: readonly string[]) => assertEquals(new Set(values).size, values.length);
  assertEquals(schema.filter(({ type }) => type === "title").map((title) => title.id), ["title"]);
  assert(schema.filter(({ type }) => type === "unique_id").length <= 1);
  unique(schema.map((property) => property.id));
  unique(schema.map((property) => property.name));
  for (const property of schema) {
    if ("options" in property) {
      unique(property.options.map((option) => option.id));
      unique(property.options.map((option) => option.name));
    }
    if (property.type === "status") assertPartition(property);
    if (property.type === "relation") assertBothSides(world, id, property);
  }
}

/** Every set of links that some property shows. */
function relationsOf(world: World, databases: readonly string[]): ReadonlySet<string> {
  const all = databases.flatMap(world.properties);
  return new Set(all.flatMap((one) => one.type === "relation" ? [one.relationId] : []));
}

function unlinked(world: World): string[] {
  return world.changes
    .flatMap((change) => change.op === "unlink" ? [change.relationId] : []).toSorted();
}

function assertPartition({ options, groups }: PropertyOf<"status">): void {
  assertEquals(groups.length, 3);
  assert(options.length > 0);
  assertEquals(
    groups.flatMap(({ option_ids }) => option_ids).toSorted(),
    options.map(({ id }) => id).toSorted(),
  );
}

function assertBothSides(world: World, id: string, relation: PropertyOf<"relation">): void {
  const of: Schema = world.properties(relation.databaseId);
  const showing = of.filter((other) =>
    other.type === "relation" && other.relationId === relation.relationId &&
    (relation.databaseId !== id || other.id !== relation.id)
  );
  if (relation.syncedId === null) return assertEquals(showing, []);
  const other = syncedProperty(relation, of);
  assertEquals(showing, other === undefined ? [] : [other]);
  assertEquals([other?.syncedId, other?.databaseId], [relation.id, id]);
  assert(other?.side !== relation.side);
}

Deno.test("schemas stay valid through any sequence of edits, and can be written back as read", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const world = createWorld();
      const databases = [world.create(NAME), world.create(NAME)];
      for (const { at, changes } of steps) {
        const id = databases[at] ?? "";
        const schema = world.properties(id);
        const shown = relationsOf(world, databases);
        world.changes.length = 0;
        if (!attempt(world, id, written(changes, { databases, schema }))) continue;
        accepted++;
        const left = relationsOf(world, databases);
        assertEquals(unlinked(world), [...shown].filter((of) => !left.has(of)).toSorted());
        for (const one of databases) assertSound(world, one);
      }
      for (const id of databases) {
        const before = databases.map(world.properties);
        const answer = world.read(id);
        v.parse(database, answer);
        world.changes.length = 0;
        world.patch(id, answer.properties);
        assertEquals(databases.map(world.properties), before);
        assertEquals(world.changes, []);
      }
    }),
    { numRuns: 400 },
  );
  assert(accepted > 400, `only ${accepted} edits were accepted`);
});

Deno.test("a database created from the reply of another has the same schema except for ids", () => {
  const world = createWorld();
  const b = world.create({ ...NAME, X: { number: {} } });
  const a = world.create({
    ...NAME,
    S: { status: {} },
    M: { multi_select: { options: [{ name: "x", color: "red" }] } },
    R: { relation: { database_id: b, single_property: {} } },
    Sum: { rollup: { function: "sum", relation_property_name: "R", rollup_property_name: "X" } },
    F: { formula: { expression: 'prop("Sum") * 2' } },
    U: { unique_id: { prefix: "U" } },
  });
  const { Sum, ...others } = world.read(a).properties;
  const rollup = { ...Object(Sum?.rollup), relation_property_id: undefined };
  const copy = world.create(JSON.parse(JSON.stringify({ ...others, Sum: { rollup } })));
  assertEquals(withoutIds(world, copy), withoutIds(world, a));
});

/**
 * The schema in the form of a reply, with each id replaced by the index of its first occurrence.
 */
function withoutIds(world: World, id: string): unknown {
  const text = JSON.stringify(
    Object.entries(world.read(id).properties).toSorted(([one], [other]) => one < other ? -1 : 1),
  );
  const places = new Map<string, number>();
  return text.replaceAll(/[0-9a-f-]{36}|p+\d+/g, (found) => {
    places.set(found, places.get(found) ?? places.size);
    return `#${places.get(found)}`;
  });
}
