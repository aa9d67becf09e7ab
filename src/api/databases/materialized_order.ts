/**
 * Reads the materialized values of formulas in place of computing them.
 *
 * @module
 */
import { materializedId } from "../../content/databases/materialized_formulas.ts";
import { fieldsIn } from "../../content/query/fields.ts";
import type { Field, Filter, Sort } from "../../content/query/filter.ts";
import type { DatabaseDoc } from "../../content/schema/database.ts";

/** The parsed filter and sort criteria. */
export interface Order {
  readonly filter: Filter | undefined;
  readonly sorts: readonly Sort[];
}

/** The order, in which formulas whose values are all materialized are read from cells. */
export function withMaterialized(order: Order, doc: DatabaseDoc, release: string): Order {
  const ids = new Set(
    doc.materialized?.filter((one) => one.state === "complete" && one.release === release)
      .map(({ propertyId }) => propertyId),
  );
  if (!computedIn(order).some((id) => ids.has(id))) return order;
  const { filter, sorts } = order;
  const read = (field: Field): Field =>
    isMaterialized(field, ids)
      ? { kind: "cells", propertyId: materializedId(field.propertyId) }
      : field;
  return {
    filter: filter && withFields(filter, read),
    sorts: sorts.map((sort) =>
      isMaterialized(sort.field, ids) ? { ...sort, field: read(sort.field), single: true } : sort
    ),
  };
}

type Computed = Extract<Field, { readonly kind: "computed" }>;

function isMaterialized(field: Field, ids: ReadonlySet<string>): field is Computed {
  return field.kind === "computed" && ids.has(field.propertyId);
}

function withFields(filter: Filter, read: (field: Field) => Field): Filter {
  switch (filter.op) {
    case "and":
    case "or":
      return { ...filter, filters: filter.filters.map((one) => withFields(one, read)) };
    case "not":
      return { ...filter, filter: withFields(filter.filter, read) };
    case "test":
      // Cells of formulas have no texts, only the keys that they are sorted by.
      return filter.test.is === "text" ? filter : { ...filter, field: read(filter.field) };
    case "items":
      return filter;
  }
}

/** The properties that are computed to filter or sort. */
export function computedIn({ filter, sorts }: Order): string[] {
  const fields = [...sorts.map(({ field }) => field), ...(filter ? fieldsIn(filter) : [])];
  const ids = fields.flatMap((field) => field.kind === "computed" ? [field.propertyId] : []);
  return [...new Set(ids)];
}
