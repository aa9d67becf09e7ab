/**
 * Rows as they are answered, filtered and sorted: their own values, and what is computed from them
 * and from the rows that they are related to.
 *
 * @module
 */
import type { FormulaEnv } from "../formulas/environment.ts";
import { toAnswer } from "../formulas/answer.ts";
import { valueOfProperty, type ValueReading } from "../formulas/properties.ts";
import type { FormulaValue } from "../formulas/values.ts";
import { chargeForAnswer, type ComputeBudget, isExhausted } from "../formulas/compute_budget.ts";
import type { NodeView } from "../schema/node.ts";
import {
  answerValue,
  type PropertyValue,
  type RowContext,
  type Values,
} from "../properties/mod.ts";
import type { CollectedValue } from "../properties/registry.ts";
import type { Computed, ComputedProperty, Computing } from "./computed.ts";
import { rolledUpNothing, rollUp } from "./rollups.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

/** Days of formulas begin there. */
export const TIME_ZONE = "UTC";

/** A row with what of it lies outside its document. */
export interface LoadedRow {
  readonly databaseId: string;
  readonly node: NodeView;
  readonly values: Values;
  /** Rows at the other end, by id of the relation's property. */
  readonly links: Map<string, readonly string[]>;
}

/** One computed property of some rows of its database. */
export interface ComputedValues {
  readonly property: ComputedProperty;
  readonly rows: readonly LoadedRow[];
}

/** All that an evaluation reads. */
export interface EvaluationInput {
  /** Rows by id: those that are asked for, and those that they are computed from. */
  readonly rows: ReadonlyMap<string, LoadedRow>;
  /** Names of users by id. */
  readonly users: ReadonlyMap<string, string | null>;
  schemaOf(databaseId: string): Schema;
  readonly computing: Computing;
  /** Values that are computed, of these rows and of those below; each after what it is made from. */
  readonly computed: readonly ComputedValues[];
  /** What is left of the work of an answer: values beyond it are missing. */
  readonly work: ComputeBudget;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Values of the rows of a world; each is computed once. */
export interface Evaluation {
  /** What a row's answer takes from outside its document. */
  contextOf(row: LoadedRow): RowContext;
  /** A property's value as it is answered. */
  valueOf(row: LoadedRow, property: Property): PropertyValue;
  /** What a rollup rolls up: its target's value of every related row, in order. */
  collected(row: LoadedRow, property: PropertyOf<"rollup">): CollectedValue[];
  /** The property that a rollup collects. */
  targetOf(row: LoadedRow, property: PropertyOf<"rollup">): Property | undefined;
  /** Plain title of a row; `""` where it is unknown. */
  titleOf(id: string): string;
  /** Name of a user; `""` where it is unknown. */
  nameOf(id: string): string;
}

/** Creates an evaluation with nothing computed yet. */
export function createEvaluation(input: EvaluationInput): Evaluation {
  const titleOf = (id: string) => input.rows.get(id)?.node.title ?? "";
  const nameOf = (id: string) => input.users.get(id) ?? "";
  const reading: ValueReading = {
    timeZone: TIME_ZONE,
    // No e-mail: what a formula makes of it would be shown to those who may not see it.
    user: (id) => ({ name: input.users.get(id) ?? null, email: null }),
    title: titleOf,
  };
  const contexts = new Map<LoadedRow, RowContext>();
  const contextOf = (row: LoadedRow): RowContext => {
    const known = contexts.get(row) ?? createContext(row, parts);
    contexts.set(row, known);
    return known;
  };
  const valueOf = (row: LoadedRow, property: Property) =>
    answerValue(property, row.values, contextOf(row));
  const evaluate = createEvaluator({ input, valueOf, reading });
  const parts: ContextParts = { input, valueOf, reading, evaluate };
  const collected = (row: LoadedRow, property: PropertyOf<"rollup">) =>
    collect(input.computing(row.databaseId, property), row, parts);
  const targetOf = (row: LoadedRow, property: PropertyOf<"rollup">) =>
    input.computing(row.databaseId, property).rollup?.target;
  return { contextOf, valueOf, collected, targetOf, titleOf, nameOf };
}

interface ContextParts {
  readonly input: EvaluationInput;
  readonly valueOf: Evaluation["valueOf"];
  readonly reading: ValueReading;
  /** A formula's value as other formulas read it. */
  evaluate(row: LoadedRow, property: PropertyOf<"formula">): FormulaValue;
}

function createContext(row: LoadedRow, parts: ContextParts): RowContext {
  const computed = new Map<string, unknown>();
  return {
    node: row.node,
    now: parts.input.now,
    links: ({ id }) => row.links.get(id) ?? [],
    computed(property: ComputedProperty) {
      if (!computed.has(property.id)) computed.set(property.id, compute(property, row, parts));
      return computed.get(property.id);
    },
  };
}

function compute(property: ComputedProperty, row: LoadedRow, parts: ContextParts): unknown {
  return property.type === "formula"
    ? answerFormula(property, row, parts)
    : answerRollup(property, row, parts);
}

function answerRollup(
  property: PropertyOf<"rollup">,
  row: LoadedRow,
  parts: ContextParts,
): unknown {
  const { computing, work } = parts.input;
  const known = computing(row.databaseId, property);
  if (isExhausted(work)) return rolledUpNothing(property.function);
  const values = collect(known, row, parts);
  const answer = rollUp(property.function, known, values);
  work.left -= values.length;
  if (answer.type === "array") chargeForAnswer(work, sizeOf(answer.array));
  // Of less than all there is, a sum or count would be wrong.
  return isExhausted(work) ? rolledUpNothing(property.function) : answer;
}

/** What a rollup collects: the target's value of every related row. */
function collect(
  { rollup }: Computed,
  row: LoadedRow,
  { input, valueOf }: ContextParts,
): CollectedValue[] {
  if (rollup === undefined) return [];
  const related = row.links.get(rollup.relation.id) ?? [];
  return related.flatMap((id): CollectedValue[] => {
    const other = input.rows.get(id);
    return other === undefined ? [] : [unnamed(valueOf(other, rollup.target))];
  });
}

/** Characters of all texts in an answer. */
function sizeOf(answer: unknown): number {
  if (typeof answer === "string") return answer.length;
  if (typeof answer !== "object" || answer === null) return 0;
  return Object.values(answer).reduce((size: number, inner) => size + sizeOf(inner), 0);
}

/** A value as rollups answer it, without the id of its property. */
function unnamed(value: PropertyValue): CollectedValue {
  // Sound because no rollup takes rollups or buttons, and what is left has the type's name and the
  // value under it.
  return { type: value.type, [value.type]: Reflect.get(value, value.type) } as CollectedValue;
}

function answerFormula(
  property: PropertyOf<"formula">,
  row: LoadedRow,
  parts: ContextParts,
): unknown {
  const { kind } = parts.input.computing(row.databaseId, property);
  const resultType = kind === undefined || kind === "array" ? "string" : kind;
  const answer = toAnswer(parts.evaluate(row, property), { resultType, timeZone: TIME_ZONE });
  if (answer.type !== "string" || answer.string === null) return answer;
  const { work } = parts.input;
  chargeForAnswer(work, answer.string.length);
  return isExhausted(work) ? { ...answer, string: null } : answer;
}

/** Evaluates each formula of each row once, as formulas read it: an answer knows no lists. */
function createEvaluator(parts: Omit<ContextParts, "evaluate">): ContextParts["evaluate"] {
  const known = new Map<LoadedRow, Map<string, FormulaValue>>();
  const evaluate: ContextParts["evaluate"] = (row, property) => {
    const values = known.get(row) ?? new Map<string, FormulaValue>();
    known.set(row, values);
    const found = values.get(property.id);
    if (found !== undefined) return found;
    const { formula } = parts.input.computing(row.databaseId, property);
    const value = formula?.evaluate(environmentOf(row, { ...parts, evaluate })) ?? null;
    // What was made of missing values would be wrong.
    const whole = isExhausted(parts.input.work) ? null : value;
    values.set(property.id, whole);
    return whole;
  };
  return evaluate;
}

function environmentOf(
  row: LoadedRow,
  { input, valueOf, reading, evaluate }: ContextParts,
): FormulaEnv {
  const read = (of: LoadedRow, propertyId: string): FormulaValue => {
    const property = input.schemaOf(of.databaseId).find(({ id }) => id === propertyId);
    if (property === undefined) return null;
    return property.type === "formula"
      ? evaluate(of, property)
      : valueOfProperty(valueOf(of, property), reading);
  };
  return {
    now: input.now,
    timeZone: TIME_ZONE,
    pageId: row.node.id,
    shared: input.work,
    property: (id) => read(row, id),
    related(pageId, propertyId) {
      const other = input.rows.get(pageId);
      return other === undefined ? null : read(other, propertyId);
    },
  };
}
