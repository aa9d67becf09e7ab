/**
 * Faults of property values that their schemas accept: they break a rule of their database.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { Property, Schema } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import { propertyFinder } from "./find.ts";
import { givenOf, isTyped } from "./given.ts";
import type { PropertiesInput, PropertyInput } from "./input.ts";
import { storedIn, type Values } from "./property_kind.ts";
import { kindOf } from "./registry.ts";

export interface ValueIssuesOptions {
  /** The place of the input in the request. */
  readonly pointer: string;
  /** The values before, of a row that there is. */
  readonly values?: Values;
}

/**
 * All faults of a row's values: properties that do not exist or are given twice, values of another
 * type, computed ones, and the faults inside each value; only that if they have too many items.
 */
export function valueIssues(
  schema: Schema,
  input: PropertiesInput,
  { pointer, values = {} }: ValueIssuesOptions,
): ValidationIssue[] {
  const items = itemCount(input);
  if (items > LIMITS.rowItems) {
    const detail =
      `A request can write at most ${LIMITS.rowItems} items of texts and lists into a ` +
      `row, but this one has ${items}.`;
    return [{ pointer, detail }];
  }
  const find = propertyFinder(schema);
  const names = new Map<Property, string>();
  return Object.entries(input).flatMap(([name, value]) => {
    const here = pointerTo(pointer, name);
    const property = find(name);
    if (property === undefined) return [unknownProperty(name, here)];
    const twin = names.get(property);
    if (twin !== undefined) return [givenTwice(name, { pointer: here, twin })];
    names.set(property, name);
    const stored = storedIn(values, property);
    return issuesOf(property, { name, value, pointer: here, stored });
  });
}

/** Returns how many items the lists in these values have, under the key of their type or bare. */
function itemCount(input: PropertiesInput): number {
  return Object.values(input).reduce<number>((sum, value) => {
    const inner = Array.isArray(value) ? [value] : Object.values(value ?? {});
    return sum +
      inner.reduce<number>((count, one) => count + (Array.isArray(one) ? one.length : 0), 0);
  }, 0);
}

/** The fault of a name that no property has. */
export function unknownProperty(name: string, pointer: string): ValidationIssue {
  return { pointer, detail: `${name} is not a property that exists.` };
}

/** The fault of a value of another type than its property's. */
export function wrongType(name: string, type: string, pointer: string): ValidationIssue {
  return { pointer, detail: `${name} is expected to be ${type}.` };
}

function givenTwice(
  name: string,
  { pointer, twin }: { readonly pointer: string; readonly twin: string },
): ValidationIssue {
  return { pointer, detail: `\`${name}\` is the property \`${twin}\`, which is given already.` };
}

interface GivenAt {
  readonly name: string;
  readonly value: PropertyInput;
  readonly pointer: string;
  readonly stored: unknown;
}

function issuesOf(
  property: Property,
  { name, value, pointer, stored }: GivenAt,
): ValidationIssue[] {
  const kind = kindOf(property);
  if (kind.input === undefined) {
    return [{ pointer, detail: `\`${name}\` is computed: it cannot be written.` }];
  }
  const given = givenOf(property, value);
  if (given === undefined) return [wrongType(name, property.type, pointer)];
  const inside = isTyped(value) ? pointerTo(pointer, property.type) : pointer;
  return kind.issues?.(given, property, { pointer: inside, stored }) ?? [];
}
