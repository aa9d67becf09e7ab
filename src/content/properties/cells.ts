/**
 * The cells of a row: what its values are filtered and sorted by.
 *
 * @module
 */
import type { PropertyType, Schema } from "../schema/property.ts";
import type { Cell, PropertyCell } from "../schema/cells.ts";
import { keptOf, type Values } from "./property_type.ts";
import { kindOf } from "./registry.ts";

/** Whether values of this type are kept in cells. */
export function hasCells(type: PropertyType): boolean {
  return emptyCell(type) !== undefined;
}

/** The cell of an empty value of this type; undefined of types without cells. */
export function emptyCell(type: PropertyType): Cell | undefined {
  return kindOf({ type }).emptyCell;
}

/** All cells of a row: at least one of every property whose type has cells. */
export function cellsOf(schema: Schema, values: Values): PropertyCell[] {
  return schema.flatMap((property) => {
    const { emptyCell, cells } = kindOf(property);
    if (emptyCell === undefined) return [];
    const kept = keptOf(values, property);
    const own = kept === undefined ? [emptyCell] : cells?.(kept) ?? [];
    return own.map((cell, ordinal) => ({ propertyId: property.id, ordinal, ...cell }));
  });
}
