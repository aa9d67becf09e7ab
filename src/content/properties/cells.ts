/**
 * The cells of a row: what its values are filtered and sorted by.
 *
 * @module
 */
import type { PropertyType, Schema } from "../schema/property.ts";
import type { Cell, PropertyCell } from "../schema/cells.ts";
import { type PropertyKind, storedIn, type Values } from "./property_kind.ts";
import { kindOf } from "./registry.ts";

/** Returns whether values of this type have cells. */
export function hasCells(type: PropertyType): boolean {
  return emptyCell(type) !== undefined;
}

/** Returns the cell of an empty value; undefined for types without cells. */
export function emptyCell(type: PropertyType): Cell | undefined {
  return kindOf({ type }).emptyCell;
}

/** Returns all cells of a row: at least one of every property whose type has cells. */
export function cellsOf(schema: Schema, values: Values): PropertyCell[] {
  return schema.flatMap((property) => {
    const kind = kindOf(property);
    if (kind.emptyCell === undefined) return [];
    const stored = storedIn(values, property);
    const own = stored === undefined ? [kind.emptyCell] : filledCells(kind, stored);
    return own.map((cell, ordinal) => ({ propertyId: property.id, ordinal, ...cell }));
  });
}

function filledCells({ cell, cells }: PropertyKind, stored: unknown): readonly Cell[] {
  return cell === undefined ? cells?.(stored) ?? [] : [cell(stored)];
}
