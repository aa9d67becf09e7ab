/**
 * Regular expressions as trees, which patterns of paths are made of.
 *
 * @module
 */
import { type CharacterSet, NO_CHARACTER } from "./characters.ts";

export type Expression =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "choice"; readonly items: readonly Expression[] }
  /** Any number of times. */
  | { readonly kind: "loop"; readonly item: Expression };

export const EMPTY: Expression = { kind: "sequence", items: [] };

export function sequence(...items: readonly Expression[]): Expression {
  return { kind: "sequence", items };
}

export function choice(...items: readonly Expression[]): Expression {
  return { kind: "choice", items };
}

/** Returns an expression repeated between `least` and `most` times. */
export function repeated(item: Expression, least: number, most: number): Expression {
  const needed = Array.from({ length: least }, () => item);
  if (most === Infinity) return sequence(...needed, { kind: "loop", item });
  // Nested, so that the end is decided once: a(a(a)?)?
  let rest: Expression = EMPTY;
  for (let count = least; count < most; count++) rest = choice(sequence(item, rest), EMPTY);
  return sequence(...needed, rest);
}

/** Returns the number of characters of an expression with its repetitions written out. */
export function lengthOf(expression: Expression, known = new Map<Expression, number>()): number {
  if (expression.kind === "character") return 1;
  // A repeated expression is one object, however often it occurs.
  return known.getOrInsertComputed(
    expression,
    () =>
      expression.kind === "loop"
        ? lengthOf(expression.item, known)
        : expression.items.reduce((sum, item) => sum + lengthOf(item, known), 0),
  );
}

/** Returns whether an expression matches the empty text. */
export function isNullable(expression: Expression): boolean {
  if (expression.kind === "character") return false;
  if (expression.kind === "loop") return true;
  return expression.kind === "sequence"
    ? expression.items.every(isNullable)
    : expression.items.some(isNullable);
}

/** Returns the characters that a text can begin with. */
export function firstOf(expression: Expression): CharacterSet {
  if (expression.kind === "character") return expression.set;
  if (expression.kind === "loop") return firstOf(expression.item);
  let first = NO_CHARACTER;
  for (const item of expression.items) {
    first |= firstOf(item);
    if (expression.kind === "sequence" && !isNullable(item)) break;
  }
  return first;
}
