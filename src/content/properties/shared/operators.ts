/**
 * The operators of filters: the operand that each takes and the test that it makes of it.
 *
 * @module
 */
import * as v from "valibot";
import type { Test } from "../../schema/cells.ts";
import { fold, sortKey } from "../../schema/collation.ts";
import type { Option } from "../../schema/property.ts";
import { isDay, isoDate } from "../../values/dates.ts";
import { idInput, normalizeId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { type Period, periodOf, RELATIVE } from "./periods.ts";

/** The context that the meaning of an operand depends on. */
export interface OperandContext {
  /** Milliseconds since the epoch; relative dates count from here. */
  readonly now: number;
  /** Options of the property; empty if its type has none. */
  readonly options: readonly Option[];
}

export interface Operator<Operand = unknown> {
  readonly operand: v.GenericSchema<unknown, Operand>;
  /** True if the operator holds exactly when `test` fails. */
  readonly negated?: true;
  /**
   * Describes what was expected instead of an operand that its schema accepts but that has no
   * meaning.
   */
  expected?(operand: Operand): string | undefined;
  test(operand: Operand, context: OperandContext): Test;
}

export type Operators = Readonly<Record<string, Operator>>;

/** Erases the operand's type, so that one table can hold operators of every kind. */
export function operator<Operand>(
  operand: Operator<Operand>["operand"],
  test: Operator<Operand>["test"],
  expected?: Operator<Operand>["expected"],
): Operator {
  // Sound because both functions only receive values that `operand` accepted.
  return { operand, test, ...(expected !== undefined && { expected }) } as Operator;
}

function not(positive: Operator): Operator {
  return { ...positive, negated: true };
}

const empty = operator(v.literal(true), () => ({ is: "empty" }));
export const emptiness: Operators = { is_empty: empty, is_not_empty: not(empty) };

type TextTest = Extract<Test, { readonly is: "text" }>;

function text(how: TextTest["how"]): Operator {
  return operator(
    v.pipe(v.string(), v.maxLength(LIMITS.textContent)),
    (operand) => ({ is: "text", how, text: fold(operand), key: sortKey(operand) }),
  );
}

export const texts: Operators = {
  equals: text("equals"),
  does_not_equal: not(text("equals")),
  contains: text("contains"),
  does_not_contain: not(text("contains")),
  starts_with: text("starts"),
  ends_with: text("ends"),
  ...emptiness,
};

type Between = Extract<Test, { readonly is: "between" }>;

function number(range: (operand: number) => Omit<Between, "is">): Operator {
  return operator(v.number(), (operand) => ({ is: "between", ...range(operand) }));
}

const exactly = number((operand) => ({ from: operand, to: operand }));
export const numbers: Operators = {
  equals: exactly,
  does_not_equal: not(exactly),
  greater_than: number((from) => ({ from, fromExcluded: true })),
  less_than: number((to) => ({ to, toExcluded: true })),
  greater_than_or_equal_to: number((from) => ({ from })),
  less_than_or_equal_to: number((to) => ({ to })),
  ...emptiness,
};

const checkbox = operator(v.boolean(), (operand) => {
  const value = Number(operand);
  return { is: "between", from: value, to: value };
});
export const checkboxes: Operators = { equals: checkbox, does_not_equal: not(checkbox) };

const option = operator(
  v.pipe(
    v.string(),
    v.maxLength(LIMITS.textContent),
    v.description("Name of an option. No row has an option that does not exist."),
  ),
  (name, { options }) => ({
    is: "key",
    // No option has an empty id.
    key: options.find((option) => option.name === name || option.id === name)?.id ?? "",
  }),
);
export const choices: Operators = { equals: option, does_not_equal: not(option), ...emptiness };
export const tags: Operators = { contains: option, does_not_contain: not(option), ...emptiness };

export function during({ from, to }: Period): Test {
  return {
    is: "between",
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to, toExcluded: true }),
  };
}

function date(period: (named: Required<Period>) => Period): Operator {
  return operator(
    isoDate,
    (operand) => during(period(periodOf(operand))),
    (operand) => isDay(operand.slice(0, 10)) ? undefined : "a day that exists",
  );
}

const relative = Object.entries(RELATIVE).map(([name, period]) => [
  name,
  operator(v.strictObject({}), (_, { now }) => during(period(now))),
]);
export const dates: Operators = {
  equals: date((named) => named),
  before: date(({ from }) => ({ to: from })),
  after: date(({ to }) => ({ from: to })),
  on_or_before: date(({ to }) => ({ to })),
  on_or_after: date(({ from }) => ({ from })),
  ...Object.fromEntries(relative),
  ...emptiness,
};

const reference = operator(idInput, (id) => ({ is: "key", key: normalizeId(id) }));
export const references: Operators = {
  contains: reference,
  does_not_contain: not(reference),
  ...emptiness,
};
