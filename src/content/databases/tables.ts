/**
 * Schemas of several databases while one request changes them.
 *
 * @module
 */
import type { KnownDatabase, Related } from "../schema/database.ts";
import type { Property, Schema } from "../schema/property.ts";

/** The schemas of a database and of those that it is related to, as they are so far. */
export interface Tables {
  /** The database whose schema is edited. */
  readonly id: string;
  /** Undefined of a database that is not known. */
  schema(id: string): Schema | undefined;
  /** Whether the schema may be changed: the database is known and not in the trash. */
  isLiving(id: string): boolean;
  property(databaseId: string, propertyId: string): Property | undefined;
  /** Puts this property in the place of the one with its id, or at the end. */
  put(databaseId: string, property: Property): void;
  remove(databaseId: string, propertyId: string): void;
  /** The other databases whose schema is not what it was. */
  changed(): (readonly [KnownDatabase, Schema])[];
}

/** Tables that begin with this schema, and with the others as they are stored. */
export function createTables(id: string, schema: Schema, related: Related): Tables {
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
        const known = of === id ? undefined : related.get(of);
        return known === undefined ? [] : [[known, now] as const];
      }),
  };
}

function withProperty(schema: Schema, property: Property): Schema {
  const isKnown = schema.some(({ id }) => id === property.id);
  if (!isKnown) return [...schema, property];
  return schema.map((other) => other.id === property.id ? property : other);
}
