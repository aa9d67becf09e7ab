/**
 * Ranges of numbers, keys or ids.
 *
 * @module
 */
import { compareValues } from "../../../content/query/order.ts";
import { raw, type Sql, sql } from "./sql.ts";

export interface Bound {
  readonly value: number | string;
  readonly excluded: boolean;
}

/** An end that is left out is open. */
export interface Range {
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
}

/** The range of one value alone. */
export function exactly(value: number | string): Range {
  const bound = { value, excluded: false };
  return { from: bound, to: bound };
}

/** All that comes behind a value, in this direction. */
export function beyond(value: number | string, descending: boolean): Range {
  return { [descending ? "to" : "from"]: { value, excluded: true } };
}

/** All up to a value, itself too, in this direction. */
export function upTo(value: number | string, descending: boolean): Range {
  return { [descending ? "from" : "to"]: { value, excluded: false } };
}

/** What both ranges hold. */
export function intersect(one: Range, other: Range): Range {
  return { from: tighter(one.from, other.from, 1), to: tighter(one.to, other.to, -1) };
}

function tighter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const difference = sign * compareValues(a.value, b.value);
  if (difference === 0) return a.excluded ? a : b;
  return difference > 0 ? a : b;
}

/** The conditions that keep a column in a range. */
export function inRange(column: Sql, { from, to }: Range): Sql[] {
  if (from !== undefined && from === to) return [sql`${column} = ${from.value}`];
  return [
    ...(from === undefined
      ? []
      : [sql`${column} ${raw(from.excluded ? ">" : ">=")} ${from.value}`]),
    ...(to === undefined ? [] : [sql`${column} ${raw(to.excluded ? "<" : "<=")} ${to.value}`]),
  ];
}
