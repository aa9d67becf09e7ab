/**
 * Filters, sorts and queries in the form that every evaluation shares: checked, with ids for names and
 * moments for relative dates.
 *
 * @module
 */
import type { LinkSide } from "../schema/property.ts";
import type { Cell, Test } from "../schema/cells.ts";

export type { Test } from "../schema/cells.ts";

/** What a condition looks at. */
export type Field =
  /** A property that is kept in cells. */
  | { readonly kind: "cells"; readonly propertyId: string }
  /** A member of the row itself: times as numbers, users as keys. */
  | {
    readonly kind: "row";
    readonly member: "createdTime" | "editedTime" | "createdBy" | "editedBy";
  }
  /** Living rows at the other end of a relation's links, as keys. */
  | { readonly kind: "links"; readonly relationId: string; readonly side: LinkSide }
  /** A formula or a rollup: known only once it is computed. */
  | { readonly kind: "computed"; readonly propertyId: string };

export type Filter =
  | { readonly op: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly op: "not"; readonly filter: Filter }
  | { readonly op: "test"; readonly field: Field; readonly test: Test }
  /** A rollup's items: whether any, every or none of them fulfils the filter, whose fields are the item itself. */
  | {
    readonly op: "items";
    readonly propertyId: string;
    readonly quantifier: "any" | "every" | "none";
    readonly filter: ItemFilter;
  };

/** A condition on one item of a rollup. */
export type ItemFilter =
  | { readonly op: "not"; readonly filter: ItemFilter }
  | { readonly op: "test"; readonly test: Test };

/** One step of an order: by the first cell of a field, empty ones last in either direction. */
export interface Sort {
  readonly field: Field;
  readonly descending: boolean;
  /** All values that the cell can have, in ascending order, where they are few: options, checkboxes. */
  readonly values?: readonly Pick<Cell, "number" | "key">[];
  /** Whether every value of the field has exactly one cell, so that filters on it narrow the order. */
  readonly single?: true;
}

/** What a row is sorted by, one member for each sort: number, key, or null where it is empty. */
export type SortKey = number | string | null;

/** The place of a row in the order of a query: no other row has the same. */
export interface RowCursor {
  readonly keys: readonly SortKey[];
  /** The row's id, which decides between equal keys in the direction of the last sort. */
  readonly id: string;
}

/** One page of a database's rows. */
export interface RowQuery {
  readonly databaseId: string;
  /** Rows in the trash instead of living ones. */
  readonly inTrash: boolean;
  readonly filter?: Filter;
  /** Never empty; keys compare as numbers, or by their code points. */
  readonly sorts: readonly Sort[];
  /** Only rows behind this place. */
  readonly after?: RowCursor;
  readonly limit: number;
}

/** The order of a query without sorts: newest first. */
export const NEWEST_FIRST: readonly Sort[] = [
  { field: { kind: "row", member: "createdTime" }, descending: true },
];
