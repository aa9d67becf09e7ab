/**
 * The schemas of several databases while one request changes them.
 *
 * @module
 */
import type { Related, StoredDatabase } from "../schema/database.ts";
import type { Property, Schema } from "../schema/property.ts";

/** The pending schemas of a database and of the databases related to it. */
export interface PendingSchemas {
  /** The database whose schema is edited. */
  readonly id: string;
  /** Undefined if the database is unknown. */
  schema(id: string): Schema | undefined;
  /** Returns whether the schema can be changed: the database is known and not in the trash. */
  isLiving(id: string): boolean;
  property(databaseId: string, propertyId: string): Property | undefined;
  /** Replaces the property with the same id, or appends the property. */
  put(databaseId: string, property: Property): void;
  remove(databaseId: string, propertyId: string): void;
  /** The other databases whose schema has changed. */
  changed(): (readonly [StoredDatabase, Schema])[];
}

/** Starts from this schema, and from the stored schemas of the other databases. */
export function createPendingSchemas(id: string, schema: Schema, related: Related): PendingSchemas {
  const edited = new Map<string, Schema>([[id, schema]]);
  const schemaOf = (of: string): Schema | undefined =>
    edited.get(of) ?? related.get(of)?.doc.properties;
  return {
    id,
    schema: schemaOf,
    isLiving: (of) => of === id || related.get(of)?.node.trashRoot === null,
    property: (of, propertyId) => schemaOf(of)?.find((property) => property.id === propertyId),
    put(of, property) {
      edited.set(of, withProperty(schemaOf(of) ?? [], property));
    },
    remove(of, propertyId) {
      edited.set(of, (schemaOf(of) ?? []).filter((property) => property.id !== propertyId));
    },
    changed: () =>
      [...edited].flatMap(([of, now]) => {
        const other = of === id ? undefined : related.get(of);
        return other === undefined ? [] : [[other, now] as const];
      }),
  };
}

function withProperty(schema: Schema, property: Property): Schema {
  const exists = schema.some(({ id }) => id === property.id);
  if (!exists) return [...schema, property];
  return schema.map((other) => other.id === property.id ? property : other);
}

/** The id of every title property. */
export const TITLE_ID = "title";

/** A new id that no property of the schema has. */
export function unusedId(schema: Schema, newPropertyId: () => string): string {
  for (;;) {
    const id = newPropertyId();
    if (id !== TITLE_ID && schema.every((property) => property.id !== id)) return id;
  }
}
