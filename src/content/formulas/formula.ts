/**
 * Compiles an expression of the formula language once, to be evaluated for any number of pages.
 *
 * @module
 */
import { createCompiler } from "./compiler.ts";
import type {
  CompiledExpression,
  FormulaBindings,
  FormulaEnv,
  Frame,
  RelatedReference,
  Run,
} from "./environment.ts";
import { type FormulaIssue, FormulaSyntaxError, issueAt } from "./issues.ts";
import { parseFormula } from "./parser.ts";
import { type Compilation, withReferences } from "./references.ts";
import { EMPTY_TYPE, type FormulaResultType, type FormulaType, resultTypeOf } from "./types.ts";
import type { FormulaValue } from "./values.ts";
import { LimitError, MAX_WORK, spend, START_COST } from "./compute_budget.ts";

/** A compiled formula; immutable. */
export interface CompiledFormula {
  readonly type: FormulaType;
  /** The type of its result in the API. */
  readonly resultType: FormulaResultType;
  /** Distinct ids of the properties of its own page that it reads. */
  readonly propertyIds: readonly string[];
  /** Distinct properties of related databases that it reads. */
  readonly related: readonly RelatedReference[];
  /** True if its value changes with the clock. */
  readonly usesNow: boolean;
  /** The expression in its stored form, with ids instead of names: see `shownExpression`. */
  readonly stored: string;
  /** The value for one page; empty if the evaluation exceeds a limit. Throws only if `env` does. */
  evaluate(env: FormulaEnv): FormulaValue;
}

/**
 * Compiles an expression, or returns what is wrong with it, at most 20 issues. Never throws.
 *
 * ```ts
 * const formula = compileFormula('prop("Price") * 2', bindings);
 * if (!Array.isArray(formula)) formula.evaluate(env); // 25
 * ```
 */
export function compileFormula(
  expression: string,
  bindings: FormulaBindings,
): CompiledFormula | FormulaIssue[] {
  const compilation: Compilation = {
    expression,
    issues: [],
    propertyIds: new Set(),
    related: new Map(),
    uses: [],
    slots: 0,
    cost: 0,
    kept: 0,
    usesNow: false,
  };
  const { type, run } = compileTree(compilation, bindings);
  if (compilation.issues.length > 0) return compilation.issues;
  return {
    type,
    resultType: resultTypeOf(type),
    propertyIds: [...compilation.propertyIds],
    related: [...compilation.related.values()],
    usesNow: compilation.usesNow,
    stored: withReferences(compilation),
    evaluate: (env) => evaluate(run, env),
  };
}

const NOTHING: CompiledExpression = { type: EMPTY_TYPE, run: () => null };

function compileTree(compilation: Compilation, bindings: FormulaBindings): CompiledExpression {
  try {
    return createCompiler(compilation, bindings).compile(parseFormula(compilation.expression));
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError)) throw error;
    compilation.issues.push(issueAt(compilation.expression, error.offset, error.message));
    return NOTHING;
  }
}

function evaluate(run: Run, env: FormulaEnv): FormulaValue {
  const { shared } = env;
  const limit = Math.min(MAX_WORK, shared?.left ?? MAX_WORK);
  const frame: Frame = { env, zone: env.timeZone, left: limit, slots: [] };
  try {
    if (shared !== undefined) spend(shared, START_COST);
    return run(frame);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  } finally {
    if (shared !== undefined) shared.left -= limit - frame.left;
  }
}
