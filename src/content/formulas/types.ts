/**
 * The types of the formula language: what every expression has before it is ever evaluated.
 *
 * @module
 */

export type FormulaType =
  | { readonly kind: "text" | "number" | "boolean" | "date" | "person" | "empty" }
  /** A page of a database; null where it is not known of which. */
  | { readonly kind: "page"; readonly databaseId: string | null }
  | { readonly kind: "list"; readonly of: FormulaType };

/** What a formula's value is on the wire. */
export type FormulaResultType = "string" | "number" | "boolean" | "date";

export const TEXT: FormulaType = { kind: "text" };
export const NUMBER: FormulaType = { kind: "number" };
export const BOOLEAN: FormulaType = { kind: "boolean" };
export const DATE: FormulaType = { kind: "date" };
export const PERSON: FormulaType = { kind: "person" };
/** The type of a missing value, which fits everywhere. */
export const EMPTY_TYPE: FormulaType = { kind: "empty" };

/** The type of a list of such items. */
export function listOf(of: FormulaType): FormulaType {
  return { kind: "list", of };
}

/** The type of a list's items; of anything else the type itself. */
export function itemType(type: FormulaType): FormulaType {
  return type.kind === "list" ? type.of : type;
}

/** The type's name in messages: `number`, `list of text`. */
export function typeName(type: FormulaType): string {
  return type.kind === "list" ? `list of ${typeName(type.of)}` : type.kind;
}

/** The type that values of both have; undefined where there is none. */
export function commonType(a: FormulaType, b: FormulaType): FormulaType | undefined {
  if (a.kind === "empty") return b;
  if (b.kind === "empty") return a;
  if (a.kind === "list" && b.kind === "list") {
    const of = commonType(a.of, b.of);
    return of === undefined ? undefined : listOf(of);
  }
  if (a.kind === "page" && b.kind === "page") {
    return { kind: "page", databaseId: a.databaseId === b.databaseId ? a.databaseId : null };
  }
  return a.kind === b.kind ? a : undefined;
}

/** What a value of this type is on the wire: lists, people and pages read as text. */
export function resultTypeOf(type: FormulaType): FormulaResultType {
  return type.kind === "number" || type.kind === "boolean" || type.kind === "date"
    ? type.kind
    : "string";
}
