/**
 * A property read on its own: as a whole, or item by item.
 *
 * @module
 */
import * as v from "valibot";
import { byType, component, componentOfEach } from "../../shared/component.ts";
import type { PropertyType } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import type { PropertyKind } from "./property_kind.ts";
import {
  type CollectedValue,
  type ItemOf,
  kindOf,
  propertyKinds,
  type ReadOf,
} from "./registry.ts";
import type { PropertyValue, PropertyValueOf } from "./read.ts";

/** Types that are read item by item; the items of a rollup are of other types. */
type ListedType = { [T in PropertyType]: [ItemOf<T>] extends [never] ? never : T }[PropertyType];

/** The value of a property, or one item of a value that is read item by item. */
export type PropertyItem = {
  readonly [T in Exclude<PropertyType, "rollup">]:
    & { readonly object: "property_item"; readonly id: string; readonly type: T }
    & { readonly [Key in T]: T extends ListedType ? ItemOf<T> : ReadOf<T> };
}[Exclude<PropertyType, "rollup">];

const requestId = v.exactOptional(
  v.pipe(v.string(), v.description("ID of the request. Absent from the items of a list.")),
);

/** The schema of an item of each type. */
export const itemMembers = propertyKinds.filter(([type]) => type !== "rollup")
  .map(([type, kind]) => itemMember(type, kind));

function itemMember(type: PropertyType, { item, output }: PropertyKind) {
  return v.object({
    object: v.literal("property_item"),
    id: v.string(),
    type: v.literal(type),
    [type]: item ?? output,
    request_id: requestId,
  });
}

/** The value of a property; of one that is read item by item, one item. */
export const propertyItem = v.variant("type", itemMembers);
componentOfEach(
  byType(itemMembers),
  "*PropertyItem",
  (type) => `One item of a value of type \`${type}\`.`,
);
component(
  propertyItem,
  "PropertyItem",
  "One item of a property value, in the field that `type` names.",
);

const nextUrl = v.pipe(
  v.nullable(v.string()),
  v.description("URL of the next page of the list. Null on the last page."),
);

/** The schema of what stands beside the items of each type. */
export const listedMembers = propertyKinds.filter(([, { item }]) => item !== undefined)
  .map(([type, kind]) => listedMember(type, kind));

function listedMember(type: PropertyType, { output }: PropertyKind) {
  const value = type === "rollup" ? output : v.object({});
  return v.object({ id: v.string(), type: v.literal(type), [type]: value, next_url: nextUrl });
}

/** A page of items, and which property they are of. */
export const propertyItemList = v.object({
  object: v.literal("list"),
  results: v.pipe(v.array(propertyItem), v.maxLength(LIMITS.pageSize)),
  next_cursor: v.nullable(v.string()),
  has_more: v.boolean(),
  type: v.literal("property_item"),
  property_item: v.variant("type", listedMembers),
  request_id: requestId,
});
component(propertyItemList, "PropertyItemList", "One page of the items of a property value.");
export type PropertyItemList = Omit<v.InferOutput<typeof propertyItemList>, "request_id">;

/** A property as its own address answers it. */
export const propertyAnswer = v.pipe(
  v.variant("object", [propertyItemList, propertyItem]),
  v.description("The value of a property: one item, or one page of a list of its items."),
);

/** The place of the next page; there is none at the end. */
export interface NextItems {
  readonly cursor: string;
  readonly url: string;
}

/** A value that is read item by item. */
export type ListedValue = { readonly [T in ListedType]: PropertyValueOf<T> }[ListedType];

/** Returns whether a value is read item by item. */
export function isListed(value: PropertyValue): value is ListedValue {
  return kindOf(value).item !== undefined;
}

/** A value that is read as a whole. */
export function wholeItem(value: Exclude<PropertyValue, ListedValue>): PropertyItem {
  return { object: "property_item", ...value };
}

/**
 * The items of a value. Those of a rollup are the values that it rolls up, lists among them item by
 * item; where they are not given, those that it shows.
 */
export function itemsOf(
  value: ListedValue,
  collected: readonly CollectedValue[] = collectedIn(value),
): PropertyItem[] {
  if (value.type !== "rollup") return ownItems(value.id, value);
  return collected.flatMap((one) => ownItems(value.id, one));
}

function collectedIn(value: ListedValue): readonly CollectedValue[] {
  return value.type === "rollup" && value.rollup.type === "array" ? value.rollup.array : [];
}

function ownItems(id: string, value: CollectedValue): PropertyItem[] {
  const { type } = value;
  const read = valueIn(value);
  // Sound because a type with items is read as a list of them.
  const items = kindOf(value).item === undefined ? [read] : read as readonly unknown[];
  // Sound because the value under its type's name is of this type.
  return items.map((item) => ({ object: "property_item", id, type, [type]: item }) as PropertyItem);
}

/** The envelope around one page of a value's items. */
export function itemList(
  value: ListedValue,
  results: PropertyItem[],
  next: NextItems | undefined,
): PropertyItemList {
  const { id, type } = value;
  const shown = type === "rollup" ? value.rollup : {};
  return {
    object: "list",
    results,
    next_cursor: next?.cursor ?? null,
    has_more: next !== undefined,
    type: "property_item",
    property_item: { id, type, [type]: shown, next_url: next?.url ?? null },
  };
}

function valueIn(value: CollectedValue): unknown {
  // Sound because every value is under the name of its type.
  return (value as Readonly<Record<string, unknown>>)[value.type];
}
