/**
 * Filters of a search in the form that is evaluated: validated, and with IDs in one spelling.
 *
 * @module
 */
import { matches } from "../content/query/evaluate.ts";
import type { Field, Filter } from "../content/query/filter.ts";
import { EMPTY, numberCell } from "../content/schema/cells.ts";

/** The facts about a page or database that a filter reads. */
export interface FilteredPage {
  readonly id: string;
  readonly kind: "page" | "database";
  readonly parentId: string | null;
  readonly createdTime: number;
  readonly createdBy: string;
  readonly editedTime: number;
  readonly editedBy: string;
  isBelow(id: string): boolean;
}

export type SearchFilter<Row = unknown> =
  | { readonly op: "and" | "or"; readonly filters: readonly SearchFilter<Row>[] }
  | { readonly op: "not"; readonly filter: SearchFilter<Row> }
  | { readonly op: "object"; readonly kind: "page" | "database" }
  | { readonly op: "parent" | "ancestor"; readonly id: string }
  | { readonly op: "user"; readonly member: "createdBy" | "editedBy"; readonly id: string }
  /** A condition on a time of the page. */
  | { readonly op: "time"; readonly filter: Filter }
  /** The rows of a database that match; all of them without a condition. */
  | { readonly op: "rows"; readonly databaseId: string; readonly condition?: Row };

/** The pages and databases that an index searches; by default the whole workspace. */
export interface SearchScope {
  readonly kind?: "page" | "database";
  readonly parentId?: string;
  readonly ancestorId?: string;
}

/** Which of the pages match the condition on rows; undefined if that is not known yet. */
export type RowMatches<Row> = (condition: Row, id: string) => boolean | undefined;

/**
 * Returns whether a page matches; undefined if that depends on conditions on rows that are not
 * known.
 */
export function matchesPage<Row>(
  filter: SearchFilter<Row>,
  page: FilteredPage,
  rows: RowMatches<Row>,
): boolean | undefined {
  const results = (filters: readonly SearchFilter<Row>[]) =>
    filters.map((part) => matchesPage(part, page, rows));
  switch (filter.op) {
    case "and":
      return allOf(results(filter.filters));
    case "or":
      return inverse(allOf(results(filter.filters).map(inverse)));
    case "not":
      return inverse(matchesPage(filter.filter, page, rows));
    case "object":
      return page.kind === filter.kind;
    case "parent":
      return page.parentId === filter.id;
    case "ancestor":
      return page.isBelow(filter.id);
    case "user":
      return page[filter.member] === filter.id;
    case "time":
      return matches(filter.filter, timesOf(page));
    case "rows": {
      if (page.parentId !== filter.databaseId || page.kind !== "page") return false;
      return filter.condition === undefined || rows(filter.condition, page.id);
    }
  }
}

function allOf(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

function inverse(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result;
}

/** A page as a row that has nothing but its times. */
function timesOf(page: FilteredPage): Parameters<typeof matches>[1] {
  const cells = (field: Field) =>
    field.kind === "row" && (field.member === "createdTime" || field.member === "editedTime")
      ? [numberCell(page[field.member])]
      : [EMPTY];
  return { id: page.id, cells, items: () => [] };
}

/** A filter as an index takes it: what the scope does not say is left to be evaluated. */
export interface ScopedFilter<Row> {
  readonly scope: SearchScope;
  readonly residual?: SearchFilter<Row>;
}

/** Splits a filter into the scope that all its matches are in, and the rest. */
export function splitScope<Row>(filter: SearchFilter<Row> | undefined): ScopedFilter<Row> {
  let scope: SearchScope = {};
  const residual = filter === undefined ? [] : conjuncts(filter).filter((part) => {
    const narrower = narrowed(scope, part);
    scope = narrower ?? scope;
    return narrower === undefined || part.op === "rows" && part.condition !== undefined;
  });
  return { scope, ...(residual.length > 0 && { residual: { op: "and", filters: residual } }) };
}

/** The conditions that must all hold. */
export function conjuncts<Row>(filter: SearchFilter<Row>): readonly SearchFilter<Row>[] {
  return filter.op === "and" ? filter.filters.flatMap(conjuncts) : [filter];
}

/** Returns the scope with the condition; undefined if it cannot take it. */
function narrowed<Row>(scope: SearchScope, filter: SearchFilter<Row>): SearchScope | undefined {
  if (filter.op === "object") return withKind(scope, filter.kind);
  if (filter.op === "ancestor" && scope.ancestorId === undefined) {
    return { ...scope, ancestorId: filter.id };
  }
  if (scope.parentId !== undefined) return undefined;
  if (filter.op === "parent") return { ...scope, parentId: filter.id };
  const pages = filter.op === "rows" ? withKind(scope, "page") : undefined;
  return pages && filter.op === "rows" ? { ...pages, parentId: filter.databaseId } : undefined;
}

function withKind(scope: SearchScope, kind: "page" | "database"): SearchScope | undefined {
  return scope.kind === undefined || scope.kind === kind ? { ...scope, kind } : undefined;
}
