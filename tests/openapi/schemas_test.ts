import * as v from "valibot";
import type { SchemaTable } from "../../src/cli/openapi/components.ts";
import { convertSchemas } from "../../src/cli/openapi/schemas.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

type AnySchema = SchemaTable[string];

function convert(schema: AnySchema, named: SchemaTable = {}): unknown {
  return convertSchemas({ named, inline: new Map([["it", schema]]) }).inline.get("it");
}

const cat = v.strictObject({ type: v.literal("cat") });
const dogs = v.strictObject({ type: v.picklist(["dog", "wolf"]) });
const named = { Cat: cat, Dogs: dogs };
const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

Deno.test("convertSchemas() gives a constant its type", () => {
  assertEquals(convert(v.literal("a")), { type: "string", const: "a" });
  assertEquals(convert(v.literal(1)), { type: "number", const: 1 });
  assertEquals(convert(v.literal(true)), { type: "boolean", const: true });
});

Deno.test("convertSchemas() writes a nullable scalar as a list of types, all else as anyOf", () => {
  const text = v.pipe(v.string(), v.maxLength(3), v.description("Words."));
  assertEquals(convert(v.nullable(text)), {
    type: ["string", "null"],
    maxLength: 3,
    description: "Words.",
  });
  assertEquals(convert(v.nullable(v.picklist(["a"]))), {
    anyOf: [{ enum: ["a"], type: "string" }, { type: "null" }],
  });
  assertEquals(convert(v.nullable(cat), named), { anyOf: [ref("Cat"), { type: "null" }] });
});

Deno.test("convertSchemas() maps every value of a discriminator to its component", () => {
  assertEquals(convert(v.variant("type", [cat, dogs]), named), {
    oneOf: [ref("Cat"), ref("Dogs")],
    discriminator: {
      propertyName: "type",
      mapping: { cat: ref("Cat").$ref, dog: ref("Dogs").$ref, wolf: ref("Dogs").$ref },
    },
  });
});

Deno.test("convertSchemas() maps the values of a variant in a variant to the inner one", () => {
  const Pets = v.variant("type", [cat, dogs]);
  const bird = v.strictObject({ type: v.literal("bird") });
  const animal = v.variant("type", [Pets, bird]);
  assertEquals(convert(animal, { ...named, Pets, Bird: bird }), {
    oneOf: [ref("Pets"), ref("Bird")],
    discriminator: {
      propertyName: "type",
      mapping: {
        cat: ref("Pets").$ref,
        dog: ref("Pets").$ref,
        wolf: ref("Pets").$ref,
        bird: ref("Bird").$ref,
      },
    },
  });
});

Deno.test("convertSchemas() leaves the discriminator out where a member is no component", () => {
  const schema = convert(v.variant("type", [cat, dogs]), { Cat: cat });
  assert(!Object.hasOwn(Object(schema), "discriminator"));
});

Deno.test("convertSchemas() makes components of the members of a component's unions", () => {
  const shelter = v.strictObject({
    pet: v.variant("type", [cat, v.strictObject({ type: v.literal("bird") })]),
    paid: v.union([v.strictObject({ cash: v.boolean() }), v.strictObject({ card: v.boolean() })]),
    note: v.nullable(v.strictObject({ words: v.boolean() })),
  });
  const { components } = convertSchemas({
    named: { Cat: cat, Shelter: shelter },
    inline: new Map(),
  });
  assertEquals(Object.keys(components), [
    ...["Cat", "Shelter", "ShelterPaidCard", "ShelterPaidCash", "ShelterPetBird"],
  ]);
  const { pet, paid, note } = Object(components["Shelter"]).properties;
  assertEquals(pet.discriminator.mapping, {
    cat: ref("Cat").$ref,
    bird: ref("ShelterPetBird").$ref,
  });
  assertEquals(paid, { oneOf: [ref("ShelterPaidCash"), ref("ShelterPaidCard")] });
  assertEquals(note.anyOf.map(({ type }: { type: string }) => type), ["object", "null"]);
});

Deno.test("convertSchemas() refuses to give two components one name", () => {
  const choice = v.union([v.strictObject({ a: v.boolean() }), v.strictObject({ b: v.boolean() })]);
  assertThrows(
    () => convertSchemas({ named: { Choice: choice, ChoiceA: cat }, inline: new Map() }),
    Error,
    "Two components would be named ChoiceA",
  );
});

const strict = (names: readonly string[], more: readonly string[] = []): AnySchema =>
  v.strictObject({
    ...Object.fromEntries(names.map((name) => [name, v.boolean()])),
    ...Object.fromEntries(more.map((name) => [name, v.optional(v.boolean())])),
  });

for (
  const [what, members, keyword] of [
    ["closed objects with names of their own", [strict(["a"]), strict(["b"])], "oneOf"],
    [
      "a closed object that lacks what the other needs",
      [strict(["a"]), strict([], ["b"])],
      "oneOf",
    ],
    ["objects that may be the same", [strict(["a"], ["b"]), strict(["b"], ["a"])], "anyOf"],
    ["open objects", [v.object({ a: v.boolean() }), v.object({ b: v.boolean() })], "anyOf"],
    ["values of different types", [v.string(), v.array(v.boolean()), strict(["a"])], "oneOf"],
    ["values of one type", [v.string(), v.pipe(v.string(), v.maxLength(2))], "anyOf"],
  ] as const
) {
  Deno.test(`convertSchemas() writes ${keyword} of ${what}`, () => {
    assertEquals(Object.keys(Object(convert(v.union(members)))), [keyword]);
  });
}

Deno.test("convertSchemas() leaves out what says nothing", () => {
  assertEquals(convert(v.strictObject({ a: v.optional(v.boolean()) })), {
    type: "object",
    properties: { a: { type: "boolean" } },
    additionalProperties: false,
  });
  assertEquals(convert(v.record(v.string(), v.boolean())), {
    type: "object",
    additionalProperties: { type: "boolean" },
  });
  assertEquals(convert(v.record(v.pipe(v.string(), v.maxLength(9)), v.boolean())), {
    type: "object",
    propertyNames: { type: "string", maxLength: 9 },
    additionalProperties: { type: "boolean" },
  });
});

Deno.test("convertSchemas() tells members named like keywords from keywords", () => {
  assertEquals(convert(v.object({ const: v.boolean(), required: v.array(v.boolean()) })), {
    type: "object",
    properties: {
      const: { type: "boolean" },
      required: { type: "array", items: { type: "boolean" } },
    },
    required: ["const", "required"],
  });
});

Deno.test("convertSchemas() writes an unnamed lazy schema out where it stands, each time", () => {
  const lazy = v.lazy(() => v.nullable(cat));
  const expected = { anyOf: [ref("Cat"), { type: "null" }] };
  const { components, inline } = convertSchemas({
    named,
    inline: new Map<string, AnySchema>([["one", lazy], ["two", v.array(lazy)]]),
  });
  assertEquals(inline.get("one"), expected);
  assertEquals(inline.get("two"), { type: "array", items: expected });
  assertEquals(Object.keys(components), ["Cat", "Dogs"]);
});

Deno.test("convertSchemas() refuses a recursive schema without a name", () => {
  const list: AnySchema = v.strictObject({ next: v.optional(v.lazy(() => list)) });
  assertThrows(
    () => convert(list),
    Error,
    "A recursive schema has no name: strict_object (Object)",
  );
  assertEquals(convert(list, { List: list }), ref("List"));
});

Deno.test("convertSchemas() refuses what has no JSON Schema form", () => {
  assertThrows(() => convert(v.pipe(v.string(), v.transform(Number))), Error, "transform");
});

Deno.test("convertSchemas() writes a choice of one as that one", () => {
  assertEquals(convert(v.union([cat]), named), ref("Cat"));
  assertEquals(convert(v.variant("type", [cat]), named), ref("Cat"));
});

Deno.test("convertSchemas() names the width of integers whose bounds fit into it", () => {
  const most = 2 ** 31 - 1;
  assertEquals(convert(v.pipe(v.number(), v.maxValue(most), v.minValue(0), v.integer())), {
    type: "integer",
    format: "int32",
    minimum: 0,
    maximum: most,
  });
  assertEquals(convert(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most + 1))), {
    type: "integer",
    format: "int64",
    minimum: 0,
    maximum: most + 1,
  });
  assertEquals(convert(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), {
    type: "number",
    minimum: 0,
    maximum: 1,
  });
});
