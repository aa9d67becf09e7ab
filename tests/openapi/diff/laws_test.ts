/**
 * Laws of every two schemas, with ajv as the judge of single values: a change breaks clients just
 * where a value that one side may send is none that the other side takes.
 *
 * @module
 */
import { Ajv2020, type ValidateFunction } from "ajv/2020";
import fc from "fast-check";
import { type Change, diffDocuments } from "../../../src/cli/openapi/diff/documents.ts";
import type { Side } from "../../../src/cli/openapi/diff/finding.ts";
import { createRef, type JsonObject } from "../../../src/cli/openapi/json.ts";
import { mapSchema } from "../../../src/cli/openapi/walk.ts";
import { assert, assertEquals } from "../../assert.ts";
import { documentAbout } from "./support.ts";

const ajv = new Ajv2020({ strict: false, validateSchema: false });

const scalars = [
  null,
  true,
  false,
  -2,
  -1,
  0,
  0.5,
  1,
  1.5,
  2,
  3,
  "",
  "a",
  "b",
  "ab",
  "ba",
  "abc",
  "abcd",
];
const lists = scalars.flatMap((one) => [[one], [one, one], [one, one, one]]);
const absent = Symbol("absent");
/** Each schema of a scalar accepts one of these values. */
const common = [null, true, 0, "", "a", "ab"];
const objects: readonly object[] = [
  ...members([absent, ...scalars], [absent, ...scalars], [absent]),
  ...members([absent, ...common], [absent, ...common], scalars),
];

/** Objects with each combination of these members. */
function members(as: readonly unknown[], bs: readonly unknown[], cs: readonly unknown[]): object[] {
  return as.flatMap((a) =>
    bs.flatMap((b) =>
      cs.map((c) =>
        Object.fromEntries(Object.entries({ a, b, c }).filter(([, value]) => value !== absent))
      )
    )
  );
}
/** Small enough to look at every value, large enough to tell any two drawn schemas apart. */
const UNIVERSE: readonly unknown[] = [...scalars, [], ...lists, ...objects];

const texts = fc.oneof(
  fc.record({
    type: fc.constant("string"),
    minLength: fc.constantFrom(0, 1),
    maxLength: fc.constantFrom(1, 2, 3),
  }, { requiredKeys: ["type"] }),
  fc.subarray(["", "a", "ab"], { minLength: 1 }).map((values) => ({ enum: values })),
  fc.constantFrom("a", "ab").map((value) => ({ type: "string", const: value })),
);
const numbers = fc.record({
  type: fc.constantFrom("integer", "number"),
  minimum: fc.constantFrom(-1, 0),
  maximum: fc.constantFrom(1, 2),
}, { requiredKeys: ["type"] });
const others = fc.constantFrom<JsonObject>(
  { type: "null" },
  { type: "boolean" },
  { const: true },
);
const scalar = fc.oneof(texts, numbers, others);
/** Schemas of kinds that no value shares. */
const union = fc.tuple(texts, numbers, others).chain((kinds) =>
  fc.subarray(kinds, { minLength: 2 })
)
  .chain((members) => fc.constantFrom("oneOf", "anyOf").map((union) => ({ [union]: members })));
const inner = fc.oneof(scalar, union);
const list = fc.record({
  type: fc.constant("array"),
  items: inner,
  minItems: fc.constantFrom(0, 1),
  maxItems: fc.constantFrom(1, 2),
}, { requiredKeys: ["type", "items"] });
const object = fc.record({
  type: fc.constant("object"),
  properties: fc.dictionary(fc.constantFrom("a", "b"), inner),
  required: fc.subarray(["a", "b"]),
  additionalProperties: fc.oneof(fc.boolean(), scalar),
}, { requiredKeys: ["type", "properties"] }).map(withoutImpossible);
const schema: fc.Arbitrary<JsonObject> = fc.oneof(inner, list, object);

/** Removes required members that have no schema: no value might fit. */
function withoutImpossible<S extends { properties: object; required?: string[] }>(schema: S): S {
  const required = schema.required?.filter((name) => name in schema.properties);
  return required === undefined ? schema : { ...schema, required };
}

/** Accepts the values that one side may send: with the members that are named, and no others. */
function sent(schema: JsonObject): ValidateFunction {
  return ajv.compile(mapSchema(schema, (one) => isOpen(one) ? close(one) : one));
}

/** Accepts the values that the other side takes: clients ignore unknown members. */
function taken(schema: JsonObject, side: Side): ValidateFunction {
  const open = (one: JsonObject) =>
    one["additionalProperties"] === false ? { ...one, additionalProperties: true } : one;
  return ajv.compile(side === "request" ? schema : mapSchema(schema, open));
}

function isOpen({ type, additionalProperties }: JsonObject): boolean {
  return type === "object" && typeof additionalProperties !== "object";
}

function close(schema: JsonObject): JsonObject {
  return { ...schema, additionalProperties: false };
}

interface Judged {
  readonly changes: readonly Change[];
  /** A value that may be sent and is not taken. */
  readonly misunderstood: unknown;
}

function judge(side: Side, before: JsonObject, after: JsonObject): Judged {
  const [sender, receiver] = side === "request" ? [before, after] : [after, before];
  const [sends, takes] = [sent(sender), taken(receiver, side)];
  return {
    changes: diffDocuments(documentAbout(side, before), documentAbout(side, after)),
    misunderstood: UNIVERSE.find((value) => sends(value) && !takes(value)),
  };
}

const side = fc.constantFrom<Side>("request", "answer");
const RUNS = { numRuns: 500 };

Deno.test("diffDocuments() calls a change harmless only where all that is sent is taken", () => {
  fc.assert(
    fc.property(side, schema, schema, (side, before, after) => {
      const { changes, misunderstood } = judge(side, before, after);
      const isBreaking = changes.some((change) => change.isBreaking);
      assert(isBreaking || misunderstood === undefined, JSON.stringify(misunderstood));
    }),
    RUNS,
  );
});

/** They break who counts on what is there no more, though no value is misunderstood. */
function isLoss({ detail }: Change): boolean {
  return detail === "is gone" || detail.startsWith("other members");
}

Deno.test("diffDocuments() calls a change breaking only where something sent is not taken, or gone", () => {
  fc.assert(
    fc.property(side, schema, schema, (side, before, after) => {
      const { changes, misunderstood } = judge(side, before, after);
      const breaking = changes.filter((change) => change.isBreaking && !isLoss(change));
      assert(breaking.length === 0 || misunderstood !== undefined, JSON.stringify(breaking));
    }),
    RUNS,
  );
});

Deno.test("diffDocuments() finds no change between a document and itself", () => {
  fc.assert(
    fc.property(side, schema, (side, one) => {
      const document = documentAbout(side, one);
      assertEquals(diffDocuments(document, structuredClone(document)), []);
    }),
  );
});

Deno.test("diffDocuments() tells the same of schemas that are named and of schemas that are not", () => {
  fc.assert(
    fc.property(side, schema, schema, (side, before, after) => {
      const plain = diffDocuments(documentAbout(side, before), documentAbout(side, after));
      const named = diffDocuments(
        documentAbout(side, createRef("schemas", "One"), { One: before }),
        documentAbout(side, createRef("schemas", "Two"), { Two: after }),
      );
      const told = (changes: readonly Change[]) =>
        changes.map(({ place, detail, isBreaking }) => ({
          place: place.replace(/^(?:body|200)\.?/, ""),
          detail,
          isBreaking,
        }));
      assertEquals(told(named), told(plain));
    }),
  );
});

const committed = JSON.parse(await Deno.readTextFile("spec/openapi.json"));
const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

Deno.test("diffDocuments() finds no change where every component of the API has another name", () => {
  const text = JSON.stringify(committed).replaceAll(REFERENCE, '"#/components/schemas/Other$1"');
  const renamed = JSON.parse(text);
  renamed.components.schemas = Object.fromEntries(
    Object.entries(renamed.components.schemas).map(([name, one]) => [`Other${name}`, one]),
  );
  assertEquals(diffDocuments(committed, renamed), []);
});

/** Objects of the API that name all their members. */
const objectNames = Object.entries<JsonObject>(committed.components.schemas)
  .filter(([, { type, additionalProperties }]) =>
    type === "object" && typeof additionalProperties !== "object"
  )
  .map(([name]) => name);

Deno.test("diffDocuments() finds that members which may be there break nothing, wherever they come", () => {
  fc.assert(
    fc.property(
      fc.subarray(objectNames, { minLength: 1, maxLength: 5 }),
      schema,
      (names, member) => {
        const { schemas } = committed.components;
        const grown = names.map((name) => [name, {
          ...schemas[name],
          properties: { ...schemas[name].properties, addition: member },
        }]);
        const after = {
          ...committed,
          components: {
            ...committed.components,
            schemas: { ...schemas, ...Object.fromEntries(grown) },
          },
        };
        const changes = diffDocuments(committed, after);
        assertEquals(changes.filter(({ isBreaking }) => isBreaking), []);
        assertEquals(new Set(changes.map(({ schema }) => schema)), new Set(names));
      },
    ),
    { numRuns: 20 },
  );
});
