import {
  type ComputedProperty,
  createPropertyCompiler,
  isComputed,
  MAX_CHAIN,
} from "../../../src/content/databases/property_compiler.ts";
import { compileSteps } from "../../../src/content/databases/compile_steps.ts";
import { LIMITS } from "../../../src/content/values/limits.ts";
import { MAX_ISSUES } from "../../../src/shared/errors.ts";
import { assert, assertEquals, assertStringIncludes } from "../../assert.ts";
import { createWorld, issuesOf, NAME, pointersOf, typed, type World } from "./helpers.ts";

function computed(world: World, id: string, name: string) {
  const computing = createPropertyCompiler((of) => world.all.get(of)?.doc.properties);
  const property = world.property(id, name);
  assert(isComputed(property));
  return computing(id, property);
}

const formula = (expression: string) => ({ formula: { expression } });
const rollup = (name: string, relation = "R", target = "X") => ({
  rollup: { function: name, relation_property_name: relation, rollup_property_name: target },
});
const single = (database_id: string) => ({ relation: { database_id, single_property: {} } });

Deno.test("formulas and rollups are compiled in the order of their dependencies", () => {
  const world = createWorld();
  const b = world.create({
    ...NAME,
    X: formula('length(prop("Name"))'),
    D: { date: {} },
  });
  const a = world.create({
    ...NAME,
    Last: formula('prop("Double") > 4'),
    Double: formula('prop("Sum") * 2'),
    Sum: rollup("sum"),
    When: rollup("latest_date", "R", "D"),
    All: rollup("show_original"),
    Names: formula('prop("R").map(current.prop("Name"))'),
    R: single(b),
  });
  const kinds = ["Last", "Double", "Sum", "When", "All", "Names"]
    .map((name) => computed(world, a, name).kind);
  assertEquals(kinds, ["boolean", "number", "number", "date", "array", "string"]);
  assertEquals(computed(world, a, "All").type, { kind: "list", of: { kind: "number" } });
  assertEquals([computed(world, a, "Last").height, computed(world, a, "Last").databases], [4, 2]);
  assertEquals(computed(world, a, "Names").databases, 2);
});

Deno.test("a formula is stored with ids and shown with current names", () => {
  const world = createWorld();
  const b = world.create({ ...NAME, X: { number: {} } });
  const a = world.create({
    ...NAME,
    R: single(b),
    N: { number: {} },
    F: formula('prop("N") + prop("R").map(current.prop("X")).sum()'),
  });
  const { id } = world.property(a, "N");
  assertStringIncludes(typed(world, a, { name: "F", type: "formula" }).expression, `prop("${id}")`);
  world.patch(a, { N: { name: "Count" } });
  world.patch(b, { X: { name: "Ex" } });
  assertEquals(world.read(a).properties.F?.formula, {
    expression: 'prop("Count") + prop("R").map(current.prop("Ex")).sum()',
  });
});

Deno.test("a wrong formula is rejected with all its issues and their positions", () => {
  const world = createWorld();
  const refused = issuesOf(() =>
    world.create({ ...NAME, F: formula('round(prop("Name")) + prop("Nme")') })
  );
  assertEquals(refused.map(({ pointer }) => pointer), [
    "/properties/F/formula/expression",
    "/properties/F/formula/expression",
  ]);
  assertStringIncludes(refused[0]?.detail ?? "", "Line 1, column 7");
});

Deno.test("cycles are rejected, and the message shows the path", () => {
  const world = createWorld();
  const [first] = issuesOf(() =>
    world.create({ ...NAME, A: formula('prop("B") + 1'), B: formula('prop("A") + 1') })
  );
  assertEquals(first, {
    pointer: "/properties/A/formula",
    detail: "A property can't be computed from itself: A → B → A.",
  });
  assertEquals(pointersOf(() => world.create({ ...NAME, A: formula('prop("A")') })), [
    "/properties/A/formula",
  ]);
});

Deno.test("cycles are found across databases", () => {
  const world = createWorld();
  const b = world.create({ ...NAME, X: { number: {} } });
  const a = world.create({
    ...NAME,
    R: { relation: { database_id: b, dual_property: { synced_property_name: "Back" } } },
    Sum: rollup("sum"),
  });
  const [issue, ...more] = issuesOf(() =>
    world.patch(b, { X: formula('prop("Back").map(current.prop("Sum")).sum()') })
  );
  assertEquals(issue?.detail, "A property can't be computed from itself: X → Sum → X.");
  assertEquals(more, []);
  assertEquals(world.property(a, "Sum").type, "rollup");
});

Deno.test("a chain of computed properties is limited, in any order of the schema", () => {
  const chain = (length: number) =>
    Array.from(
      { length },
      (_, index) =>
        [`F${index}`, formula(index === 0 ? "1" : `prop("F${index - 1}") + 1`)] as const,
    );
  const world = createWorld();
  const id = world.create({ ...NAME, ...Object.fromEntries(chain(MAX_CHAIN).toReversed()) });
  assertEquals(computed(world, id, `F${MAX_CHAIN - 1}`).height, MAX_CHAIN);
  const length = MAX_CHAIN + 40;
  for (const long of [chain(length), chain(length).toReversed()]) {
    const pointers = pointersOf(() => world.create({ ...NAME, ...Object.fromEntries(long) }));
    const rest = Array.from({ length: 39 }, (_, index) => MAX_CHAIN + 1 + index)
      .map((index) => `/properties/F${index}/formula/expression`);
    assertEquals(pointers.toSorted(), [`/properties/F${MAX_CHAIN}/formula`, ...rest].toSorted());
  }
  const round = [...chain(length).slice(1), ["F0", formula(`prop("F${length - 1}") + 1`)] as const];
  const pointers = pointersOf(() => world.create({ ...NAME, ...Object.fromEntries(round) }));
  assertEquals(new Set(pointers).size, MAX_ISSUES);
});

Deno.test("values are computed through at most 10 databases", () => {
  const world = createWorld();
  let id = world.create({ ...NAME, X: { number: {} } });
  for (let tables = 2; tables <= 10; tables++) {
    id = world.create({ ...NAME, R: single(id), S: rollup("sum"), X: formula('prop("S") + 1') });
    assertEquals(computed(world, id, "X").databases, tables);
  }
  const further = { ...NAME, R: single(id), S: rollup("sum") };
  assertEquals(pointersOf(() => world.create(further)), ["/properties/S/rollup"]);
});

/** The functions that accept a target of each type, without those that accept every type. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  number: ["sum", "average", "median", "min", "max", "range"],
  date: ["earliest_date", "latest_date", "date_range"],
  checkbox: ["checked", "unchecked", "percent_checked", "percent_unchecked"],
  status: ["count_per_group", "percent_per_group"],
};
const TARGETS: Readonly<Record<string, unknown>> = {
  number: { number: {} },
  date: { date: {} },
  checkbox: { checkbox: {} },
  status: { status: {} },
};

Deno.test("the function of a rollup must accept the type of its target", () => {
  for (const [type, target] of Object.entries(TARGETS)) {
    const world = createWorld();
    const b = world.create({ ...NAME, X: target });
    for (const [needed, functions] of Object.entries(FITTING)) {
      for (const name of functions) {
        const create = () => world.create({ ...NAME, R: single(b), A: rollup(name) });
        if (needed === type) create();
        else assertEquals(pointersOf(create), ["/properties/A/rollup/function"]);
      }
    }
    world.create({ ...NAME, R: single(b), A: rollup("percent_empty") });
  }
});

Deno.test("a rollup accepts a formula by its result type, and no rollup", () => {
  const world = createWorld();
  const c = world.create({ ...NAME, X: { number: {} } });
  const b = world.create({ ...NAME, R: single(c), N: formula("1 > 0"), S: rollup("sum") });
  world.create({ ...NAME, R: single(b), A: rollup("checked", "R", "N") });
  assertEquals(
    pointersOf(() => world.create({ ...NAME, R: single(b), A: rollup("sum", "R", "N") })),
    ["/properties/A/rollup/function"],
  );
  assertEquals(
    pointersOf(() => world.create({ ...NAME, R: single(b), A: rollup("sum", "R", "S") })),
    ["/properties/A/rollup/rollup_property_id"],
  );
});

Deno.test("a rollup resolves names and ids, and prefers ids", () => {
  const world = createWorld();
  const b = world.create({ ...NAME, X: { number: {} }, Y: { number: {} } });
  const a = world.create({ ...NAME, R: single(b), A: rollup("sum") });
  const { id } = world.property(b, "Y");
  world.patch(a, { A: { rollup: { rollup_property_id: id, rollup_property_name: "X" } } });
  assertEquals(typed(world, a, { name: "A", type: "rollup" }).rollupPropertyId, id);
  world.patch(a, { A: { rollup: { function: "max" } } });
  const { R } = world.read(a).properties;
  assertEquals(world.read(a).properties.A?.rollup, {
    function: "max",
    relation_property_id: R?.id,
    relation_property_name: "R",
    rollup_property_id: id,
    rollup_property_name: "Y",
  });
});

Deno.test("a reference to a deleted property stays, has no result, and can be written back", () => {
  const world = createWorld();
  const b = world.create({ ...NAME, X: { number: {} } });
  const a = world.create({
    ...NAME,
    R: single(b),
    S: rollup("sum"),
    N: { number: {} },
    F: formula('prop("N") + 1'),
  });
  const before = world.properties(a);
  world.patch(b, { X: null });
  world.patch(a, { N: null });
  assertEquals(computed(world, a, "S").kind, undefined);
  assertEquals(computed(world, a, "F").kind, undefined);
  world.patch(a, world.read(a).properties);
  assertEquals(world.properties(a), before.filter(({ name }) => name !== "N"));
  world.patch(a, { R: null });
  world.patch(a, { S: { name: "T" } });
  assertEquals(world.read(a).properties.T?.rollup, {
    ...Object(world.read(a).properties.T?.rollup),
    relation_property_name: "",
    rollup_property_name: "",
  });
});

Deno.test("an empty formula is valid and has no value", () => {
  const world = createWorld();
  const id = world.create({ ...NAME, F: { formula: {} }, G: formula('prop("F")') });
  const property = world.property(id, "F") as ComputedProperty;
  assertEquals(computed(world, id, property.name).kind, "string");
});

/** Databases in a row: each collects a formula of the next, which reads what that one collects. */
function createRow(count: number): { readonly world: World; readonly first: string } {
  const world = createWorld();
  let first = world.create({ ...NAME, X: formula("1") });
  for (let n = 1; n < count; n++) {
    const others = { R: single(first), S: rollup("sum") };
    first = world.create({
      ...NAME,
      Y: formula('prop("X") + 1'),
      X: formula('prop("S") + 1'),
      ...others,
    });
  }
  return { world, first };
}

Deno.test("a step compiles one property, what it depends on before it", () => {
  const { world, first } = createRow(5);
  const schemaOf = (id: string) => world.all.get(id)?.doc.properties;
  const compiler = createPropertyCompiler(schemaOf);
  const compiled: string[] = [];
  const compile = (id: string, property: ComputedProperty) => {
    const { height } = compiler(id, property);
    compiled.push(`${property.name} ${height}`);
    return compiler(id, property);
  };
  let steps = 0;
  for (const _ of compileSteps(first, world.properties(first), { compile, schemaOf })) {
    steps++;
    assert(compiled.length <= steps);
  }
  const inOrder = ["X 1", "S 2", "X 3", "S 4", "X 5", "S 6", "X 7", "S 8", "X 9", "Y 10"];
  assertEquals(compiled, inOrder);
});

Deno.test("expressions that are too long in all, in several databases, are not compiled", () => {
  const world = createWorld();
  const long = formula(`[${"1,".repeat(15_900)}1].length()`);
  const others = Array.from({ length: 7 }, () => world.create({ ...NAME, X: long }));
  const properties = Object.fromEntries(others.flatMap((id, n) => [
    [`R${n}`, single(id)],
    [`S${n}`, rollup("sum", `R${n}`)],
  ]));
  const detail = `with, in all databases, can have at most ${LIMITS.expressions} characters.`;
  const issues = issuesOf(() => world.create({ ...NAME, ...properties }));
  assert(
    issues.length > 0 && issues.every((issue) => issue.detail.endsWith(detail)),
    issues[0]?.detail,
  );
  const { R0, S0, R1, S1 } = properties;
  const id = world.create({ ...NAME, R0, S0, R1, S1 });
  assertEquals(computed(world, id, "S1").kind, "number");
});
