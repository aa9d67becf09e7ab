/**
 * Orders rows in memory. This is the reference: every store returns rows in the same order.
 *
 * @module
 */
import type { Cell } from "../schema/cells.ts";
import { compareCodePoints } from "../schema/collation.ts";
import type { QueryRow } from "./evaluate.ts";
import type { RowCursor, Sort, SortKey } from "./filter.ts";

/** The row's position in this order. */
export function cursorOf(sorts: readonly Sort[], row: QueryRow): RowCursor {
  return { keys: sorts.map(({ field }) => sortKeyOf(row.cells(field))), id: row.id };
}

function sortKeyOf([first]: readonly Cell[]): SortKey {
  return first?.number ?? first?.key ?? null;
}

/** Compares positions in this order; 0 only if both are of the same row. */
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

/** Compares the keys of two rows for one sort; empty keys come last in either direction. */
export function compareKeys({ descending, values }: Sort): (a: SortKey, b: SortKey) => number {
  const compare = values === undefined ? compareValues : compareRanks(values);
  const direction = descending ? -1 : 1;
  return (a, b) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compare(a, b);
  };
}

type KeyOrder = (a: number | string, b: number | string) => number;

/** Numbers come before texts. */
export const compareValues: KeyOrder = (a, b) => {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "number" ? -1 : 1;
};

/** Compares by index among the values; a key that is not among them comes first. */
function compareRanks(values: NonNullable<Sort["values"]>): KeyOrder {
  const ranks = new Map(values.map(({ number, key }, index) => [number ?? key, index]));
  return (a, b) => (ranks.get(a) ?? -1) - (ranks.get(b) ?? -1);
}
