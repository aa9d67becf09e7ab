/**
 * Matches the parts of a request with the properties of a schema.
 *
 * @module
 */
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { LIMITS } from "../values/limits.ts";
import type { PropertyInput, PropertyUpdateInputs } from "./input.ts";
import type { Property, PropertyType, Schema } from "../schema/property.ts";
import { propertyKinds } from "../properties/registry.ts";

/** One part of a request: a property, and what the request changes. */
export interface Entry {
  readonly key: string;
  readonly pointer: string;
  /** Null deletes the property. */
  readonly input: PropertyInput | null;
  /** The type whose configuration the request contains. */
  readonly type: PropertyType | undefined;
  /** The property before the request; undefined if it is new. */
  readonly current: Property | undefined;
}

/**
 * The valid entries of a request in order; the others are added to `issues`.
 *
 * @throws {AppError} `validation_error` if there are too many entries.
 */
export function matchEntries(
  schema: Schema,
  inputs: PropertyUpdateInputs,
  issues: ValidationIssue[],
): Entry[] {
  const changes = Object.entries(inputs);
  if (changes.length > LIMITS.properties) {
    const detail =
      `A request can write at most ${LIMITS.properties} properties, but this one has ${changes.length}.`;
    throw validationError([{ pointer: "/properties", detail }]);
  }
  const entries = changes.map(([key, input]): Entry => ({
    key,
    input,
    pointer: pointerTo("/properties", key),
    type: input === null ? undefined : typeIn(input),
    current: currentOf(schema, key, input),
  }));
  const seen = new Set<Property>();
  return entries.filter((entry) => {
    const issue = entryIssue(entry, seen);
    if (issue !== undefined) issues.push(issue);
    if (entry.current !== undefined) seen.add(entry.current);
    return issue === undefined;
  });
}

/** The property with this id, or otherwise with this name. */
export function exactProperty(schema: Schema, nameOrId: string): Property | undefined {
  return schema.find(({ id }) => id === nameOrId) ?? schema.find(({ name }) => name === nameOrId);
}

function typeIn(input: PropertyInput): PropertyType | undefined {
  return propertyKinds.find(([type]) => input[type] !== undefined)?.[0];
}

function currentOf(
  schema: Schema,
  key: string,
  input: PropertyInput | null,
): Property | undefined {
  // The name of one property may be the id of another, for example `title`.
  const meant = schema.find(({ id, name }) => id === input?.id && (id === key || name === key));
  return meant ?? exactProperty(schema, key);
}

function entryIssue(entry: Entry, seen: ReadonlySet<Property>): ValidationIssue | undefined {
  const { key, pointer, type, current } = entry;
  if (current === undefined) {
    if (type !== undefined) return undefined;
    return { pointer, detail: `${key} is not a property that exists.` };
  }
  if (!seen.has(current)) return titleIssue(entry);
  const expected = `not present, because another member changes the property ${current.id} too`;
  return bodyIssue(pointer, { expected, received: key });
}

function titleIssue({ pointer, input, type, current }: Entry): ValidationIssue | undefined {
  if (current?.type !== "title") return undefined;
  if (input === null) {
    return { pointer, detail: `Can't remove the title property \`${current.name}\`.` };
  }
  if (type === undefined || type === "title") return undefined;
  return {
    pointer: pointerTo(pointer, type),
    detail: `Can't change the type of the title property \`${current.name}\`.`,
  };
}
