/**
 * A property read on its own, item by item.
 *
 * @module
 */
import * as v from "valibot";
import { type RichText, richTextItem } from "./rich_text.ts";

/** One item of a property: of the title one item of rich text. */
export const propertyItem = v.variant("type", [
  v.object({
    object: v.literal("property_item"),
    id: v.string(),
    type: v.literal("title"),
    title: richTextItem,
  }),
]);
export type PropertyItem = v.InferOutput<typeof propertyItem>;

/** A page of items, and which property they are of. */
export const propertyItemList = v.object({
  object: v.literal("list"),
  results: v.array(propertyItem),
  next_cursor: v.nullable(v.string()),
  has_more: v.boolean(),
  type: v.literal("property_item"),
  property_item: v.variant("type", [
    v.object({
      id: v.string(),
      type: v.literal("title"),
      title: v.object({}),
      next_url: v.pipe(
        v.nullable(v.string()),
        v.description("Address of the next page; null at the end."),
      ),
    }),
  ]),
});
export type PropertyItemList = v.InferOutput<typeof propertyItemList>;

/** Where the next page is; there is none at the end. */
export interface NextItems {
  readonly cursor: string;
  readonly url: string;
}

/** The title's items, one for each item of rich text. */
export function titleItems(richText: RichText): PropertyItem[] {
  return richText.map((title) => ({ object: "property_item", id: "title", type: "title", title }));
}

/** The envelope around one page of a title's items. */
export function titleItemList(
  results: PropertyItem[],
  next: NextItems | undefined,
): PropertyItemList {
  return {
    object: "list",
    results,
    next_cursor: next?.cursor ?? null,
    has_more: next !== undefined,
    type: "property_item",
    property_item: { id: "title", type: "title", title: {}, next_url: next?.url ?? null },
  };
}
