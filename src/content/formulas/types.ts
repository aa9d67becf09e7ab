/**
 * The types of the formula language, known at compile time.
 *
 * @module
 */

export type FormulaType =
  | { readonly kind: "text" | "number" | "boolean" | "date" | "person" | "empty" }
  /** A page of a database; null if the database is unknown. */
  | { readonly kind: "page"; readonly databaseId: string | null }
  | { readonly kind: "list"; readonly of: FormulaType };

/** The type of a formula's result in the API. */
export type FormulaResultType = "string" | "number" | "boolean" | "date";

export const TEXT: FormulaType = { kind: "text" };
export const NUMBER: FormulaType = { kind: "number" };
export const BOOLEAN: FormulaType = { kind: "boolean" };
export const DATE: FormulaType = { kind: "date" };
export const PERSON: FormulaType = { kind: "person" };
/** The type of the missing value, which fits everywhere. */
export const EMPTY_TYPE: FormulaType = { kind: "empty" };

/** The type of a list of items of this type. */
export function listOf(of: FormulaType): FormulaType {
  return { kind: "list", of };
}

/** The type of a list's items; for any other type, the type itself. */
export function itemType(type: FormulaType): FormulaType {
  return type.kind === "list" ? type.of : type;
}

/** The type's name in messages, such as `number` or `list of text`. */
export function typeName(type: FormulaType): string {
  return type.kind === "list" ? `list of ${typeName(type.of)}` : type.kind;
}

/** The type that fits values of both types; undefined if there is none. */
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

/** The type of a result in the API: lists, people and pages become text. */
export function resultTypeOf(type: FormulaType): FormulaResultType {
  return type.kind === "number" || type.kind === "boolean" || type.kind === "date"
    ? type.kind
    : "string";
}
