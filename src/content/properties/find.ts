/**
 * Properties by name or id.
 *
 * @module
 */
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { lazy } from "../../shared/lazy.ts";
import type { Property, Schema } from "../schema/property.ts";
import type { Properties, PropertyValue } from "./read.ts";

interface Identified {
  readonly id: string;
}

/** Returns the item with this name or ID; undefined if there is none. */
export type Finder<Found> = (nameOrId: string) => Found | undefined;

/**
 * Finds the properties of a schema by name or id, percent-encoded or not. A spelling as it stands
 * goes before a decoded one, an id before a name, and the same characters before equal ones.
 */
export function propertyFinder(schema: Schema): Finder<Property> {
  const cached = finders.get(schema);
  if (cached !== undefined) return cached;
  const find = finderIn(schema.map((property) => [property.name, property]));
  finders.set(schema, find);
  return find;
}

// One schema serves many requests.
const finders = new WeakMap<Schema, Finder<Property>>();

/** The property of a schema with this name or id, percent-encoded or not. */
export function findProperty(schema: Schema, nameOrId: string): Property | undefined {
  return propertyFinder(schema)(nameOrId);
}

/** The answered value of the property with this name or id, percent-encoded or not. */
export function findValue(properties: Properties, nameOrId: string): PropertyValue | undefined {
  return finderIn(Object.entries(properties))(nameOrId);
}

/**
 * The properties of a schema that are named, in the schema's order.
 *
 * @throws {AppError} `validation_error` with every name that the schema has no property of.
 */
export function onlyNamed(schema: Schema, names: readonly string[]): Schema {
  const found = new Set(findAll(propertyFinder(schema), names));
  return schema.filter((property) => found.has(property));
}

/**
 * The answered values that are named.
 *
 * @throws {AppError} `validation_error` with every name that there is no property of.
 */
export function findValues(properties: Properties, names: readonly string[]): PropertyValue[] {
  return findAll(finderIn(Object.entries(properties)), names);
}

function findAll<Found>(find: Finder<Found>, names: readonly string[]): Found[] {
  const found = names.map(find);
  const issues = names.flatMap((name, index) =>
    found[index] === undefined ? [unknownProperty(name, index)] : []
  );
  if (issues.length > 0) throw validationError(issues);
  return found.filter((one) => one !== undefined);
}

function finderIn<Found extends Identified>(
  entries: readonly (readonly [name: string, found: Found])[],
): Finder<Found> {
  const byId = new Map(entries.map(([, found]) => [found.id, found]));
  const byName = new Map(entries);
  const spelt: Finder<Found> = (name) => byId.get(name) ?? byName.get(name);
  // An accent is a character of its own in names of files on macOS, for example.
  const composed = lazy(() => new Map(entries.map(([name, found]) => [name.normalize(), found])));
  return (nameOrId) => {
    const name = decoded(nameOrId);
    return spelt(nameOrId) ?? spelt(name) ?? composed().get(name.normalize());
  };
}

function unknownProperty(name: string, index: number): ValidationIssue {
  const detail = `Could not find property with name or id: ${name}`;
  return { pointer: `/filter_properties/${index}`, detail };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone `%` is a name as it stands.
    return text;
  }
}
