/**
 * Keeps both sides of relations in sync. A dual relation is one set of links with a property in
 * each database.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";
import type { PropertyOf, RelationConfig, Schema } from "../schema/property.ts";
import { type PendingSchemas, unusedId } from "./pending_schemas.ts";

type Relation = PropertyOf<"relation">;

/**
 * The property of the related database that shows the other side; undefined for a single relation.
 */
export function syncedProperty(
  { syncedId, relationId }: RelationConfig,
  related: Schema | undefined,
): Relation | undefined {
  const other = related?.find(({ id }) => id === syncedId);
  return other?.type === "relation" && other.relationId === relationId ? other : undefined;
}

/** The change that a request makes to a relation. */
export interface Sync {
  readonly isDual: boolean;
  /** Name of the other side; a default name if undefined. */
  readonly name: string | undefined;
  /** Plain title of the database that has the relation. */
  readonly title: string;
  newPropertyId(): string;
}

/** Adds or removes the other side, so that the relation is dual or single; the links stay. */
export function syncRelation(relation: Relation, schemas: PendingSchemas, sync: Sync): void {
  const other = syncedProperty(relation, schemas.schema(relation.databaseId));
  if (!sync.isDual) {
    if (other !== undefined) schemas.remove(relation.databaseId, other.id);
    schemas.put(schemas.id, { ...relation, syncedId: null });
  } else if (other === undefined) addOther(relation, schemas, sync);
}

function addOther(
  relation: Relation,
  schemas: PendingSchemas,
  { name, title, newPropertyId }: Sync,
): void {
  const schema = schemas.schema(relation.databaseId) ?? [];
  const other: Relation = {
    id: unusedId(schema, newPropertyId),
    name: unusedName(schema, name ?? `Related to ${title || "Untitled"} (${relation.name})`),
    description: null,
    type: "relation",
    databaseId: schemas.id,
    relationId: relation.relationId,
    side: relation.side === "from" ? "to" : "from",
    syncedId: relation.id,
  };
  schemas.put(schemas.id, { ...relation, syncedId: other.id });
  schemas.put(relation.databaseId, other);
}

/** Removes the other side of a relation whose related database changes. */
export function dropOther(old: Relation, schemas: PendingSchemas): void {
  const other = syncedProperty(old, schemas.schema(old.databaseId));
  if (other !== undefined && schemas.isLiving(old.databaseId)) {
    schemas.remove(old.databaseId, other.id);
  }
}

/** Turns the other side of a deleted relation into a single relation, which keeps the links. */
export function releaseOther(old: Relation, schemas: PendingSchemas): void {
  const other = syncedProperty(old, schemas.schema(old.databaseId));
  if (other !== undefined && schemas.isLiving(old.databaseId)) {
    schemas.put(old.databaseId, { ...other, syncedId: null });
  }
}

/** Returns whether a property in either database still shows the links of a relation. */
export function isShown({ relationId, databaseId }: Relation, schemas: PendingSchemas): boolean {
  return [schemas.id, databaseId].some((id) =>
    schemas.schema(id)?.some((property) =>
      property.type === "relation" && property.relationId === relationId
    )
  );
}

function unusedName(schema: Schema, wanted: string): string {
  const used = new Set(schema.map(({ name }) => name));
  for (let count = 1;; count++) {
    const suffix = count === 1 ? "" : ` ${count}`;
    // The cut may split a surrogate pair, and a lone surrogate cannot be encoded as UTF-8.
    const start = wanted.slice(0, LIMITS.name - suffix.length).replace(/[\uD800-\uDBFF]$/, "");
    if (!used.has(start + suffix)) return start + suffix;
  }
}
