import fc from "fast-check";
import * as v from "valibot";
import { propertyItemList, titleItemList, titleItems } from "../../src/content/property_items.ts";
import { toRichText } from "../../src/content/rich_text.ts";
import { assertEquals } from "../assert.ts";
import { richText } from "./arbitraries.ts";

Deno.test("titleItems() gives one item for each of the title, in order", () => {
  fc.assert(fc.property(richText.map(toRichText), (title) => {
    const items = titleItems(title);
    assertEquals(items.map((item) => item.title), title);
    const list = titleItemList(items, undefined);
    assertEquals(v.parse(propertyItemList, list), list);
  }));
});

Deno.test("titleItemList() says where the next page is, or that there is none", () => {
  const last = titleItemList([], undefined);
  assertEquals(last, {
    object: "list",
    results: [],
    next_cursor: null,
    has_more: false,
    type: "property_item",
    property_item: { id: "title", type: "title", title: {}, next_url: null },
  });
  const url = "https://recto.test/next";
  assertEquals(titleItemList([], { cursor: "c", url }), {
    ...last,
    next_cursor: "c",
    has_more: true,
    property_item: { id: "title", type: "title", title: {}, next_url: url },
  });
});
