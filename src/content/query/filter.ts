/**
 * Filters, sorts and queries in the form that is evaluated, in memory and by every store:
 * validated, with ids instead of names and timestamps instead of relative dates.
 *
 * @module
 */
import type { LinkSide } from "../schema/property.ts";
import type { Cell, Test } from "../schema/cells.ts";

export type { Test } from "../schema/cells.ts";

/** The field that a condition reads. */
export type Field =
  /** A property whose values are stored in cells. */
  | { readonly kind: "cells"; readonly propertyId: string }
  /** A member of the row itself: times as numbers, users as keys. */
  | {
    readonly kind: "row";
    readonly member: "createdTime" | "editedTime" | "createdBy" | "editedBy";
  }
  /** Rows at the other end of a relation's links, as keys; of those in the trash only if it is set. */
  | {
    readonly kind: "links";
    readonly relationId: string;
    readonly side: LinkSide;
    readonly withTrash?: true;
  }
  /** A formula or rollup, which has to be computed first. */
  | { readonly kind: "computed"; readonly propertyId: string };

/** The rows at the other end of a relation. */
export type LinksField = Extract<Field, { readonly kind: "links" }>;

/** A field that has keys: IDs of options, users or rows, or texts. */
export type KeyField =
  | Extract<Field, { readonly kind: "cells" | "links" }>
  | { readonly kind: "row"; readonly member: "createdBy" | "editedBy" };

export type Filter =
  | { readonly op: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly op: "not"; readonly filter: Filter }
  | { readonly op: "test"; readonly field: Field; readonly test: Test }
  /** A condition that any, every or none of a rollup's items matches the filter. */
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

/** One sort: by the first cell of a field. Empty values come last in either direction. */
export interface Sort {
  readonly field: Field;
  readonly descending: boolean;
  /** All possible values of the cell in ascending order, if they are few: options, checkboxes. */
  readonly values?: readonly Pick<Cell, "number" | "key">[];
  /**
   * Set if every value of the field has exactly one cell, so that a filter on it narrows the sort.
   */
  readonly single?: true;
  /**
   * Set if the field is the name of the user, or of the row, that this field has as its first key.
   */
  readonly nameOf?: KeyField;
}

/** The value by which one sort orders a row: a number, a key, or null if it is empty. */
export type SortKey = number | string | null;

/** The unique position of a row in the order of a query. */
export interface RowCursor {
  readonly keys: readonly SortKey[];
  /** The row's id; it orders rows with equal keys, in the direction of the last sort. */
  readonly id: string;
}

/** Selects one page of a database's rows. */
export interface RowQuery {
  readonly databaseId: string;
  /** Selects rows in the trash instead of the others. */
  readonly inTrash: boolean;
  readonly filter?: Filter;
  /** Never empty. Keys compare as numbers or by code points. */
  readonly sorts: readonly Sort[];
  /** Selects only rows with these keys of the first sorts; `after` has them, too. */
  readonly fixed?: readonly SortKey[];
  /** Selects only rows after this position. */
  readonly after?: RowCursor;
  readonly limit: number;
}

/** The order of a query without sorts: newest first. */
export const NEWEST_FIRST: readonly Sort[] = [
  { field: { kind: "row", member: "createdTime" }, descending: true },
];
