/**
 * What is wrong with a schema as a whole.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { kindOf } from "../properties/registry.ts";
import { LIMITS } from "../values/limits.ts";
import type { PlannedProperty } from "./draft.ts";
import { TITLE_ID } from "./ids.ts";
import { syncedProperty } from "./relations.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import type { Tables } from "./tables.ts";

const PROPERTIES = "/properties";

/** A title that is missing, or there twice. */
export function titleIssues(planned: readonly PlannedProperty[]): ValidationIssue[] {
  const titles = planned.filter(({ property }) => property.type === "title");
  if (titles.length === 0) return [NO_TITLE];
  return titles.filter(({ property }) => property.id !== TITLE_ID).map(({ property, entry }) => ({
    pointer: entry?.pointer ?? PROPERTIES,
    detail:
      `A database has exactly one property of type \`title\`: \`${property.name}\` is another.`,
  }));
}

const NO_TITLE: ValidationIssue = {
  pointer: PROPERTIES,
  detail: "A database has exactly one property of type `title`, but there is none.",
};

/** A new property whose key, which is its name, cannot be a name. */
export function keyIssues(planned: readonly PlannedProperty[]): ValidationIssue[] {
  return planned.flatMap(({ property: { name }, entry }) => {
    const isName = name.length > 0 && name.length <= LIMITS.name;
    if (entry === undefined || isName) return [];
    const expected = `under a name of 1 to \`${LIMITS.name}\` characters`;
    return [bodyIssue(entry.pointer, { expected, received: name })];
  });
}

/** Names that two properties have, and a second property that numbers the rows. */
export function nameIssues(planned: readonly PlannedProperty[]): ValidationIssue[] {
  const owners = new Map<string, PlannedProperty[]>();
  for (const one of planned) {
    const { name, type } = one.property;
    for (const key of kindOf(one.property).isNumber ? [`name ${name}`, type] : [`name ${name}`]) {
      owners.set(key, [...owners.get(key) ?? [], one]);
    }
  }
  return [...owners].flatMap(([key, [first, ...others]]) => {
    // The fault belongs to what the request says, which may be the first of them.
    const told = others.find(({ entry }) => entry !== undefined) ?? first;
    if (others.length === 0 || told === undefined) return [];
    const detail = key === told.property.type
      ? `A database has at most one property of type \`${key}\`.`
      : `Two properties can't have the same name: \`${told.property.name}\`.`;
    return [{ pointer: told.entry?.pointer ?? PROPERTIES, detail }];
  });
}

/** The fault of a schema that is too large to be kept. */
export function sizeIssues(schema: Schema): ValidationIssue[] {
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  if (bytes <= LIMITS.schemaBytes) return [];
  const detail =
    `The properties of a database take at most ${LIMITS.schemaBytes} bytes, these take ${bytes}.`;
  return [{ pointer: PROPERTIES, detail }];
}

export interface RelationEnd {
  readonly relation: PropertyOf<"relation">;
  readonly isDual: boolean;
  readonly tables: Tables;
  /** Where the property stands in the request. */
  readonly pointer: string;
  /** The property before the request. */
  readonly old: Property | undefined;
}

/** The fault of a related database that is unknown, or in the trash though the request needs it. */
export function relatedIssue(
  { relation, isDual, tables, pointer, old }: RelationEnd,
): ValidationIssue | undefined {
  const { databaseId } = relation;
  const place = pointerTo(`${pointer}/relation`, "database_id");
  const left = old?.type === "relation" ? old.databaseId : databaseId;
  const wasDual = syncedProperty(relation, tables.schema(databaseId)) !== undefined;
  // A relation that stays what it was needs nobody.
  if (old?.type === "relation" && left === databaseId && isDual === wasDual) return undefined;
  if (tables.schema(databaseId) === undefined) {
    return { pointer: place, detail: `Could not find database with ID: ${databaseId}.` };
  }
  const trashed = [databaseId, left].find((id) =>
    tables.schema(id) !== undefined && !tables.isLiving(id)
  );
  if (trashed === undefined) return undefined;
  return { pointer: place, detail: `Can't relate to a database that is archived: ${trashed}.` };
}
