/**
 * Matches the values of an input to the properties of a schema.
 *
 * @module
 */
import * as v from "valibot";
import type { OptionColor } from "../values/colors.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import { normalizeId } from "../values/ids.ts";
import { propertyFinder } from "./find.ts";
import { hasBareForm, type PropertiesInput, type PropertyInput, type TypedInput } from "./input.ts";
import { type GivenOf, kindOf, PROPERTY_KINDS } from "./registry.ts";
import { newOption } from "./shared/option_lists.ts";
import { findOption } from "./shared/options.ts";
import { unique } from "./shared/unique.ts";

/** A value for a property, of the type of that property. */
export interface GivenValue {
  readonly property: Property;
  readonly given: unknown;
}

/** Returns every value whose property exists and has the type of the value. */
export function givenValues(schema: Schema, input: PropertiesInput): GivenValue[] {
  const find = propertyFinder(schema);
  return Object.entries(input).flatMap(([name, value]) => {
    const property = find(name);
    const given = property && givenOf(property, value);
    return property === undefined || given === undefined ? [] : [{ property, given }];
  });
}

/** Returns the value for the property, typed or bare; undefined if it is of another type. */
export function givenOf(property: Property, value: PropertyInput): unknown {
  if (isTyped(value)) return value[property.type];
  return hasBareForm(property.type) ? bareValue(kindOf(property).input, value) : undefined;
}

/** Returns whether a value is under the name of a type. */
export function isTyped(value: PropertyInput): value is TypedInput {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const isType = (key: unknown) => typeof key === "string" && Object.hasOwn(PROPERTY_KINDS, key);
  return Object.keys(value).some(isType) || "type" in value && isType(value.type);
}

/** A bare value that fits the type; null stands for an empty list, too. */
function bareValue(input: v.GenericSchema | undefined, value: PropertyInput): unknown {
  if (input === undefined) return undefined;
  if (v.is(input, value)) return value;
  return value === null && v.is(input, []) ? [] : undefined;
}

/** An option that is added to a schema before a value can name it. */
export interface NewOption {
  readonly propertyId: string;
  readonly name: string;
  /** Undefined if the client chose none. */
  readonly color: OptionColor | undefined;
}

/** Returns the options that a valid input names and the schema lacks, each once. */
export function missingOptions(schema: Schema, input: PropertiesInput): NewOption[] {
  return givenValues(schema, input).flatMap(({ property, given }) => {
    if (!("options" in property)) return [];
    const options = kindOf(property).namedOptions?.(given) ?? [];
    const unknown = options.filter((option) => findOption(property, option) === undefined);
    const byName = new Map(unknown.map((option) => [option.name ?? "", option]));
    return [...byName].map(([name, { color }]) => ({ propertyId: property.id, name, color }));
  });
}

/**
 * The schema with the options that rows were the first to name, each added once at the end of its
 * property's list. It may have become too large: see `sizeIssues`.
 */
export function addOptions(
  schema: Schema,
  missing: readonly NewOption[],
  newId: () => string,
): Schema {
  const byProperty = Map.groupBy(missing, ({ propertyId }) => propertyId);
  return schema.map((property) => withOptions(property, byProperty.get(property.id) ?? [], newId));
}

function withOptions(
  property: Property,
  missing: readonly NewOption[],
  newId: () => string,
): Property {
  if (missing.length === 0 || !("options" in property)) return property;
  const names = new Set(property.options.map(({ name }) => name));
  const options = [...property.options];
  for (const { name, color = "default" } of missing) {
    if (names.has(name)) continue;
    names.add(name);
    options.push(newOption({ name, color }, newId()));
  }
  return { ...property, options };
}

/** The rows that a relation shows from now on. */
export interface GivenLinks {
  readonly property: PropertyOf<"relation">;
  readonly ids: readonly string[];
}

/** Returns the links that an input gives to relations, each row once. */
export function linksIn(schema: Schema, input: PropertiesInput): GivenLinks[] {
  return givenValues(schema, input).flatMap(({ property, given }) => {
    if (property.type !== "relation") return [];
    // Sound because the relation's input schema let it through.
    const ids = (given as GivenOf<"relation">).map(({ id }) => normalizeId(id));
    return [{ property, ids: unique(ids) ?? [] }];
  });
}
