/**
 * A database with many rows, and changes of all of them.
 *
 * @module
 */
import type { Property } from "../../../src/content/schema/property.ts";
import type { Change } from "../../../src/content/schema/node.ts";
import { D, database, rowNode } from "../row_samples.ts";
import { insert, trash } from "../samples.ts";

const NAME = { id: "title", name: "Name", description: null, type: "title" } as const;
const NUMBER: Property = { ...NAME, id: "n", type: "unique_id", prefix: null };
const DOC = JSON.stringify({ cover: null, icon: null, values: {} });

/** Ids of so many rows. */
export function rowIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `row ${index}`);
}

/** A database with so many rows. */
export function manyRows(count: number): Change[] {
  return insert(database(), ...rowIds(count).map((id) => rowNode(id, { doc: DOC })));
}

/** Each changes every row, once. */
export const LONG_CHANGES: Readonly<Record<"reshape" | "trash", readonly Change[]>> = {
  reshape: [{
    op: "reshape",
    databaseId: D,
    time: 0,
    before: [NAME],
    after: [NAME, NUMBER],
    isNumbered: true,
  }],
  trash: [trash(D)],
};
