/**
 * The meaning of schema changes to clients that send it, and to clients that read it.
 *
 * @module
 */
import { assertEquals } from "../../assert.ts";
import { changesOf } from "./support.ts";

interface Rule {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The changes reported where clients send it, and where they read it. */
  readonly request: readonly string[];
  readonly answer: readonly string[];
}

const text = { type: "string" };
const number = { type: "number" };
const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const tagged = (type: string) => object({ type: { const: type } }, { required: ["type"] });

const RULES: readonly Rule[] = [
  {
    name: "a new member is taken, and read past",
    before: object({}),
    after: object({ a: text }),
    request: ["a: is new"],
    answer: ["a: is new"],
  },
  {
    name: "a new member that is needed breaks who does not send it",
    before: object({}),
    after: object({ a: text }, { required: ["a"] }),
    request: ["! a: is new and must be there"],
    answer: ["a: is new"],
  },
  {
    name: "a member that is gone breaks who sends it and who reads it",
    before: object({ a: text }),
    after: object({}),
    request: ["! a: is gone"],
    answer: ["! a: is gone"],
  },
  {
    name: "a member that becomes required breaks who left it out",
    before: object({ a: text }),
    after: object({ a: text }, { required: ["a"] }),
    request: ["! a: must be there"],
    answer: ["a: must be there"],
  },
  {
    name: "a member that becomes optional breaks who counted on it",
    before: object({ a: text }, { required: ["a"] }),
    after: object({ a: text }),
    request: ["a: may be absent"],
    answer: ["! a: may be absent"],
  },
  {
    name: "a bound that comes closer breaks senders",
    before: { type: "string", maxLength: 9 },
    after: { type: "string", maxLength: 5 },
    request: ["! maxLength: 9 → 5"],
    answer: ["maxLength: 9 → 5"],
  },
  {
    name: "a bound that moves away breaks readers",
    before: { type: "integer", minimum: 1 },
    after: { type: "integer", minimum: 0 },
    request: ["minimum: 1 → 0"],
    answer: ["! minimum: 1 → 0"],
  },
  {
    name: "a bound that is new breaks senders, one that is gone readers",
    before: { type: "array", items: text, minItems: 1 },
    after: { type: "array", items: text, maxItems: 5 },
    request: ["minItems: 1 → none", "! maxItems: none → 5"],
    answer: ["! minItems: 1 → none", "maxItems: none → 5"],
  },
  {
    name: "a bound that says nothing is none",
    before: { type: "string" },
    after: { type: "string", minLength: 0 },
    request: [],
    answer: [],
  },
  {
    name: "another pattern may allow anything",
    before: { type: "string", pattern: "^a" },
    after: { type: "string", pattern: "^b" },
    request: ['! pattern: "^a" → "^b"'],
    answer: ['! pattern: "^a" → "^b"'],
  },
  {
    name: "a keyword that is not known may mean anything",
    before: { type: "string" },
    after: { type: "string", contentEncoding: "base64" },
    request: ['! contentEncoding: none → "base64"'],
    answer: ['! contentEncoding: none → "base64"'],
  },
  {
    name: "a listed value that goes breaks senders, one that comes readers",
    before: { enum: ["a", "b"] },
    after: { enum: ["b", "c"] },
    request: ['! no longer "a"', 'also "c"'],
    answer: ['no longer "a"', '! also "c"'],
  },
  {
    name: "listed values where any text was break senders",
    before: text,
    after: { enum: ["a"] },
    request: ['! only "a"'],
    answer: ['only "a"'],
  },
  {
    name: "any text where values were listed breaks readers",
    before: { enum: ["a"] },
    after: text,
    request: ['not only "a"'],
    answer: ['! not only "a"'],
  },
  {
    name: "listed values that a bound refuses are gone",
    before: { enum: ["a", "abc"] },
    after: { type: "string", maxLength: 2 },
    request: ['! no longer "abc"', 'not only "a", "abc"'],
    answer: ['no longer "abc"', '! not only "a", "abc"'],
  },
  {
    name: "listed values that a pattern allows remain",
    before: { enum: ["ab", "b"] },
    after: { type: "string", pattern: "^a" },
    request: ['! no longer "b"', 'not only "ab", "b"'],
    answer: ['no longer "b"', '! not only "ab", "b"'],
  },
  {
    name: "another type breaks both",
    before: text,
    after: { type: "boolean" },
    request: ["! a string → false, true"],
    answer: ["! a string → false, true"],
  },
  {
    name: "an integer is a number",
    before: { type: "integer" },
    after: number,
    request: ["integer: true → none"],
    answer: ["! integer: true → none"],
  },
  {
    name: "null beside a type breaks readers",
    before: text,
    after: { type: ["string", "null"] },
    request: ["also null"],
    answer: ["! also null"],
  },
  {
    name: "null that is no longer taken breaks senders",
    before: { anyOf: [text, { type: "null" }] },
    after: text,
    request: ["! no longer null"],
    answer: ["no longer null"],
  },
  {
    name: "any value where a text was breaks readers",
    before: text,
    after: {},
    request: ["a string → any value"],
    answer: ["! a string → any value"],
  },
  {
    name: "a member of a union that goes breaks senders, one that comes readers",
    before: { oneOf: [tagged("a"), tagged("b")] },
    after: { oneOf: [tagged("b"), tagged("c")] },
    request: ['! no longer an object of type "a"', 'also an object of type "c"'],
    answer: ['no longer an object of type "a"', '! also an object of type "c"'],
  },
  {
    name: "members of a union are told apart by what they need, and compared one by one",
    before: {
      oneOf: [object({ a: text }, { required: ["a"] }), object({ b: text }, { required: ["b"] })],
    },
    after: {
      oneOf: [object({ b: number }, { required: ["b"] }), object({ a: text }, { required: ["a"] })],
    },
    request: ["! [b].b: a string → a number"],
    answer: ["! [b].b: a string → a number"],
  },
  {
    name: "a member of a union that another one stands for is not missed",
    before: { anyOf: [object({ a: { const: 1 } }), object({ a: { const: 2 } })] },
    after: { anyOf: [object({ a: { type: "integer" } })] },
    request: [
      "no longer an object of a 1",
      "no longer an object of a 2",
      "also an object of a",
    ],
    answer: [
      "no longer an object of a 1",
      "no longer an object of a 2",
      "! also an object of a",
    ],
  },
  {
    name: "objects that are closed refuse what they took, and readers read past what is new",
    before: object({}, { additionalProperties: true }),
    after: object({}),
    request: ["! other members: any → none"],
    answer: ["other members: any → none"],
  },
  {
    name: "a map that becomes an object of anything breaks readers",
    before: object({}, { additionalProperties: text }),
    after: object({}, { additionalProperties: {} }),
    request: ["other members: some → any"],
    answer: ["! other members: some → any"],
  },
  {
    name: "the values of a map are compared",
    before: object({}, { additionalProperties: text }),
    after: object({}, { additionalProperties: number }),
    request: ["! *: a string → a number"],
    answer: ["! *: a string → a number"],
  },
  {
    name: "a name that a map had among others means what it meant",
    before: object({}, { additionalProperties: text }),
    after: object({ a: number }, { additionalProperties: text }),
    request: ["a: is new", "! a: a string → a number"],
    answer: ["a: is new", "! a: a string → a number"],
  },
  {
    name: "names that a map refuses break senders",
    before: object({}, { additionalProperties: text }),
    after: object({}, { additionalProperties: text, propertyNames: { maxLength: 3 } }),
    request: ["! (names): maxLength: none → 3"],
    answer: ["(names): maxLength: none → 3"],
  },
  {
    name: "a difference is told where it is",
    before: object({ a: { type: "array", items: object({ b: text }) } }),
    after: object({ a: { type: "array", items: object({ b: { type: "string", maxLength: 1 } }) } }),
    request: ["! a[].b: maxLength: none → 1"],
    answer: ["a[].b: maxLength: none → 1"],
  },
  {
    name: "words about a value are no difference",
    before: { type: "string", description: "One.", examples: ["a"], "x-note": 1 },
    after: { type: "string", title: "Other", discriminator: { propertyName: "type" } },
    request: [],
    answer: [],
  },
  {
    name: "one way to write a value is as good as another",
    before: { oneOf: [{ const: "a" }, { const: "b" }, { type: "null" }] },
    after: { type: ["string", "null"], enum: ["b", "a", null] },
    request: [],
    answer: [],
  },
];

for (const { name, before, after, request, answer } of RULES) {
  Deno.test(`diffDocuments() knows that ${name}`, () => {
    assertEquals(changesOf("request", before, after), request);
    assertEquals(changesOf("answer", before, after), answer);
  });
}
