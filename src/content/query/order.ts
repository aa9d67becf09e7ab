/**
 * What sorts mean, said in memory: every store orders as this does.
 *
 * @module
 */
import type { Cell } from "../schema/cells.ts";
import { compareCodePoints } from "../schema/collation.ts";
import type { Row } from "./evaluate.ts";
import type { RowCursor, Sort, SortKey } from "./filter.ts";

/** Where the row stands in this order. */
export function cursorOf(sorts: readonly Sort[], row: Row): RowCursor {
  return { keys: sorts.map(({ field }) => sortKeyOf(row.cells(field))), id: row.id };
}

function sortKeyOf([first]: readonly Cell[]): SortKey {
  return first?.number ?? first?.key ?? null;
}

/** Compares places in this order; 0 only of one and the same row. */
export function compareRowCursors(sorts: readonly Sort[]): (a: RowCursor, b: RowCursor) => number {
  const steps = sorts.map(compareKeys);
  const direction = sorts.at(-1)?.descending === true ? -1 : 1;
  return (a, b) => {
    for (const [index, compare] of steps.entries()) {
      const difference = compare(a.keys[index] ?? null, b.keys[index] ?? null);
      if (difference !== 0) return difference;
    }
    return direction * compareCodePoints(a.id, b.id);
  };
}

/** Compares two rows' keys of one sort: empty ones last in either direction. */
export function compareKeys({ descending, values }: Sort): (a: SortKey, b: SortKey) => number {
  const compare = values === undefined ? compareValues : compareRanks(values);
  const direction = descending ? -1 : 1;
  return (a, b) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compare(a, b);
  };
}

type KeyOrder = (a: number | string, b: number | string) => number;

/** Numbers before texts. */
export const compareValues: KeyOrder = (a, b) => {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "number" ? -1 : 1;
};

/** By their place among the values; a key that is none of them stands before all. */
function compareRanks(values: NonNullable<Sort["values"]>): KeyOrder {
  const ranks = new Map(values.map(({ number, key }, index) => [number ?? key, index]));
  return (a, b) => (ranks.get(a) ?? -1) - (ranks.get(b) ?? -1);
}
