import fc from "fast-check";
import * as v from "valibot";
import type { PropertyType } from "../../src/content/schema/property.ts";
import {
  isListed,
  itemList,
  itemsOf,
  type ListedValue,
  propertyAnswer,
  wholeItem,
} from "../../src/content/properties/property_items.ts";
import { answerValue, type CollectedValue, type Values } from "../../src/content/properties/mod.ts";
import { toRichText } from "../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../assert.ts";
import { richText } from "./arbitraries.ts";
import {
  ANN,
  BOB,
  CONTEXT,
  propertyOf,
  ROW,
  SAMPLES,
  SCHEMA,
  valuesOf,
} from "./properties/samples.ts";

function listed(type: PropertyType, values: Values): ListedValue {
  const value = answerValue(propertyOf(type), values, CONTEXT);
  assert(isListed(value));
  return value;
}

Deno.test("text, people, relations and rollups are read item by item, other types as a whole", () => {
  const types = SCHEMA.filter((property) => isListed(answerValue(property, {}, CONTEXT)))
    .map(({ type }) => type);
  assertEquals(types, ["title", "rich_text", "people", "relation", "rollup"]);
});

Deno.test("wholeItem() returns the value in the form of its endpoint", () => {
  for (const property of SCHEMA) {
    const given = SAMPLES[property.type]?.given;
    const values = given === undefined
      ? {}
      : valuesOf({ [property.id]: { [property.type]: given } });
    const value = answerValue(property, values, CONTEXT);
    if (isListed(value)) continue;
    const item = wholeItem(value);
    assertEquals<unknown>(item, { object: "property_item", ...value });
    assertEquals<unknown>(v.parse(propertyAnswer, item), item);
  }
});

Deno.test("itemsOf() returns the items of a text in order", () => {
  fc.assert(fc.property(richText.map(toRichText), (title) => {
    const value = { id: "title", type: "title", title } as const;
    const items = itemsOf(value);
    assertEquals<unknown>(
      items,
      title.map((title) => ({ object: "property_item", id: "title", type: "title", title })),
    );
    const list = itemList(value, items, undefined);
    const answer = { ...list, request_id: "r" };
    assertEquals(v.parse(propertyAnswer, answer), answer);
  }));
});

Deno.test("itemsOf() returns users and rows one by one", () => {
  const people = listed("people", { people: [ANN, BOB] });
  assertEquals<unknown>(
    itemsOf(people),
    [ANN, BOB].map((id) => ({
      object: "property_item",
      id: "people",
      type: "people",
      people: { object: "user", id },
    })),
  );
  assertEquals<unknown>(itemsOf(listed("relation", {})), [{
    object: "property_item",
    id: "relation",
    type: "relation",
    relation: { id: ROW },
  }]);
});

const COLLECTED: readonly CollectedValue[] = [
  { type: "number", number: 1 },
  { type: "people", people: [{ object: "user", id: ANN }, { object: "user", id: BOB }] },
  { type: "title", title: [] },
];

Deno.test("itemsOf() returns the collected values of a rollup, lists item by item", () => {
  const items = [
    { object: "property_item", id: "rollup", type: "number", number: 1 },
    ...[ANN, BOB].map((id) => ({
      object: "property_item",
      id: "rollup",
      type: "people",
      people: { object: "user", id },
    })),
  ];
  const sum = listed("rollup", {});
  assertEquals<unknown>(itemsOf(sum), []);
  assertEquals<unknown>(itemsOf(sum, COLLECTED), items);
  const shown: ListedValue = {
    id: "rollup",
    type: "rollup",
    rollup: { type: "array", array: [...COLLECTED], function: "show_original" },
  };
  assertEquals<unknown>(itemsOf(shown), items);
});

Deno.test("itemList() has the URL of the next page, if there is one", () => {
  const value = listed("title", {});
  const last = itemList(value, [], undefined);
  assertEquals<unknown>(last, {
    object: "list",
    results: [],
    next_cursor: null,
    has_more: false,
    type: "property_item",
    property_item: { id: "title", type: "title", title: {}, next_url: null },
  });
  const url = "https://recto.test/next";
  assertEquals<unknown>(itemList(value, [], { cursor: "c", url }), {
    ...last,
    next_cursor: "c",
    has_more: true,
    property_item: { id: "title", type: "title", title: {}, next_url: url },
  });
});

Deno.test("itemList() includes the result of a rollup", () => {
  const value = listed("rollup", {});
  const list = itemList(value, itemsOf(value, COLLECTED), undefined);
  assertEquals<unknown>(list.property_item, {
    id: "rollup",
    type: "rollup",
    rollup: { type: "number", number: 3, function: "sum" },
    next_url: null,
  });
  const answer = { ...list, request_id: "r" };
  assertEquals(v.parse(propertyAnswer, answer), answer);
});
