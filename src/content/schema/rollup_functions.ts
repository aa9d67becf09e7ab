/**
 * The functions of rollups: the type of values that each needs, and the type of its result.
 *
 * @module
 */

/** The type of the collected values; `any` accepts all types. */
export type RollupNeed = "any" | "number" | "date" | "checkbox" | "status";

export type RollupResultType = "number" | "date" | "array";

interface RollupSignature {
  readonly needs: RollupNeed;
  readonly gives: RollupResultType;
}

const anyToNumber = { needs: "any", gives: "number" } as const;
const numbers = { needs: "number", gives: "number" } as const;
const dates = { needs: "date", gives: "date" } as const;
const checkboxes = { needs: "checkbox", gives: "number" } as const;
const statuses = { needs: "status", gives: "number" } as const;
const items = { needs: "any", gives: "array" } as const;

const SIGNATURES = {
  count: anyToNumber,
  count_values: anyToNumber,
  empty: anyToNumber,
  not_empty: anyToNumber,
  unique: anyToNumber,
  show_unique: items,
  percent_empty: anyToNumber,
  percent_not_empty: anyToNumber,
  sum: numbers,
  average: numbers,
  median: numbers,
  min: numbers,
  max: numbers,
  range: numbers,
  earliest_date: dates,
  latest_date: dates,
  date_range: dates,
  checked: checkboxes,
  unchecked: checkboxes,
  percent_checked: checkboxes,
  percent_unchecked: checkboxes,
  count_per_group: statuses,
  percent_per_group: statuses,
  show_original: items,
} as const satisfies Record<string, RollupSignature>;

export type RollupFunction = keyof typeof SIGNATURES;

/** The names of all functions. */
// Sound because the table has exactly these keys.
export const ROLLUP_FUNCTIONS = Object.keys(SIGNATURES) as readonly RollupFunction[];

const signatures: ReadonlyMap<string, RollupSignature> = new Map(Object.entries(SIGNATURES));

/** The types of a function; undefined if there is no function of this name. */
export function rollupSignature(name: string): RollupSignature | undefined {
  return signatures.get(name);
}
