/**
 * What an input gives to which property of a schema.
 *
 * @module
 */
import type { OptionColor } from "../values/colors.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import { normalizeId } from "../values/ids.ts";
import type { RichTextInput } from "../values/rich_text.ts";
import { propertyFinder } from "./find.ts";
import type { PropertiesInput, PropertyInput } from "./input.ts";
import type { GivenOf } from "./registry.ts";
import { findOption, type OptionInput } from "./options.ts";
import { unique } from "./unique.ts";

/** A value for a property, of the property's own type. */
export interface GivenValue {
  readonly property: Property;
  readonly given: unknown;
}

/** Every value whose property there is and whose type is that property's. */
export function givenValues(schema: Schema, input: PropertiesInput): GivenValue[] {
  const find = propertyFinder(schema);
  return Object.entries(input).flatMap(([name, value]) => {
    const property = find(name);
    const given = property && givenOf(property, value);
    return property === undefined || given === undefined ? [] : [{ property, given }];
  });
}

/** The value under the name of the property's type; undefined where there is another type's. */
export function givenOf({ type }: Property, value: PropertyInput): unknown {
  if (isRichText(value)) return type === "title" ? value : undefined;
  return value[type];
}

/** Whether it is the short form of a title; `Array.isArray` does not narrow readonly arrays. */
export function isRichText(value: PropertyInput): value is RichTextInput {
  return Array.isArray(value);
}

/** An option that a schema is to get before a value can name it. */
export interface NewOption {
  readonly propertyId: string;
  readonly name: string;
  /** Where the client chose one. */
  readonly color: OptionColor | undefined;
}

/** The options of select and multi-select that an input without faults names anew, each once. */
export function missingOptions(schema: Schema, input: PropertiesInput): NewOption[] {
  return givenValues(schema, input).flatMap(({ property, given }) => {
    if (property.type !== "select" && property.type !== "multi_select") return [];
    const unknown = optionsIn(given).filter((option) => findOption(property, option) === undefined);
    const byName = new Map(unknown.map((option) => [option.name ?? "", option]));
    return [...byName].map(([name, { color }]) => ({ propertyId: property.id, name, color }));
  });
}

function optionsIn(given: unknown): readonly OptionInput[] {
  // Sound because only what the input schemas of both types let through comes here.
  const value = given as GivenOf<"select"> | GivenOf<"multi_select">;
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The rows that a relation is to show from here on. */
export interface GivenLinks {
  readonly property: PropertyOf<"relation">;
  readonly ids: readonly string[];
}

/** What an input says of relations, each row once. */
export function linksIn(schema: Schema, input: PropertiesInput): GivenLinks[] {
  return givenValues(schema, input).flatMap(({ property, given }) => {
    if (property.type !== "relation") return [];
    // Sound because the relation's input schema let it through.
    const ids = (given as GivenOf<"relation">).map(({ id }) => normalizeId(id));
    return [{ property, ids: unique(ids) ?? [] }];
  });
}
