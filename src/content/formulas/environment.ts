/**
 * The properties a formula is compiled against, and the environment it is evaluated in.
 *
 * @module
 */
import type { FormulaType } from "./types.ts";
import type { ComparisonContext, FormulaValue } from "./values.ts";
import type { ComputeBudget } from "./compute_budget.ts";

/** The part of a property that the compiler reads. */
export interface PropertyBinding {
  readonly id: string;
  /** Undefined if formulas cannot read it: a button, or a property that depends on this formula. */
  readonly type: FormulaType | undefined;
}

/** Resolves the names of the properties that a formula may read. */
export interface FormulaBindings {
  /** Undefined if there is none. */
  property(nameOrId: string): PropertyBinding | undefined;
  /** All names, to suggest one for a misspelt name. */
  readonly names: readonly string[];
  /** The properties of a related database; undefined if formulas cannot read them. */
  related?(databaseId: string): FormulaBindings | undefined;
}

/** Everything one evaluation reads besides the expression. */
export interface FormulaEnv {
  /** Milliseconds since the epoch; formulas round it down to the minute. */
  readonly now: number;
  /** IANA name of an existing time zone, which decides when days begin and what clocks show. */
  readonly timeZone: string;
  /** The page that the formula is evaluated for. */
  readonly pageId: string;
  /** The budget of this evaluation and others; without it, the limit of one evaluation applies. */
  readonly shared?: ComputeBudget;
  /** The value of a property of that page, of the type in its bindings. */
  property(propertyId: string): FormulaValue;
  /** The value of a property of a related page. */
  related?(pageId: string, propertyId: string): FormulaValue;
}

/** A property of a related database that a formula reads. */
export interface RelatedReference {
  readonly databaseId: string;
  readonly propertyId: string;
}

/** The state of one evaluation. */
export interface Frame extends ComparisonContext {
  readonly env: FormulaEnv;
  /** The values of variables, and of `current` and `index`, by slot. */
  readonly slots: FormulaValue[];
}

/** Evaluates a compiled expression. */
export type Run = (frame: Frame) => FormulaValue;

/** A compiled expression and its type. */
export interface CompiledExpression {
  readonly type: FormulaType;
  readonly run: Run;
}
