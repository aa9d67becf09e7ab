/**
 * Values that rollups collect: taken apart into items, and as cells to filter and sort by.
 *
 * @module
 */
import { type CollectedValue, kindOf, type ReadOf } from "../properties/registry.ts";
import { numberCells } from "../properties/shared/collect.ts";
import { dateCells } from "../properties/types/date.ts";
import { type Cell, EMPTY } from "../schema/cells.ts";

/** One item of a value: an option, a user, a file, a row, or the whole value. */
export interface Item {
  /** The same for equal items of one property. */
  readonly key: string;
  /** A value with this item alone. */
  readonly value: CollectedValue;
}

/** The items of a value, in order; none if it is empty. */
export function itemsOf(value: CollectedValue): Item[] {
  const { type } = value;
  const parts = kindOf(value).collect?.parts(contentOf(value)) ?? [];
  return parts.map(([key, content]) => ({
    key,
    // Sound because each part is content of the type that it stands under.
    value: { type, [type]: content } as CollectedValue,
  }));
}

/** The cells of a value, one of them `EMPTY` if it is empty. */
export function collectedCells(value: CollectedValue): readonly Cell[] {
  const cells = kindOf(value).collect?.cells(contentOf(value)) ?? [];
  return cells.length === 0 ? [EMPTY] : cells;
}

/** The cells of a rollup: of a list those of all its items. */
export function rollupCells(value: ReadOf<"rollup">): readonly Cell[] {
  if (value.type === "array") return value.array.flatMap(collectedCells);
  if (value.type === "number") return numberCells(value.number);
  return value.type === "date" ? dateCells(value.date) : [];
}

/** The content of a value, which is under the name of its type. */
export function contentOf(value: CollectedValue): unknown {
  return Reflect.get(value, value.type);
}
