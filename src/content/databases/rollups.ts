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
import { startMedian } from "./running_median.ts";
import type { RollupFunction } from "../schema/rollup_functions.ts";
import type { OptionGroup, Property } from "../schema/property.ts";

export type RollupValue = ReadOf<"rollup">;

/** A rollup of one row, to which the values of the related rows are added one by one. */
export interface Rollup {
  /** Adds the target's value of the next related row, in the order of the relation. */
  add(value: CollectedValue): void;
  /** The values of a list so far; empty if the result is no list. */
  readonly items: readonly CollectedValue[];
  /**
   * The value of the rollup so far. It is `unsupported` if the relation or the target was deleted, or
   * if the function does not accept its type.
   */
  value(): RollupValue;
}

/** Starts a rollup. Its work is in `add`, because a row may be related to any number of others. */
export function startRollup(name: string, { rollup }: CompiledProperty): Rollup {
  // Sound because the schema accepts no other name.
  const fn = name as RollupFunction;
  if (rollup === undefined) return { add() {}, items: [], value: () => unsupportedRollup(fn) };
  const { add, items = [], result } = FUNCTIONS[fn](rollup.target);
  return { add, items, value: () => ({ ...result(), function: fn }) };
}

/** The value of a rollup that cannot be computed. */
export function unsupportedRollup(name: string): RollupValue {
  // Sound because the schema accepts no other name.
  return { type: "unsupported", unsupported: {}, function: name as RollupFunction };
}

type Result =
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "date"; readonly date: DateValue | null }
  | { readonly type: "array"; readonly array: CollectedValue[] };

interface Accumulator {
  add(value: CollectedValue): void;
  readonly items?: CollectedValue[];
  result(): Result;
}

/** Starts a function on values of a property. */
type Function = (target: Property) => Accumulator;

const FUNCTIONS: Readonly<Record<RollupFunction, Function>> = {
  count: counting(() => 1),
  count_values: counting((value) => itemsOf(value).length),
  empty: counting(isEmpty),
  not_empty: counting(isFilled),
  unique: () => {
    const keys = new Set<string>();
    return {
      add: (value) => itemsOf(value).forEach(({ key }) => keys.add(key)),
      result: () => number(keys.size),
    };
  },
  show_unique: listing(() => {
    const keys = new Set<string>();
    return (value) =>
      itemsOf(value)
        .filter(({ key }) => !keys.has(key) && keys.add(key))
        .map(({ value }) => value);
  }),
  percent_empty: share(isEmpty),
  percent_not_empty: share(isFilled),
  sum: ofNumbers(({ sum }) => sum, 0),
  average: ofNumbers(({ sum, count }) => sum / count),
  median: () => {
    const median = startMedian();
    return {
      add(value) {
        const number = numberIn(value);
        if (number !== null) median.add(number);
      },
      result: () => number(median.value()),
    };
  },
  min: ofNumbers(({ min }) => min),
  max: ofNumbers(({ max }) => max),
  range: ofNumbers(({ min, max }) => max - min),
  earliest_date: ofMoments(({ first }) => alone(first)),
  latest_date: ofMoments(({ last }) => alone(last)),
  date_range: ofMoments(({ first, last }) => between(first, last)),
  checked: counting(isChecked),
  unchecked: counting((value) => !isChecked(value)),
  percent_checked: share(isChecked),
  percent_unchecked: share((value) => !isChecked(value)),
  count_per_group: counting(isComplete),
  percent_per_group: share(isComplete),
  show_original: listing(() => (value) => [value]),
};

function number(value: number | null): Result {
  // JSON has only finite numbers.
  return { type: "number", number: value !== null && Number.isFinite(value) ? value : null };
}

type Count = (value: CollectedValue, target: Property) => number | boolean;

/** Adds up the counts of all values; `true` counts as one. */
function counting(
  countOf: Count,
  combine: (count: number, all: number) => number | null = (count) => count,
): Function {
  return (target) => {
    let [count, all] = [0, 0];
    return {
      add(value) {
        count += Number(countOf(value, target));
        all++;
      },
      result: () => number(combine(count, all)),
    };
  };
}

/** The share of related rows, from 0 to 1; null if there are none. */
function share(isCounted: Count): Function {
  return counting(isCounted, (count, all) => all === 0 ? null : count / all);
}

/** Lists what each value adds. */
function listing(start: () => (value: CollectedValue) => readonly CollectedValue[]): Function {
  return () => {
    const itemsOfValue = start();
    const items: CollectedValue[] = [];
    return {
      add: (value) => void items.push(...itemsOfValue(value)),
      items,
      result: () => ({ type: "array", array: items }),
    };
  };
}

interface Totals {
  count: number;
  sum: number;
  min: number;
  max: number;
}

function ofNumbers(
  combine: (totals: Readonly<Totals>) => number,
  ofNone: number | null = null,
): Function {
  return () => {
    const totals: Totals = { count: 0, sum: 0, min: Infinity, max: -Infinity };
    return {
      add(value) {
        const number = numberIn(value);
        if (number === null) return;
        totals.count++;
        totals.sum += number;
        totals.min = Math.min(totals.min, number);
        totals.max = Math.max(totals.max, number);
      },
      result: () => number(totals.count === 0 ? ofNone : combine(totals)),
    };
  };
}

function numberIn(value: CollectedValue): number | null {
  if (value.type === "formula") {
    return value.formula.type === "number" ? value.formula.number : null;
  }
  const { formula } = kindOf(value);
  return formula?.type === "number" ? formula.value(contentOf(value)) : null;
}

function isFilled(value: CollectedValue): boolean {
  return itemsOf(value).length > 0;
}

function isEmpty(value: CollectedValue): boolean {
  return !isFilled(value);
}

function isChecked(value: CollectedValue): boolean {
  if (value.type === "formula") {
    return value.formula.type === "boolean" && value.formula.boolean === true;
  }
  const { formula } = kindOf(value);
  return formula?.type === "boolean" && formula.value(contentOf(value));
}

/** Returns whether a value is in the last group of a status, which is "complete". */
function isComplete(value: CollectedValue, target: Property): boolean {
  return value.type === "status" && value.status !== null &&
    lastGroup(target)?.option_ids.includes(value.status.id) === true;
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
  return () => {
    let ends: Ends | undefined;
    return {
      add(value) {
        const date = dateIn(value);
        if (date === null) return;
        const start = moment(date.start, date.time_zone);
        const end = moment(date.end ?? date.start, date.time_zone);
        ends = {
          first: ends === undefined || start.time < ends.first.time ? start : ends.first,
          last: ends === undefined || end.time >= ends.last.time ? end : ends.last,
        };
      },
      result: () => ({ type: "date", date: ends === undefined ? null : combine(ends) }),
    };
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
