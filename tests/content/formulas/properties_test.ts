import type { Property } from "../../../src/content/schema/property.ts";
import { propertyKinds } from "../../../src/content/properties/registry.ts";
import { NUMBER_FORMATS } from "../../../src/content/properties/types/number.ts";
import { NUMBER_STYLES } from "../../../src/content/formulas/number_format.ts";
import {
  type AnsweredValue,
  rollupType,
  schemaBindings,
  typeOfProperty,
  valueOfProperty,
} from "../../../src/content/formulas/properties.ts";
import {
  BOOLEAN,
  commonType,
  DATE,
  type FormulaType,
  listOf,
  NUMBER,
  PERSON,
  TEXT,
} from "../../../src/content/formulas/types.ts";
import { type FormulaValue, isList } from "../../../src/content/formulas/values.ts";
import { assert, assertEquals } from "../../assert.ts";

const reading = {
  timeZone: "America/New_York",
  user: (id: string) => id === "u1" ? { name: "Ada", email: "ada@example.com" } : undefined,
  title: (id: string) => `Page ${id}`,
};

const annotations = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
} as const;
const text = (content: string) => ({
  type: "text" as const,
  text: { content, link: null },
  annotations,
  plain_text: content,
  href: null,
});
const option = { id: "o1", name: "High", color: "red" } as const;
const user = { object: "user", id: "u1" } as const;
const person = { kind: "person", id: "u1", name: "Ada", email: "ada@example.com" };
const stranger = { kind: "person", id: "u2", name: null, email: null };
const file = {
  name: "a.pdf",
  type: "external",
  external: { url: "https://example.com/a.pdf" },
} as const;

function moment(start: number, end: number | null = null, hasTime = true): FormulaValue {
  return { kind: "date", start, end, hasTime };
}

const VALUES: readonly (readonly [AnsweredValue, unknown])[] = [
  [{ type: "title", title: [text("A "), text("title")] }, "A title"],
  [{ type: "rich_text", rich_text: [] }, ""],
  [{ type: "number", number: 5 }, 5],
  [{ type: "number", number: null }, null],
  [{ type: "select", select: option }, "High"],
  [{ type: "select", select: null }, null],
  [{ type: "status", status: option }, "High"],
  [{ type: "multi_select", multi_select: [option, { ...option, name: "Low" }] }, ["High", "Low"]],
  [{ type: "checkbox", checkbox: false }, false],
  [{ type: "url", url: "https://example.com" }, "https://example.com"],
  [{ type: "email", email: null }, null],
  [{ type: "phone_number", phone_number: "1" }, "1"],
  [{ type: "people", people: [user, { object: "user", id: "u2" }] }, [person, stranger]],
  [{ type: "created_by", created_by: user }, person],
  [{ type: "last_edited_by", last_edited_by: user }, person],
  [
    { type: "created_time", created_time: "2023-01-01T00:00:00.000Z" },
    moment(Date.UTC(2023, 0, 1)),
  ],
  [
    { type: "last_edited_time", last_edited_time: "2023-01-01T00:00:00.001Z" },
    moment(Date.UTC(2023, 0, 1) + 1),
  ],
  [{ type: "relation", relation: [{ id: "p1" }] }, [{ kind: "page", id: "p1", title: "Page p1" }]],
  [{ type: "files", files: [file] }, ["a.pdf"]],
  [{ type: "unique_id", unique_id: { number: 12, prefix: "TASK" } }, "TASK-12"],
  [{ type: "unique_id", unique_id: { number: 12, prefix: null } }, "12"],
  [{ type: "place", place: null }, null],
  [
    {
      type: "place",
      place: {
        lat: 1,
        lon: 2,
        name: null,
        address: "Elm Street",
        aws_place_id: null,
        google_place_id: null,
      },
    },
    "Elm Street",
  ],
  [
    { type: "verification", verification: { state: "unverified", verified_by: null, date: null } },
    "unverified",
  ],
  [{ type: "button", button: {} }, null],
  [{ type: "date", date: null }, null],
  [
    { type: "date", date: { start: "2023-07-01", end: "2023-07-02", time_zone: null } },
    moment(Date.UTC(2023, 6, 1, 4), Date.UTC(2023, 6, 2, 4), false),
  ],
  [
    { type: "date", date: { start: "2023-07-01T10:00:00+02:00", end: null, time_zone: null } },
    moment(Date.UTC(2023, 6, 1, 8)),
  ],
  [
    { type: "date", date: { start: "2023-07-01T10:00:00", end: null, time_zone: "Europe/Berlin" } },
    moment(Date.UTC(2023, 6, 1, 8)),
  ],
  [{ type: "formula", formula: { type: "string", string: "a" } }, "a"],
  [{ type: "formula", formula: { type: "number", number: null } }, null],
  [{ type: "formula", formula: { type: "boolean", boolean: true } }, true],
  [
    {
      type: "formula",
      formula: {
        type: "date",
        date: { start: "2023-07-01T00:00:00Z", end: null, time_zone: null },
      },
    },
    moment(Date.UTC(2023, 6, 1)),
  ],
  [{ type: "rollup", rollup: { type: "number", number: 3, function: "sum" } }, 3],
  [{ type: "rollup", rollup: { type: "date", date: null, function: "latest_date" } }, null],
  [
    {
      type: "rollup",
      rollup: {
        type: "array",
        array: [{ type: "multi_select", multi_select: [option] }, {
          type: "multi_select",
          multi_select: [option],
        }],
        function: "show_original",
      },
    },
    ["High", "High"],
  ],
];

Deno.test("valueOfProperty() converts values of every type", () => {
  for (const [answered, value] of VALUES) {
    assertEquals(valueOfProperty(answered, reading), value, answered.type);
  }
  const read = new Set(VALUES.map(([{ type }]) => type));
  for (const [type] of propertyKinds) assert(read.has(type), type);
});

const named = { id: "abc", name: "A property", description: null };

const TYPES: readonly (readonly [Property, FormulaType | undefined])[] = [
  [{ ...named, type: "title" }, TEXT],
  [{ ...named, type: "rich_text" }, TEXT],
  [{ ...named, type: "number", format: "number" }, NUMBER],
  [{ ...named, type: "select", options: [] }, TEXT],
  [{ ...named, type: "multi_select", options: [] }, listOf(TEXT)],
  [{ ...named, type: "status", options: [], groups: [] }, TEXT],
  [{ ...named, type: "date" }, DATE],
  [{ ...named, type: "people" }, listOf(PERSON)],
  [{ ...named, type: "files" }, listOf(TEXT)],
  [{ ...named, type: "checkbox" }, BOOLEAN],
  [{ ...named, type: "url" }, TEXT],
  [{ ...named, type: "email" }, TEXT],
  [{ ...named, type: "phone_number" }, TEXT],
  [{ ...named, type: "created_time" }, DATE],
  [{ ...named, type: "created_by" }, PERSON],
  [{ ...named, type: "last_edited_time" }, DATE],
  [{ ...named, type: "last_edited_by" }, PERSON],
  [{ ...named, type: "unique_id", prefix: null }, TEXT],
  [{ ...named, type: "place" }, TEXT],
  [{ ...named, type: "verification" }, TEXT],
  [{ ...named, type: "button" }, undefined],
  [
    {
      ...named,
      type: "relation",
      databaseId: "d1",
      relationId: "r1",
      side: "from",
      syncedId: null,
    },
    listOf({ kind: "page", databaseId: "d1" }),
  ],
  [{ ...named, type: "formula", expression: "1" }, NUMBER],
];

function typeOfValue(value: FormulaValue): FormulaType {
  if (value === null) return { kind: "empty" };
  if (typeof value === "string") return TEXT;
  if (typeof value === "number") return NUMBER;
  if (typeof value === "boolean") return BOOLEAN;
  if (isList(value)) return listOf(typeOfValue(value[0] ?? null));
  return value.kind === "page" ? { kind: "page", databaseId: null } : { kind: value.kind };
}

Deno.test("typeOfProperty() returns the formula type of every property type", () => {
  for (const [property, type] of TYPES) {
    assertEquals(typeOfProperty(property, () => NUMBER), type, property.type);
    if (property.type === "formula") continue;
    for (const [answered] of VALUES.filter(([{ type }]) => type === property.type)) {
      const read = typeOfValue(valueOfProperty(answered, reading));
      assert(commonType(read, type ?? { kind: "empty" }) !== undefined, property.type);
    }
  }
});

Deno.test("rollupType() depends on the function and flattens lists of lists", () => {
  assertEquals(rollupType("sum", NUMBER), NUMBER);
  assertEquals(rollupType("latest_date", DATE), DATE);
  assertEquals(rollupType("show_original", TEXT), listOf(TEXT));
  assertEquals(rollupType("show_unique", listOf(PERSON)), listOf(PERSON));
  assertEquals(rollupType("nope", TEXT), undefined);
});

Deno.test("schemaBindings() finds by name, then id, for clients, and by id in stored expressions", () => {
  const schema: Property[] = [
    { ...named, id: "title", name: "Name", type: "title" },
    { ...named, id: "abc", name: "title", type: "number", format: "number" },
    { ...named, id: "b1", name: "Go", type: "button" },
  ];
  const typeOf = (property: Property) => typeOfProperty(property, () => undefined);
  const written = schemaBindings(schema, { by: "name", typeOf });
  const kept = schemaBindings(schema, { by: "id", typeOf });
  assertEquals(written.property("title"), { id: "abc", type: NUMBER });
  assertEquals(kept.property("title"), { id: "title", type: TEXT });
  assertEquals(written.property("abc"), { id: "abc", type: NUMBER });
  assertEquals(kept.property("Name"), undefined);
  assertEquals(written.property("Go"), { id: "b1", type: undefined });
  assertEquals(written.property("constructor"), undefined);
  assertEquals(written.names, ["Name", "title", "Go"]);
});

Deno.test("formatNumber() supports every format of number properties", () => {
  for (const format of NUMBER_FORMATS) assertEquals(NUMBER_STYLES.find(format), format);
});
