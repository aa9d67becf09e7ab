/**
 * The items and cells of the values that rollups collect: items to count, cells to filter and sort
 * by.
 *
 * @module
 */
import { type CollectedValue, kindOf, type ReadOf } from "../properties/registry.ts";
import { numberCells } from "../properties/shared/collect.ts";
import { dateCells } from "../properties/types/date.ts";
import { type Cell, EMPTY } from "../schema/cells.ts";

/**
 * One item of a value: an option, user, file or row, or the whole value if its type has no items.
 */
export interface RollupItem {
  /** Equal for equal items of a property. */
  readonly key: string;
  /** A value with only this item. */
  readonly value: CollectedValue;
}

/** The items of a value, in order; none if it is empty. */
export function itemsOf(value: CollectedValue): RollupItem[] {
  const { type } = value;
  const parts = kindOf(value).collect?.parts(contentOf(value)) ?? [];
  return parts.map(([key, content]) => ({
    key,
    // Sound because each part has the type of the value.
    value: { type, [type]: content } as CollectedValue,
  }));
}

/** The cells of a value; `EMPTY` alone if the value is empty. */
export function collectedCells(value: CollectedValue): readonly Cell[] {
  const cells = kindOf(value).collect?.cells(contentOf(value)) ?? [];
  return cells.length === 0 ? [EMPTY] : cells;
}

/** The cells of a rollup; for a list, the cells of all items, made one by one. */
export function* rollupCells(value: ReadOf<"rollup">): Generator<Cell, undefined> {
  if (value.type === "array") {
    for (const item of value.array) yield* collectedCells(item);
  } else if (value.type === "number") {
    yield* numberCells(value.number);
  } else if (value.type === "date") {
    yield* dateCells(value.date);
  }
}

/** The content of a value, which is under the name of its type. */
export function contentOf(value: CollectedValue): unknown {
  return Reflect.get(value, value.type);
}
