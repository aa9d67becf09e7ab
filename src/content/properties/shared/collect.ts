/**
 * Collecting values for rollups, shared by several property types.
 *
 * @module
 */
import { type Cell, keyCell, numberCell, textCell } from "../../schema/cells.ts";
import type { CollectedPart, Collecting } from "../property_kind.ts";

type Key = string | number | boolean | null | undefined;

interface Identified {
  readonly id: string;
}

/** A value of one item; it is empty if it has no key. */
export function whole<Read>(keyOf: (read: Read) => Key) {
  return (read: Read): CollectedPart[] => {
    const key = keyOf(read);
    return key === null || key === undefined || key === "" ? [] : [[String(key), read]];
  };
}

/** A value of any number of items. */
export function each<One>(keyOf: (item: One) => string) {
  return (read: readonly One[]): CollectedPart[] => read.map((item) => [keyOf(item), [item]]);
}

export function numberCells(number: number | null): Cell[] {
  return number === null ? [] : [numberCell(number)];
}

export function textCells(text: string | null): Cell[] {
  return text === null || text === "" ? [] : [textCell(text)];
}

/** Options, users or rows. */
export const identifiedList: Collecting<readonly Identified[]> = {
  parts: each(({ id }) => id),
  cells: (read) => read.map(({ id }) => keyCell(id)),
};

/** An option, or a user. */
export const identified: Collecting<Identified | null> = {
  parts: whole((read) => read?.id),
  cells: (read) => read === null ? [] : [keyCell(read.id)],
};
