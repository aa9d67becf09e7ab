import { relatedIds } from "../../../src/content/databases/create.ts";
import { assertEquals, assertNotEquals } from "../../assert.ts";
import { createWorld, issuesOf, NAME, pointersOf, typed, type World } from "./helpers.ts";

function relation(world: World, id: string, name: string) {
  return typed(world, id, { name, type: "relation" });
}

const single = (database_id: string) => ({ relation: { database_id, single_property: {} } });
const dual = (database_id: string, synced_property_name?: string) => ({
  relation: {
    database_id,
    dual_property: synced_property_name === undefined ? {} : { synced_property_name },
  },
});

function titled(content: string): object {
  return { title: [{ text: { content } }] };
}

function unlinked(world: World): string[] {
  return world.changes.flatMap((change) => change.op === "unlink" ? [change.relationId] : []);
}

/** Two databases with a dual relation, `To B` in one and `To A` in the other. */
function related() {
  const world = createWorld();
  const b = world.create(NAME, titled("B"));
  const a = world.create({ ...NAME, "To B": dual(b, "To A") }, titled("A"));
  world.changes.length = 0;
  return { world, a, b };
}

Deno.test("a single relation changes only its own database", () => {
  const world = createWorld();
  const b = world.create(NAME);
  const a = world.create({ ...NAME, R: single(b.toUpperCase()) });
  assertEquals(world.changes, []);
  assertEquals(world.read(a).properties.R?.relation, {
    database_id: b,
    type: "single_property",
    single_property: {},
  });
});

Deno.test("a dual relation adds its other side, named after both", () => {
  const world = createWorld();
  const b = world.create({ ...NAME, "Related to Tasks (Project)": { number: {} } });
  const a = world.create({ ...NAME, Project: dual(b) }, titled("Tasks"));
  const own = relation(world, a, "Project");
  const other = relation(world, b, "Related to Tasks (Project) 2");
  assertEquals([own.syncedId, other.syncedId], [other.id, own.id]);
  assertEquals([own.side, other.side], ["from", "to"]);
  assertEquals([own.relationId, other.databaseId], [other.relationId, a]);
  assertEquals(world.read(a).properties.Project?.relation, {
    database_id: b,
    type: "dual_property",
    dual_property: { synced_property_id: other.id, synced_property_name: other.name },
  });
  assertEquals(world.changes.map(({ op }) => op), ["update", "countAllLinks"]);
});

Deno.test("each side shows the current name of the other", () => {
  const { world, a, b } = related();
  world.patch(a, { "To B": { name: "Bs" } });
  world.patch(b, { "To A": { name: "As" } });
  assertEquals(relationOf(world, a, "Bs").dual_property?.synced_property_name, "As");
  assertEquals(relationOf(world, b, "As").dual_property?.synced_property_name, "Bs");
  assertEquals(world.changes, []);
});

function relationOf(world: World, id: string, name: string) {
  return world.read(id).properties[name]?.relation as {
    readonly type: string;
    readonly dual_property?: { readonly synced_property_name: string };
  };
}

Deno.test("deleting one side makes the other single; deleting the last one deletes the links", () => {
  for (const first of ["a", "b"] as const) {
    const { world, a, b } = related();
    const [gone, goneName] = first === "a" ? [a, "To B"] : [b, "To A"];
    const [left, leftName] = first === "a" ? [b, "To A"] : [a, "To B"];
    const before = relation(world, left, leftName);
    world.patch(gone, { [goneName]: null });
    assertEquals(relation(world, left, leftName), { ...before, syncedId: null });
    assertEquals(relationOf(world, left, leftName).type, "single_property");
    assertEquals(unlinked(world), []);
    world.patch(left, { [leftName]: null });
    assertEquals(unlinked(world), [before.relationId]);
  }
});

Deno.test("changing the type of a relation deletes that side", () => {
  const { world, a, b } = related();
  world.patch(a, { "To B": { number: {} } });
  assertEquals(relation(world, b, "To A").syncedId, null);
  world.patch(b, { "To A": { number: {} } });
  assertEquals(unlinked(world).length, 1);
});

Deno.test("dual to single and back keeps the links", () => {
  const { world, a, b } = related();
  const { relationId } = relation(world, a, "To B");
  world.patch(a, { "To B": single(b) });
  assertEquals(world.properties(b).map(({ name }) => name), ["Name"]);
  world.patch(a, { "To B": dual(b, "Again") });
  assertEquals(relation(world, b, "Again").relationId, relationId);
  assertEquals(relation(world, b, "Again").side, "to");
  assertEquals(unlinked(world), []);
});

Deno.test("the remaining side can become dual again", () => {
  const { world, a, b } = related();
  world.patch(a, { "To B": null });
  world.patch(b, { "To A": dual(a, "Back") });
  const back = relation(world, a, "Back");
  assertEquals([back.side, back.relationId], ["from", relation(world, b, "To A").relationId]);
});

Deno.test("changing the related database deletes the old links and the old other side", () => {
  const { world, a, b } = related();
  const c = world.create(NAME);
  const { relationId, id } = relation(world, a, "To B");
  world.patch(a, { "To B": dual(c, "From A") });
  const now = relation(world, a, "To B");
  assertEquals([now.id, now.databaseId, now.side], [id, c, "from"]);
  assertNotEquals(now.relationId, relationId);
  assertEquals(world.properties(b).map(({ name }) => name), ["Name"]);
  assertEquals(relation(world, c, "From A").syncedId, id);
  assertEquals(unlinked(world), [relationId]);
});

Deno.test("a database can be related to itself", () => {
  const world = createWorld();
  const id = world.create(NAME);
  world.patch(id, { Parent: dual(id, "Children") });
  const [parent, children] = ["Parent", "Children"].map((name) => relation(world, id, name));
  assertEquals([parent?.syncedId, children?.syncedId], [children?.id, parent?.id]);
  assertEquals([parent?.side, children?.side], ["from", "to"]);
  world.patch(id, { Parent: null });
  assertEquals(relation(world, id, "Children").syncedId, null);
  assertEquals(unlinked(world), []);
  world.patch(id, { Children: null });
  assertEquals(unlinked(world), [parent?.relationId]);
});

Deno.test("both sides of a relation to itself can be deleted at once", () => {
  const world = createWorld();
  const id = world.create(NAME);
  world.patch(id, { Parent: dual(id, "Children") });
  const { relationId } = relation(world, id, "Parent");
  world.patch(id, { Parent: null, Children: null });
  assertEquals(unlinked(world), [relationId]);
  assertEquals(world.changes.some(({ op }) => op === "update"), false);
});

Deno.test("a relation can be written back as it was read", () => {
  const { world, a, b } = related();
  for (const id of [a, b]) {
    const before = world.properties(id);
    world.patch(id, world.read(id).properties);
    assertEquals(world.properties(id), before);
  }
  assertEquals(world.changes, []);
});

Deno.test("the related database must exist and not be in the trash", () => {
  const world = createWorld();
  const a = world.create(NAME);
  const b = world.create(NAME);
  const nowhere = "00000000-0000-4000-8000-0000000000ff";
  assertEquals(issuesOf(() => world.patch(a, { R: single(nowhere) })), [{
    pointer: "/properties/R/relation/database_id",
    detail: `Could not find database with ID: ${nowhere}.`,
  }]);
  world.patch(a, { R: dual(b), S: single(b) });
  world.trash(b);
  assertEquals(pointersOf(() => world.patch(a, { T: single(b) })), [
    "/properties/T/relation/database_id",
  ]);
  assertEquals(pointersOf(() => world.patch(a, { R: single(b) })), [
    "/properties/R/relation/database_id",
  ]);
  const before = world.properties(a);
  world.patch(a, world.read(a).properties);
  assertEquals(world.properties(a), before);
});

Deno.test("a side can be deleted while the other database is in the trash, which keeps its links", () => {
  const { world, a, b } = related();
  world.trash(b);
  world.patch(a, { "To B": null });
  assertEquals(world.changes, []);
  assertEquals(relationOf(world, b, "To A").type, "single_property");
  const before = world.properties(b);
  world.patch(b, world.read(b).properties);
  assertEquals(world.properties(b).map(({ id }) => id), before.map(({ id }) => id));
});

Deno.test("relatedIds() returns each database of the request and the schema once", () => {
  const { world, a, b } = related();
  const inputs = {
    One: single(b.replaceAll("-", "").toUpperCase()),
    Two: single(a),
    Three: { number: {} },
    Four: null,
  };
  assertEquals(relatedIds(inputs), [b, a]);
  assertEquals(relatedIds({}, world.properties(a)), [b]);
});
