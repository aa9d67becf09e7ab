/**
 * What a formula is compiled against and evaluated in.
 *
 * @module
 */
import type { FormulaType } from "./types.ts";
import type { ComparisonContext, FormulaValue } from "./values.ts";
import type { ComputeBudget } from "./compute_budget.ts";

/** A property as formulas see it. */
export interface ScopeProperty {
  readonly id: string;
  /** Undefined where a formula cannot read it: a button, or a property that reads this formula. */
  readonly type: FormulaType | undefined;
}

/** The properties that a formula may read. */
export interface FormulaBindings {
  /** Undefined where there is none. */
  property(nameOrId: string): ScopeProperty | undefined;
  /** The names that a misspelt one may have meant. */
  readonly names: readonly string[];
  /** The properties of a related database; undefined where formulas cannot look into it. */
  related?(databaseId: string): FormulaBindings | undefined;
}

/** What one evaluation reads besides the expression. */
export interface FormulaEnv {
  /** Milliseconds since the epoch; formulas see it to the minute. */
  readonly now: number;
  /** IANA name of a zone that exists: days begin there, and clocks are read there. */
  readonly timeZone: string;
  /** The page whose formula it is. */
  readonly pageId: string;
  /** What is left for this evaluation and others; as much as one may do where absent. */
  readonly shared?: ComputeBudget;
  /** The value of a property of that page, of the type that its scope said. */
  property(propertyId: string): FormulaValue;
  /** The value of a property of a related page. */
  related?(pageId: string, propertyId: string): FormulaValue;
}

/** A property of a related database that a formula reads. */
export interface RelatedReference {
  readonly databaseId: string;
  readonly propertyId: string;
}

/** One evaluation under way. */
export interface Frame extends ComparisonContext {
  readonly env: FormulaEnv;
  /** The values of variables, and of `current` and `index`, by their place. */
  readonly slots: FormulaValue[];
}

/** An expression compiled. */
export type Run = (frame: Frame) => FormulaValue;

/** An expression compiled, with its type. */
export interface Typed {
  readonly type: FormulaType;
  readonly run: Run;
}
