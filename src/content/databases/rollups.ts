/**
 * Computes rollups: one value from the values of related rows.
 *
 * @module
 */
import type { DateValue } from "../values/dates.ts";
import { momentTime } from "../values/timestamps.ts";
import { type CollectedValue, kindOf, type ReadOf } from "../properties/registry.ts";
import { contentOf, itemsOf } from "./rollup_items.ts";
import type { CompiledProperty } from "./property_compiler.ts";
import type { RollupFunction } from "../schema/rollup_functions.ts";
import type { OptionGroup, Property } from "../schema/property.ts";

export type RollupValue = ReadOf<"rollup">;

/**
 * Computes the value of a rollup. `values` are the target's values, one for each related row, in
 * the order of the relation. The value is `unsupported` if the relation or the target was deleted,
 * or if the function does not accept its type.
 */
export function rollUp(
  name: string,
  { rollup }: CompiledProperty,
  values: readonly CollectedValue[],
): RollupValue {
  // Sound because the schema accepts no other name.
  const fn = name as RollupFunction;
  const result = rollup === undefined
    ? UNSUPPORTED
    : FUNCTIONS[fn]({ values, target: rollup.target });
  return { ...result, function: fn };
}

/** The value of a rollup that cannot be computed. */
export function unsupportedRollup(name: string): RollupValue {
  // Sound because the schema accepts no other name.
  return { ...UNSUPPORTED, function: name as RollupFunction };
}

type Result =
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "date"; readonly date: DateValue | null }
  | { readonly type: "array"; readonly array: CollectedValue[] }
  | { readonly type: "unsupported"; readonly unsupported: Readonly<Record<string, never>> };

const UNSUPPORTED: Result = { type: "unsupported", unsupported: {} };

interface Collection {
  readonly values: readonly CollectedValue[];
  readonly target: Property;
}

type Function = (collection: Collection) => Result;

const FUNCTIONS: Readonly<Record<RollupFunction, Function>> = {
  count: counting(({ values }) => values.length),
  count_values: counting(({ values }) => values.flatMap(itemsOf).length),
  empty: counting(({ values }) => values.filter(isEmpty).length),
  not_empty: counting(filled),
  unique: counting(({ values }) => uniqueItems(values).length),
  show_unique: ({ values }) => ({ type: "array", array: uniqueItems(values) }),
  percent_empty: share(({ values }) => values.filter(isEmpty).length),
  percent_not_empty: share(filled),
  sum: ofNumbers(sum, 0),
  average: ofNumbers(average),
  median: ofNumbers(median),
  min: ofNumbers(smallest),
  max: ofNumbers(largest),
  range: ofNumbers((numbers) => largest(numbers) - smallest(numbers)),
  earliest_date: ofMoments(({ first }) => alone(first)),
  latest_date: ofMoments(({ last }) => alone(last)),
  date_range: ofMoments(({ first, last }) => between(first, last)),
  checked: counting(checked),
  unchecked: counting((collection) => collection.values.length - checked(collection)),
  percent_checked: share(checked),
  percent_unchecked: share((collection) => collection.values.length - checked(collection)),
  count_per_group: counting(complete),
  percent_per_group: share(complete),
  show_original: ({ values }) => ({ type: "array", array: [...values] }),
};

function number(value: number | null): Result {
  // JSON has only finite numbers.
  return { type: "number", number: value !== null && Number.isFinite(value) ? value : null };
}

function counting(count: (collection: Collection) => number): Function {
  return (collection) => number(count(collection));
}

/** The share of related rows, from 0 to 1; null if there are none. */
function share(count: (collection: Collection) => number): Function {
  return (collection) => {
    const all = collection.values.length;
    return number(all === 0 ? null : count(collection) / all);
  };
}

function ofNumbers(
  combine: (numbers: readonly number[]) => number,
  ofNone: number | null = null,
): Function {
  return ({ values }) => {
    const numbers = values.map(numberIn).filter((value) => value !== null);
    return number(numbers.length === 0 ? ofNone : combine(numbers));
  };
}

function numberIn(value: CollectedValue): number | null {
  if (value.type === "formula") {
    return value.formula.type === "number" ? value.formula.number : null;
  }
  const { formula } = kindOf(value);
  return formula?.type === "number" ? formula.value(contentOf(value)) : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function average(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function smallest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Infinity);
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** The middle number, or the average of the middle two. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return average(sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1));
}

function filled({ values }: Collection): number {
  return values.filter((value) => !isEmpty(value)).length;
}

function isEmpty(value: CollectedValue): boolean {
  return itemsOf(value).length === 0;
}

function uniqueItems(values: readonly CollectedValue[]): CollectedValue[] {
  const unique = new Map<string, CollectedValue>();
  for (const { key, value } of values.flatMap(itemsOf)) {
    if (!unique.has(key)) unique.set(key, value);
  }
  return [...unique.values()];
}

function checked({ values }: Collection): number {
  return values.filter(isChecked).length;
}

function isChecked(value: CollectedValue): boolean {
  if (value.type === "formula") {
    return value.formula.type === "boolean" && value.formula.boolean === true;
  }
  const { formula } = kindOf(value);
  return formula?.type === "boolean" && formula.value(contentOf(value));
}

/** How many values are in the last group of a status, which is "complete". */
function complete({ values, target }: Collection): number {
  const done = new Set(lastGroup(target)?.option_ids);
  return values.filter((value) =>
    value.type === "status" && value.status !== null && done.has(value.status.id)
  ).length;
}

function lastGroup(target: Property): OptionGroup | undefined {
  return target.type === "status" ? target.groups.at(-1) : undefined;
}

interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
  readonly zone: string | null;
}

interface Ends {
  readonly first: Moment;
  readonly last: Moment;
}

/** Combines the earliest start and the latest end; a date without an end ends at its start. */
function ofMoments(combine: (ends: Ends) => DateValue): Function {
  return ({ values }) => {
    const dates = values.map(dateIn).filter((date) => date !== null);
    const [first] = sorted(dates.map(({ start, time_zone }) => moment(start, time_zone)));
    const last = sorted(dates.map(({ start, end, time_zone }) => moment(end ?? start, time_zone)))
      .at(-1);
    const isNone = first === undefined || last === undefined;
    return { type: "date", date: isNone ? null : combine({ first, last }) };
  };
}

function dateIn(value: CollectedValue): DateValue | null {
  if (value.type === "formula") return value.formula.type === "date" ? value.formula.date : null;
  const { formula } = kindOf(value);
  return formula?.type === "date" ? formula.value(contentOf(value)) : null;
}

function moment(text: string, zone: string | null): Moment {
  return { time: momentTime(text, zone), text, zone };
}

function sorted(moments: readonly Moment[]): readonly Moment[] {
  return moments.toSorted((a, b) => a.time - b.time);
}

function alone({ text, zone }: Moment): DateValue {
  return { start: text, end: null, time_zone: zone };
}

function between(first: Moment, last: Moment): DateValue {
  if (first.zone === last.zone) return { start: first.text, end: last.text, time_zone: first.zone };
  return { start: withoutZone(first), end: withoutZone(last), time_zone: null };
}

function withoutZone({ time, text, zone }: Moment): string {
  return zone === null ? text : new Date(time).toISOString();
}
