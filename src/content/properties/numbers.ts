/**
 * Properties that are numbers: given by clients, counted by the service, or one of two.
 *
 * @module
 */
import * as v from "valibot";
import { type Cell, EMPTY } from "../schema/cells.ts";
import { propertyKind } from "./property_type.ts";

/** The cell of a number or a time. */
export function numberCell(number: number): Cell {
  return { number, key: null, text: null };
}

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const number = propertyKind("number", {
  input: v.nullable(v.number()),
  output: v.nullable(v.number()),
  emptyCell: EMPTY,
  // JSON has one zero only.
  keep: (given): number | undefined => given === null ? undefined : given + 0,
  answer: (kept) => kept ?? null,
  cells: (kept) => [numberCell(kept)],
  toText: (kept) => String(kept),
  fromText: (text) => {
    const value = DECIMAL.test(text.trim()) ? Number(text) + 0 : NaN;
    return Number.isFinite(value) ? value : undefined;
  },
});

const CHECKED = new Set(["true", "yes", "1"]);

/** Unchecked is its empty value. */
export const checkbox = propertyKind("checkbox", {
  input: v.boolean(),
  output: v.boolean(),
  emptyCell: numberCell(0),
  keep: (given): true | undefined => given || undefined,
  answer: (kept): boolean => kept === true,
  cells: () => [numberCell(1)],
  toText: (kept) => String(kept),
  fromText: (text) => CHECKED.has(text.trim().toLowerCase()) || undefined,
});

/** The number of a row among those of its database, given once. */
export const uniqueId = propertyKind("unique_id", {
  output: v.object({ number: v.nullable(v.number()), prefix: v.nullable(v.string()) }),
  emptyCell: EMPTY,
  answer: (kept: number | undefined, { prefix }) => ({ number: kept ?? null, prefix }),
  cells: (kept) => [numberCell(kept)],
  toText: (kept, { prefix }) => prefix === null ? String(kept) : `${prefix}-${kept}`,
});
