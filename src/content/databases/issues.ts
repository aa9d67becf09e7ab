/**
 * Validates a schema as a whole.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { kindOf } from "../properties/registry.ts";
import { LIMITS } from "../values/limits.ts";
import type { PlannedProperty } from "./draft_schema.ts";
import { syncedProperty } from "./relations.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import { type PendingSchemas, TITLE_ID } from "./pending_schemas.ts";

const PROPERTIES = "/properties";

/** Issues of a missing or second title. */
export function titleIssues(planned: readonly PlannedProperty[]): ValidationIssue[] {
  const titles = planned.filter(({ property }) => property.type === "title");
  if (titles.length === 0) return [NO_TITLE];
  return titles.filter(({ property }) => property.id !== TITLE_ID).map(({ property, entry }) => ({
    pointer: entry?.pointer ?? PROPERTIES,
    detail:
      `A database must have exactly one property of type \`title\`: \`${property.name}\` is a second one.`,
  }));
}

const NO_TITLE: ValidationIssue = {
  pointer: PROPERTIES,
  detail: "A database must have exactly one property of type `title`, but there is none.",
};

/** Issues of properties whose name, which defaults to their key, is empty or too long. */
export function keyIssues(planned: readonly PlannedProperty[]): ValidationIssue[] {
  return planned.flatMap(({ property: { name }, entry }) => {
    const isName = name.length > 0 && name.length <= LIMITS.name;
    if (entry === undefined || isName) return [];
    const expected = `under a name of 1 to \`${LIMITS.name}\` characters`;
    return [bodyIssue(entry.pointer, { expected, received: name })];
  });
}

/** Issues of names that are used twice, and of a second property that numbers the rows. */
export function nameIssues(planned: readonly PlannedProperty[]): ValidationIssue[] {
  const owners = new Map<string, PlannedProperty[]>();
  for (const one of planned) {
    const { name, type } = one.property;
    for (const key of kindOf(one.property).isNumber ? [`name ${name}`, type] : [`name ${name}`]) {
      owners.set(key, [...owners.get(key) ?? [], one]);
    }
  }
  return [...owners].flatMap(([key, [first, ...others]]) => {
    // The pointer must lead to a property in the request, which may be the first of them.
    const culprit = others.find(({ entry }) => entry !== undefined) ?? first;
    if (others.length === 0 || culprit === undefined) return [];
    const detail = key === culprit.property.type
      ? `A database can have at most one property of type \`${key}\`.`
      : `Two properties can't have the same name: \`${culprit.property.name}\`.`;
    return [{ pointer: culprit.entry?.pointer ?? PROPERTIES, detail }];
  });
}

/** The issue of a schema that is too large to be stored. */
export function sizeIssues(schema: Schema): ValidationIssue[] {
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  if (bytes <= LIMITS.schemaBytes) return [];
  const detail =
    `The properties of a database can take at most ${LIMITS.schemaBytes} bytes, but these take ${bytes}.`;
  return [{ pointer: PROPERTIES, detail }];
}

export interface RelationEnd {
  readonly relation: PropertyOf<"relation">;
  readonly isDual: boolean;
  readonly schemas: PendingSchemas;
  /** JSON pointer to the property in the request. */
  readonly pointer: string;
  /** The property before the request. */
  readonly old: Property | undefined;
}

/** The issue of a related database that is unknown, or that must be changed but is in the trash. */
export function relatedIssue(
  { relation, isDual, schemas, pointer, old }: RelationEnd,
): ValidationIssue | undefined {
  const { databaseId } = relation;
  const at = pointerTo(`${pointer}/relation`, "database_id");
  const left = old?.type === "relation" ? old.databaseId : databaseId;
  const wasDual = syncedProperty(relation, schemas.schema(databaseId)) !== undefined;
  // A relation that does not change needs no other database.
  if (old?.type === "relation" && left === databaseId && isDual === wasDual) return undefined;
  if (schemas.schema(databaseId) === undefined) {
    return { pointer: at, detail: `Could not find database with ID: ${databaseId}.` };
  }
  const trashed = [databaseId, left].find((id) =>
    schemas.schema(id) !== undefined && !schemas.isLiving(id)
  );
  if (trashed === undefined) return undefined;
  return { pointer: at, detail: `Can't relate to a database that is archived: ${trashed}.` };
}
