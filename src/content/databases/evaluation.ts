/**
 * Evaluates the properties of rows for replies, filters and sorts: stored values, and the formulas
 * and rollups computed from them and from related rows.
 *
 * @module
 */
import type { FormulaEnv } from "../formulas/environment.ts";
import { toFormulaResult } from "../formulas/result.ts";
import { pageOf, valueOfProperty, type ValueReading } from "../formulas/properties.ts";
import type { FormulaPage, FormulaValue } from "../formulas/values.ts";
import { chargeForResult, type ComputeBudget, isExhausted } from "../formulas/compute_budget.ts";
import type { RowDoc } from "../pages/rows.ts";
import type { Node } from "../schema/node.ts";
import {
  answerValue,
  type PropertyValue,
  type RowContext,
  type RowHistory,
  type Values,
} from "../properties/mod.ts";
import type { CollectedValue } from "../properties/registry.ts";
import type { ComputedProperty, PropertyCompiler } from "./property_compiler.ts";
import { type Rollup, startRollup, unsupportedRollup } from "./rollups.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

/** The time zone in which days begin in formulas. */
export const TIME_ZONE = "UTC";

/** A row with the data that is stored outside its document. */
export interface LoadedRow {
  readonly databaseId: string;
  readonly node: RowHistory & Pick<Node, "id" | "title">;
  /** If other rows are computed from this one, only the values that they need. */
  readonly values: Values;
  /** Ids of related rows, by id of the relation property; undefined if none were loaded. */
  readonly links: ReadonlyMap<string, readonly string[]> | undefined;
}

/** A row whose values are requested. */
export interface RequestedRow extends LoadedRow {
  /** The parsed document of the row. */
  readonly doc: RowDoc;
}

/** One computed property, for some rows of its database. */
export interface ComputedValues {
  readonly property: ComputedProperty;
  readonly rows: readonly LoadedRow[];
}

/** Everything that an evaluation reads. */
export interface EvaluationInput {
  /** Rows by id: the requested rows, and the rows that they are computed from. */
  readonly rows: ReadonlyMap<string, LoadedRow>;
  /** Names of users by id. */
  readonly users: ReadonlyMap<string, string | null>;
  schemaOf(databaseId: string): Schema;
  readonly compile: PropertyCompiler;
  /** The values to compute for all these rows, each after the values that it depends on. */
  readonly computed: readonly ComputedValues[];
  /** The budget of the reply; values beyond it are missing. */
  readonly budget: ComputeBudget;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Computes values of the input's rows, each of them once. */
export interface Evaluation {
  /** The data besides its document that the row's reply needs. */
  contextOf(row: LoadedRow): RowContext;
  /** A property's value in the form of a reply. */
  valueOf(row: LoadedRow, property: Property): PropertyValue;
  /** Does more of what can be done in slices before a value is computed; false once all is done. */
  prepareMore(row: LoadedRow, property: ComputedProperty): boolean;
  /** The values that a rollup collects: the target's value of every related row, in order. */
  collected(row: LoadedRow, property: PropertyOf<"rollup">): CollectedValue[];
  /** The property whose values a rollup collects. */
  targetOf(row: LoadedRow, property: PropertyOf<"rollup">): Property | undefined;
  /** Plain title of a row; `""` if it is unknown. */
  titleOf(id: string): string;
  /** Name of a user; `""` if it is unknown. */
  nameOf(id: string): string;
}

/** Creates an evaluation; values are computed on demand. */
export function createEvaluation(input: EvaluationInput): Evaluation {
  const titleOf = (id: string) => input.rows.get(id)?.node.title ?? "";
  const nameOf = (id: string) => input.users.get(id) ?? "";
  const reading: ValueReading = {
    timeZone: TIME_ZONE,
    // No e-mail addresses: a formula would show them to readers who may not see them.
    user: (id) => ({ name: input.users.get(id) ?? null, email: null }),
    title: titleOf,
  };
  const cached = createCache((property, row) => compute(property, row, parts));
  const contextOf = (row: LoadedRow): RowContext => ({
    node: row.node,
    now: input.now,
    links: ({ id }) => linksOf(row, id),
    computed(property: ComputedProperty) {
      return cached(property, row);
    },
  });
  const valueOf = (row: LoadedRow, property: Property) =>
    answerValue(property, row.values, contextOf(row));
  const { collectionOf, collectMore } = createCollector(input, valueOf);
  const pages = createPageLists(input, reading);
  const shared = { input, valueOf, reading, collectionOf, pagesOf: pages.of };
  const parts: ContextParts = { ...shared, evaluate: createEvaluator(shared) };
  const prepareMore: Evaluation["prepareMore"] = (row, property) =>
    property.type === "rollup" ? collectMore(row, property) : pages.addMore(row, property);
  const targetOf = (row: LoadedRow, property: PropertyOf<"rollup">) =>
    input.compile(row.databaseId, property).rollup?.target;
  return {
    contextOf,
    valueOf,
    collected: (row, property) => collectionOf(row, property).values,
    prepareMore,
    targetOf,
    titleOf,
    nameOf,
  };
}

interface ContextParts {
  readonly input: EvaluationInput;
  readonly valueOf: Evaluation["valueOf"];
  readonly reading: ValueReading;
  readonly collectionOf: Collector["collectionOf"];
  readonly pagesOf: PageLists["of"];
  /** A formula's value in the form that other formulas read. */
  evaluate(row: LoadedRow, property: PropertyOf<"formula">): FormulaValue;
}

/** Ids of the rows that a relation of a row leads to, in order. */
function linksOf({ links }: LoadedRow, relationPropertyId: string): readonly string[] {
  return links?.get(relationPropertyId) ?? [];
}

type Compute = (property: ComputedProperty, row: LoadedRow) => unknown;

/** Computes each value once. */
function createCache(compute: Compute): Compute {
  const byRow = new Map<LoadedRow, Map<string, unknown>>();
  return (property, row) => {
    const values = byRow.get(row) ?? new Map<string, unknown>();
    byRow.set(row, values);
    if (!values.has(property.id)) values.set(property.id, compute(property, row));
    return values.get(property.id);
  };
}

function compute(property: ComputedProperty, row: LoadedRow, parts: ContextParts): unknown {
  return property.type === "formula"
    ? formulaResult(property, row, parts)
    : rollupResult(property, row, parts);
}

function rollupResult(
  property: PropertyOf<"rollup">,
  row: LoadedRow,
  { input: { budget }, collectionOf }: ContextParts,
): unknown {
  if (isExhausted(budget)) return unsupportedRollup(property.function);
  const { values, rollup, characters } = collectionOf(row, property);
  budget.left -= values.length;
  chargeForResult(budget, characters);
  // A sum or count of incomplete values would be wrong.
  return isExhausted(budget) ? unsupportedRollup(property.function) : rollup.value();
}

/** Number of related rows whose values are collected in one slice: they may be long. */
const COLLECTED = 50;
/** Number of related rows that are listed in one slice. */
const LISTED = 1_000;

/** The values that a rollup has collected so far. */
interface Collection {
  readonly values: CollectedValue[];
  readonly rollup: Rollup;
  /** Number of related rows that were visited. */
  rows: number;
  /** Number of characters of the listed values. */
  characters: number;
}

interface Collector {
  /** Collects more of a rollup's values; false once all of them are collected. */
  collectMore(row: LoadedRow, property: PropertyOf<"rollup">): boolean;
  /** All values that a rollup collects. */
  collectionOf(row: LoadedRow, property: PropertyOf<"rollup">): Readonly<Collection>;
}

/** Collects the values of rollups in slices, once for each row. */
function createCollector(
  { rows, compile }: EvaluationInput,
  valueOf: Evaluation["valueOf"],
): Collector {
  const collections = new Map<LoadedRow, Map<string, Collection>>();
  const started = (row: LoadedRow, property: PropertyOf<"rollup">): Collection => {
    const ofRow = collections.get(row) ?? new Map<string, Collection>();
    collections.set(row, ofRow);
    const collection = ofRow.get(property.id) ?? {
      values: [],
      rollup: startRollup(property.function, compile(row.databaseId, property)),
      rows: 0,
      characters: 0,
    };
    ofRow.set(property.id, collection);
    return collection;
  };
  const collectMore: Collector["collectMore"] = (row, property) => {
    const { rollup: compiled } = compile(row.databaseId, property);
    if (compiled === undefined) return false;
    const collection = started(row, property);
    const related = linksOf(row, compiled.relation.id);
    const { items } = collection.rollup;
    const listed = items.length;
    for (const id of related.slice(collection.rows, collection.rows += COLLECTED)) {
      const other = rows.get(id);
      if (other !== undefined) collect(collection, unnamed(valueOf(other, compiled.target)));
    }
    collection.characters += sizeOf(items.slice(listed));
    return collection.rows < related.length;
  };
  return {
    collectMore,
    collectionOf(row, property) {
      while (collectMore(row, property));
      return started(row, property);
    },
  };
}

function collect({ values, rollup }: Collection, value: CollectedValue): void {
  values.push(value);
  rollup.add(value);
}

/** The pages that formulas read from relations. */
interface PageLists {
  /** Adds to a long list that a formula reads; false once all of them are complete. */
  addMore(row: LoadedRow, property: PropertyOf<"formula">): boolean;
  of(row: LoadedRow, relationPropertyId: string): readonly FormulaPage[];
}

/** Makes long lists in slices, and each of them once for all formulas of a row. */
function createPageLists({ compile }: EvaluationInput, reading: ValueReading): PageLists {
  const lists = new Map<LoadedRow, Map<string, FormulaPage[]>>();
  const listOf = (row: LoadedRow, relationPropertyId: string): FormulaPage[] => {
    const ofRow = lists.get(row) ?? new Map<string, FormulaPage[]>();
    lists.set(row, ofRow);
    const list = ofRow.get(relationPropertyId) ?? [];
    ofRow.set(relationPropertyId, list);
    return list;
  };
  const lengthen = (row: LoadedRow, relationPropertyId: string): boolean => {
    const ids = linksOf(row, relationPropertyId);
    const list = listOf(row, relationPropertyId);
    for (const id of ids.slice(list.length, list.length + LISTED)) list.push(pageOf(id, reading));
    return list.length < ids.length;
  };
  const isLong = (row: LoadedRow, propertyId: string) => linksOf(row, propertyId).length > LISTED;
  return {
    addMore(row, property) {
      const { formula } = compile(row.databaseId, property);
      return formula?.propertyIds.some((id) => isLong(row, id) && lengthen(row, id)) ?? false;
    },
    of(row, relationPropertyId) {
      if (!isLong(row, relationPropertyId)) {
        return linksOf(row, relationPropertyId).map((id) => pageOf(id, reading));
      }
      while (lengthen(row, relationPropertyId));
      return listOf(row, relationPropertyId);
    },
  };
}

/** Number of characters of all texts in a result. */
function sizeOf(result: unknown): number {
  if (typeof result === "string") return result.length;
  if (typeof result !== "object" || result === null) return 0;
  return Object.values(result).reduce((size: number, inner) => size + sizeOf(inner), 0);
}

/** A value in the form that rollups return, without the id of its property. */
function unnamed(value: PropertyValue): CollectedValue {
  // Sound because rollups collect neither rollups nor buttons; all other types have this form.
  return { type: value.type, [value.type]: Reflect.get(value, value.type) } as CollectedValue;
}

function formulaResult(
  property: PropertyOf<"formula">,
  row: LoadedRow,
  parts: ContextParts,
): unknown {
  const { kind } = parts.input.compile(row.databaseId, property);
  const resultType = kind === undefined || kind === "array" ? "string" : kind;
  const result = toFormulaResult(parts.evaluate(row, property), {
    resultType,
    timeZone: TIME_ZONE,
  });
  if (result.type !== "string" || result.string === null) return result;
  const { budget } = parts.input;
  chargeForResult(budget, result.string.length);
  return isExhausted(budget) ? { ...result, string: null } : result;
}

/** Evaluates each formula of each row once, in the form that formulas read, which may be a list. */
function createEvaluator(parts: Omit<ContextParts, "evaluate">): ContextParts["evaluate"] {
  const byRow = new Map<LoadedRow, Map<string, FormulaValue>>();
  const evaluate: ContextParts["evaluate"] = (row, property) => {
    const values = byRow.get(row) ?? new Map<string, FormulaValue>();
    byRow.set(row, values);
    const cached = values.get(property.id);
    if (cached !== undefined) return cached;
    const { formula } = parts.input.compile(row.databaseId, property);
    const value = formula?.evaluate(environmentOf(row, { ...parts, evaluate })) ?? null;
    // A value computed from missing values would be wrong.
    const complete = isExhausted(parts.input.budget) ? null : value;
    values.set(property.id, complete);
    return complete;
  };
  return evaluate;
}

function environmentOf(
  row: LoadedRow,
  { input, valueOf, reading, evaluate, pagesOf }: ContextParts,
): FormulaEnv {
  const read = (of: LoadedRow, propertyId: string): FormulaValue => {
    const property = input.schemaOf(of.databaseId).find(({ id }) => id === propertyId);
    if (property === undefined) return null;
    if (property.type === "relation") return pagesOf(of, property.id);
    return property.type === "formula"
      ? evaluate(of, property)
      : valueOfProperty(valueOf(of, property), reading);
  };
  return {
    now: input.now,
    timeZone: TIME_ZONE,
    pageId: row.node.id,
    shared: input.budget,
    property: (id) => read(row, id),
    related(pageId, propertyId) {
      const other = input.rows.get(pageId);
      return other === undefined ? null : read(other, propertyId);
    },
  };
}
