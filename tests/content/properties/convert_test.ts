import type { Option, Property, PropertyType } from "../../../src/content/schema/property.ts";
import { convertValue, TAKEN_OVER } from "../../../src/content/properties/mod.ts";
import { plainText, type RichText, toRichText } from "../../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../../assert.ts";
import { ANN, propertyOf, SCHEMA, valuesOf } from "./samples.ts";

function converted(kept: unknown, from: PropertyType, to: PropertyType): unknown {
  return convertValue(kept, propertyOf(from), propertyOf(to));
}

function reading(kept: unknown, from: PropertyType): string {
  return plainText((converted(kept, from, "rich_text") ?? []) as RichText);
}

const TEXTS = ["rich_text", "url", "email", "phone_number"] as const;
const day = { start: "2024-02-29", end: null, time_zone: null };

Deno.test("types of text convert to each other without loss except of style", () => {
  const text = toRichText([{ text: { content: "a@b.test" }, annotations: { bold: true } }]);
  for (const type of TEXTS.slice(1)) {
    assertEquals(converted(text, "rich_text", type), "a@b.test");
    assertEquals(reading("a@b.test", type), "a@b.test");
    for (const other of TEXTS.slice(1)) assertEquals(converted("x", type, other), "x");
  }
  assertEquals(converted("x".repeat(201), "url", "email"), undefined);
});

Deno.test("a long text converts to rich text that a client can write back", () => {
  const text = "😀".repeat(2_500);
  const property = { ...propertyOf("url") };
  const items = convertValue(text, property, propertyOf("rich_text")) as RichText;
  assertEquals(plainText(items), text);
  assert(items.every((item) => item.plain_text.length <= 2_000 && item.plain_text.isWellFormed()));
});

Deno.test("only texts that are numbers convert to numbers", () => {
  for (const [text, number] of [["-1.50", -1.5], [" 7 ", 7], ["1e3", 1000], ["+0", 0]] as const) {
    assertEquals(converted(text, "url", "number"), number);
  }
  for (const text of ["", " ", "1,5", "0x10", "Infinity", "1e999", "7 days", "NaN", "--1"]) {
    assertEquals(converted(text, "url", "number"), undefined, text);
  }
  for (const number of [0, -1.5, 1e21, 5e-324]) {
    const text = converted(number, "number", "url");
    assertEquals(converted(text, "url", "number"), number);
  }
});

Deno.test("texts convert to options by name", () => {
  const step = "id of Done";
  assertEquals(reading(step, "status"), "Done");
  assertEquals(converted("Red", "url", "select"), "id of Red");
  assertEquals(converted("Red, Blue", "url", "multi_select"), ["id of Red", "id of Blue"]);
  assertEquals(reading(["id of Red", "id of Blue"], "multi_select"), "Red, Blue");
  assertEquals(converted("id of Red", "select", "multi_select"), ["id of Red"]);
  assertEquals(converted(["id of Blue", "id of Red"], "multi_select", "select"), "id of Blue");
  assertEquals(converted("id of Red", "select", "status"), undefined);
  assertEquals(converted("toString", "url", "select"), undefined);
});

Deno.test("options of any name convert to another type and back", () => {
  const options = [" a", "b ", "1", "true", "__proto__"].map((name): Option => ({
    id: `id of ${name}`,
    name,
    color: "red",
    description: null,
  }));
  const common = { id: "x", name: "X", description: null, options };
  const select: Property = { ...common, type: "select" };
  const several: Property = { ...common, type: "multi_select" };
  const ids = options.map(({ id }) => id);
  const text = convertValue(ids, several, propertyOf("url"));
  assertEquals(convertValue(text, propertyOf("url"), several), ids);
  for (const id of ids) {
    assertEquals(convertValue(convertValue(id, select, several), several, select), id);
  }
});

Deno.test("a value of the same type loses only deleted options", () => {
  const fewer = (type: "select" | "multi_select"): Property => {
    const property = propertyOf(type);
    assert(property.type === type);
    return { ...property, options: property.options.slice(0, 1) };
  };
  const one = (kept: unknown) => convertValue(kept, propertyOf("select"), fewer("select"));
  assertEquals([one("id of Red"), one("id of Blue")], ["id of Red", undefined]);
  const several = (kept: unknown) =>
    convertValue(kept, propertyOf("multi_select"), fewer("multi_select"));
  assertEquals(several(["id of Blue", "id of Red"]), ["id of Red"]);
  assertEquals(several(["id of Blue"]), undefined);
  const kept = ["id of Red"];
  assert(several(kept) === kept, "what stays is the very same");
});

Deno.test("dates convert to texts and back, with their end and offset", () => {
  const stored = { start: "2024-02-29T10:00", end: "2024-03-01T10:00", time_zone: "Europe/Paris" };
  const zoned = {
    start: "2024-02-29T10:00:00.000+01:00",
    end: "2024-03-01T10:00:00.000+01:00",
    time_zone: null,
  };
  assertEquals(reading(day, "date"), "2024-02-29");
  assertEquals(reading(stored, "date"), "2024-02-29T10:00 → 2024-03-01T10:00[Europe/Paris]");
  assertEquals(converted(converted(stored, "date", "url"), "url", "date"), zoned);
  for (const date of [day, zoned, { ...day, end: "2024-03-01" }]) {
    assertEquals(converted(converted(date, "date", "url"), "url", "date"), date);
  }
  // Only short texts meet the pattern, whose time grows with the square of their length.
  const long = `${" ".repeat(200)}2024-02-29`;
  for (const text of ["2023-02-29", "today", "2024-02-29T25:00", "", long]) {
    assertEquals(converted(text, "url", "date"), undefined);
  }
});

Deno.test("checkboxes convert to numbers and words", () => {
  assertEquals(converted(true, "checkbox", "number"), 1);
  assertEquals([0, 1, -2].map((n) => converted(n, "number", "checkbox")), [undefined, true, true]);
  assertEquals(reading(true, "checkbox"), "true");
  const words = ["true", "Yes", "1", "false", "no", "0", "maybe"];
  assertEquals(words.map((word) => converted(word, "url", "checkbox") === true), [
    ...[true, true, true],
    ...[false, false, false, false],
  ]);
});

Deno.test("unique ids convert to numbers, or to texts with their prefix", () => {
  assertEquals(converted(7, "unique_id", "number"), 7);
  assertEquals(reading(7, "unique_id"), "T-7");
});

Deno.test("TAKEN_OVER lists exactly the types that take over values", () => {
  const numbers = ["number", "checkbox"];
  const readable = [
    ...["rich_text", "number", "select", "multi_select", "status", "date", "checkbox"],
    ...["url", "email", "phone_number"],
  ];
  for (const { type } of SCHEMA) {
    const takers = [...TAKEN_OVER.get(type) ?? []].sort();
    const isRead = readable.includes(type) || type === "unique_id";
    assertEquals(takers, isRead ? readable.filter((to) => to !== type).sort() : [], type);
  }
  assert(numbers.every((type) => readable.includes(type)));
});

Deno.test("empty values, and values of types that cannot be converted, convert to nothing", () => {
  const external = { url: "https://a.test" };
  const values = valuesOf({
    people: { people: [{ id: ANN }] },
    files: { files: [{ name: "a", external }] },
    verification: { verification: { state: "verified" } },
    rich_text: { rich_text: [{ text: { content: "Red" } }] },
  });
  for (const from of SCHEMA) {
    for (const to of SCHEMA.filter(({ type }) => type !== from.type)) {
      assertEquals(convertValue(undefined, from, to), undefined);
      if (TAKEN_OVER.get(from.type)?.includes(to.type)) continue;
      assertEquals(convertValue(values[from.id], from, to), undefined, `${from.type} → ${to.type}`);
    }
  }
});
