/**
 * A schema with every type of property, and of each type values that are good, empty and bad.
 *
 * @module
 */
import * as v from "valibot";
import type { ValidationIssue } from "../../../src/shared/errors.ts";
import type {
  Option,
  Property,
  PropertyType,
  Schema,
} from "../../../src/content/schema/property.ts";
import {
  answerProperties,
  newValues,
  type PropertiesInput,
  propertiesInput,
  type RowContext,
  valueIssues,
  type Values,
} from "../../../src/content/properties/mod.ts";

export const ANN = "00000000-0000-4000-8000-0000000000a1";
export const BOB = "00000000-0000-4000-8000-0000000000b2";
export const ROW = "00000000-0000-4000-8000-0000000000c3";
export const NOW = Date.UTC(2024, 5, 1, 12);

function option(name: string): Option {
  return { id: `id of ${name}`, name, color: "blue", description: null };
}

const OPTIONS = ["Red", "Green", "Blue"].map(option);
const STEPS = ["Later", "Doing", "Done"].map(option);
const GROUPS = [
  { id: "g1", name: "To-do", color: "gray", option_ids: ["id of Later"] },
  { id: "g2", name: "In progress", color: "blue", option_ids: ["id of Doing"] },
  { id: "g3", name: "Complete", color: "green", option_ids: ["id of Done"] },
] as const;

const RELATED = "00000000-0000-4000-8000-0000000000d4";

/** The members of a property beside its id, name and description. */
const CONFIGS: readonly ({ readonly type: PropertyType } & Readonly<Record<string, unknown>>)[] = [
  { type: "title" },
  { type: "rich_text" },
  { type: "number", format: "number" },
  { type: "select", options: OPTIONS },
  { type: "multi_select", options: OPTIONS },
  { type: "status", options: STEPS, groups: GROUPS },
  { type: "date" },
  { type: "people" },
  { type: "files" },
  { type: "checkbox" },
  { type: "url" },
  { type: "email" },
  { type: "phone_number" },
  { type: "relation", databaseId: RELATED, relationId: RELATED, side: "from", syncedId: null },
  { type: "formula", expression: "1" },
  { type: "rollup", relationPropertyId: "relation", rollupPropertyId: "n", function: "sum" },
  { type: "unique_id", prefix: "T" },
  { type: "created_time" },
  { type: "created_by" },
  { type: "last_edited_time" },
  { type: "last_edited_by" },
  { type: "button" },
  { type: "place" },
  { type: "verification" },
];

/** One property of each type: its id is its type, its name says so too. */
// Sound because each configuration above is that of its type.
export const SCHEMA = CONFIGS.map((config) => ({
  id: config.type,
  name: nameOf(config.type),
  description: null,
  ...config,
})) as Schema;

export function nameOf(type: PropertyType): string {
  return `The ${type}`;
}

export function propertyOf(type: PropertyType): Property {
  const property = SCHEMA.find((one) => one.type === type);
  if (property === undefined) throw new Error(`No sample of ${type}`);
  return property;
}

export const CONTEXT: RowContext = {
  node: {
    createdTime: Date.UTC(2024, 0, 1),
    createdBy: ANN,
    editedTime: Date.UTC(2024, 0, 2, 3, 4, 5, 6),
    editedBy: BOB,
  },
  links: () => [ROW],
  computed: ({ id }) =>
    id === "formula"
      ? { type: "string", string: "computed" }
      : { type: "number", number: 3, function: "sum" },
  now: NOW,
};

/** The input as its schema reads it. */
export function read(input: unknown): PropertiesInput {
  return v.parse(propertiesInput, input);
}

export function issuesOf(input: unknown, values: Values = {}): ValidationIssue[] {
  return valueIssues(SCHEMA, read(input), { pointer: "/properties", values });
}

/** The values that an input without faults makes. */
export function valuesOf(input: unknown): Values {
  return newValues(SCHEMA, read(input), { by: ANN });
}

/** The answered value of the type's property. */
export function answerOf(type: PropertyType, values: Values): unknown {
  const answer = answerProperties([propertyOf(type)], values, CONTEXT)[nameOf(type)];
  // Sound because every value is under the name of its type.
  return (answer as Readonly<Record<string, unknown>> | undefined)?.[type];
}

interface Sample {
  /** A value as a client writes it. */
  readonly given: unknown;
  /** The same as it is answered. */
  readonly read: unknown;
  /** The value that clears it, and the reply to that. */
  readonly clear: unknown;
  readonly empty: unknown;
  /** Values that the input schema refuses. */
  readonly refused: readonly unknown[];
  /** Values with a fault that the schema cannot say, and where below the value it is. */
  readonly faulty: readonly (readonly [given: unknown, pointer: string])[];
}

const PLAIN = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
};
const TEXT = {
  given: [{ text: { content: "Plans" } }],
  read: [{
    type: "text",
    text: { content: "Plans", link: null },
    annotations: PLAIN,
    plain_text: "Plans",
    href: null,
  }],
  clear: [],
  empty: [],
  refused: [null, "Plans", [{ text: {} }], Array(101).fill({ text: { content: "" } })],
  faulty: [[[{ mention: { date: { start: "2023-02-29" } } }], "/0/mention/date/start"]],
} as const satisfies Sample;

function short(given: string, maxLength: number): Sample {
  const refused = ["", 1, "x".repeat(maxLength + 1), [given]];
  return { given, read: given, clear: null, empty: null, refused, faulty: [] };
}

const RED = { id: "id of Red", name: "Red", color: "blue" };
const BLUE = { id: "id of Blue", name: "Blue", color: "blue" };
const DONE = { id: "id of Done", name: "Done", color: "blue" };
const external = { url: "https://a.test/plan.pdf" };

/** Samples of every type that clients write. */
export const SAMPLES: Readonly<Partial<Record<PropertyType, Sample>>> = {
  title: TEXT,
  rich_text: TEXT,
  number: {
    given: -1.5,
    read: -1.5,
    clear: null,
    empty: null,
    refused: ["1", [1], { number: 1 }],
    faulty: [],
  },
  select: {
    given: { name: "Red" },
    read: RED,
    clear: null,
    empty: null,
    refused: ["Red", {}, { name: "" }, { name: "x".repeat(101) }, { name: "Red", x: 1 }, [RED]],
    faulty: [[{ name: "a, b" }, "/name"], [{ id: "unknown" }, "/id"]],
  },
  multi_select: {
    given: [{ id: "id of Blue" }, { name: "Red" }, { name: "Blue" }],
    read: [BLUE, RED],
    clear: [],
    empty: [],
    refused: [null, RED, ["Red"], Array(101).fill({ name: "Red" })],
    faulty: [[[RED, { name: "a,b" }], "/1/name"], [[{ id: "unknown" }], "/0/id"]],
  },
  status: {
    given: { name: "Done" },
    read: DONE,
    clear: null,
    empty: null,
    refused: ["Done", {}, { name: "" }],
    faulty: [[{ name: "Red" }, "/name"], [{ id: "unknown" }, "/id"]],
  },
  date: {
    given: { start: "2024-02-29" },
    read: { start: "2024-02-29", end: null, time_zone: null },
    clear: null,
    empty: null,
    refused: ["2024-02-29", {}, { start: "tomorrow" }, { start: "2024-02-29", x: 1 }],
    faulty: [
      [{ start: "2023-02-29" }, "/start"],
      [{ start: "2024-02-29", end: "2024-02-28" }, "/end"],
      [{ start: "2024-02-29T10:00", time_zone: "Mars/Base" }, "/time_zone"],
    ],
  },
  people: {
    given: [{ id: BOB.toUpperCase() }, { object: "user", id: ANN, type: "person", name: "Ann" }, {
      id: BOB.replaceAll("-", ""),
    }],
    read: [{ object: "user", id: BOB }, { object: "user", id: ANN }],
    clear: [],
    empty: [],
    refused: [null, [BOB], [{}], [{ id: "bob" }], Array(101).fill({ id: BOB })],
    faulty: [],
  },
  files: {
    given: [{ name: "Plan", external }],
    read: [{ name: "Plan", type: "external", external }],
    clear: [],
    empty: [],
    refused: [
      null,
      [{ external }],
      [{ name: "x" }],
      [{ name: "x".repeat(901), external }],
      [{ name: "a", file: { url: "https://a.test", expiry_time: "2024-01-01" } }],
    ],
    faulty: [],
  },
  checkbox: {
    given: true,
    read: true,
    clear: false,
    empty: false,
    refused: [null, 1, "true"],
    faulty: [],
  },
  url: short("https://a.test", 2000),
  email: short("ann@a.test", 200),
  phone_number: short("+1 (555) 0100", 200),
  relation: {
    given: [{ id: ROW.toUpperCase() }],
    // What a row's links are is said by the context, not by the input.
    read: [{ id: ROW }],
    clear: [],
    empty: [{ id: ROW }],
    refused: [null, [ROW], [{ id: "row" }], [{ id: ROW, x: 1 }], Array(101).fill({ id: ROW })],
    faulty: [],
  },
  place: {
    given: { lat: 48.2, lon: -16.4, name: "Here" },
    read: {
      lat: 48.2,
      lon: -16.4,
      name: "Here",
      address: null,
      aws_place_id: null,
      google_place_id: null,
    },
    clear: null,
    empty: null,
    refused: ["Vienna", {}, { lat: 48.2 }, { lat: 91, lon: 0 }, { lat: 0, lon: 181 }],
    faulty: [],
  },
  verification: {
    given: { state: "verified", date: { start: "2024-05-01", end: "2024-07-01" } },
    read: {
      state: "verified",
      verified_by: { object: "user", id: ANN },
      date: { start: "2024-05-01", end: "2024-07-01", time_zone: null },
    },
    clear: { state: "unverified" },
    empty: { state: "unverified", verified_by: null, date: null },
    refused: ["verified", {}, { state: "maybe" }],
    faulty: [[{ state: "verified", date: { start: "2023-02-29" } }, "/date/start"]],
  },
};
