/**
 * Both sides of relations: a dual one is one set of links that a property of each database shows.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";
import { unusedId } from "./ids.ts";
import type { PropertyOf, RelationConfig, Schema } from "../schema/property.ts";
import type { Tables } from "./tables.ts";

type Relation = PropertyOf<"relation">;

/** The property of the related database that shows the other side; undefined of a single relation. */
export function syncedProperty(
  { syncedId, relationId }: RelationConfig,
  related: Schema | undefined,
): Relation | undefined {
  const other = related?.find(({ id }) => id === syncedId);
  return other?.type === "relation" && other.relationId === relationId ? other : undefined;
}

/** What a request makes of a relation. */
export interface Sync {
  readonly isDual: boolean;
  /** What the other side is to be called. */
  readonly name: string | undefined;
  /** The plain title of the database that the relation is a property of. */
  readonly title: string;
  newPropertyId(): string;
}

/** Adds or removes the other side, as the relation is to be dual or single; the links stay. */
export function syncRelation(relation: Relation, tables: Tables, sync: Sync): void {
  const other = syncedProperty(relation, tables.schema(relation.databaseId));
  if (!sync.isDual) {
    if (other !== undefined) tables.remove(relation.databaseId, other.id);
    tables.put(tables.id, { ...relation, syncedId: null });
  } else if (other === undefined) addOther(relation, tables, sync);
}

function addOther(relation: Relation, tables: Tables, { name, title, newPropertyId }: Sync): void {
  const schema = tables.schema(relation.databaseId) ?? [];
  const other: Relation = {
    id: unusedId(schema, newPropertyId),
    name: unusedName(schema, name ?? `Related to ${title || "Untitled"} (${relation.name})`),
    description: null,
    type: "relation",
    databaseId: tables.id,
    relationId: relation.relationId,
    side: relation.side === "from" ? "to" : "from",
    syncedId: relation.id,
  };
  tables.put(tables.id, { ...relation, syncedId: other.id });
  tables.put(relation.databaseId, other);
}

/** Takes the other side along, where a relation leads to another database from now on. */
export function dropOther(old: Relation, tables: Tables): void {
  const other = syncedProperty(old, tables.schema(old.databaseId));
  if (other !== undefined && tables.isLiving(old.databaseId)) {
    tables.remove(old.databaseId, other.id);
  }
}

/** Leaves the other side of a relation that is gone as a single relation with its links. */
export function releaseOther(old: Relation, tables: Tables): void {
  const other = syncedProperty(old, tables.schema(old.databaseId));
  if (other !== undefined && tables.isLiving(old.databaseId)) {
    tables.put(old.databaseId, { ...other, syncedId: null });
  }
}

/** Whether a property of either database still shows the links of a relation. */
export function isShown({ relationId, databaseId }: Relation, tables: Tables): boolean {
  return [tables.id, databaseId].some((id) =>
    tables.schema(id)?.some((property) =>
      property.type === "relation" && property.relationId === relationId
    )
  );
}

function unusedName(schema: Schema, wanted: string): string {
  const used = new Set(schema.map(({ name }) => name));
  for (let count = 1;; count++) {
    const suffix = count === 1 ? "" : ` ${count}`;
    // Half a surrogate pair at the cut could not be sent as UTF-8.
    const start = wanted.slice(0, LIMITS.name - suffix.length).replace(/[\uD800-\uDBFF]$/, "");
    if (!used.has(start + suffix)) return start + suffix;
  }
}
