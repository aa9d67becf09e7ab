/**
 * Formulas: an expression of the formula language is compiled once, against the properties that it
 * may read, and evaluated for any number of pages.
 *
 * @module
 */
import { createCompiler } from "./compiler.ts";
import type {
  FormulaBindings,
  FormulaEnv,
  Frame,
  RelatedReference,
  Run,
  Typed,
} from "./environment.ts";
import { type FormulaIssue, FormulaSyntaxError, issueAt } from "./issues.ts";
import { parseFormula } from "./parser.ts";
import { type Findings, withReferences } from "./references.ts";
import { EMPTY_TYPE, type FormulaResultType, type FormulaType, resultTypeOf } from "./types.ts";
import type { FormulaValue } from "./values.ts";
import { BEGINNING, LimitError, MAX_WORK, spend } from "./compute_budget.ts";

/** A formula ready to be evaluated; immutable. */
export interface CompiledFormula {
  readonly type: FormulaType;
  /** What its value is on the wire. */
  readonly resultType: FormulaResultType;
  /** Ids of the properties of its own page that it reads, each once. */
  readonly propertyIds: readonly string[];
  /** Properties of related databases that it reads, each once. */
  readonly related: readonly RelatedReference[];
  /** Whether its value changes with the clock. */
  readonly usesNow: boolean;
  /** The expression with its properties by id, as it is kept: see `shownExpression`. */
  readonly stored: string;
  /** The value for one page; empty where it would go beyond a bound. Never throws by itself. */
  evaluate(env: FormulaEnv): FormulaValue;
}

/**
 * Compiles an expression, or says what is wrong with it, 20 faults at most; never throws.
 *
 * ```ts
 * const formula = compileFormula('prop("Price") * 2', scope);
 * if (!Array.isArray(formula)) formula.evaluate(env); // 25
 * ```
 */
export function compileFormula(
  expression: string,
  scope: FormulaBindings,
): CompiledFormula | FormulaIssue[] {
  const findings: Findings = {
    expression,
    issues: [],
    propertyIds: new Set(),
    related: new Map(),
    uses: [],
    slots: 0,
    usesNow: false,
  };
  const { type, run } = compileTree(findings, scope);
  if (findings.issues.length > 0) return findings.issues;
  return {
    type,
    resultType: resultTypeOf(type),
    propertyIds: [...findings.propertyIds],
    related: [...findings.related.values()],
    usesNow: findings.usesNow,
    stored: withReferences(findings),
    evaluate: (env) => evaluate(run, env),
  };
}

const NOTHING: Typed = { type: EMPTY_TYPE, run: () => null };

function compileTree(findings: Findings, scope: FormulaBindings): Typed {
  try {
    return createCompiler(findings, scope).compile(parseFormula(findings.expression));
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError)) throw error;
    findings.issues.push(issueAt(findings.expression, error.offset, error.message));
    return NOTHING;
  }
}

function evaluate(run: Run, env: FormulaEnv): FormulaValue {
  const { shared } = env;
  const given = Math.min(MAX_WORK, shared?.left ?? MAX_WORK);
  const frame: Frame = { env, zone: env.timeZone, left: given, slots: [] };
  try {
    if (shared !== undefined) spend(shared, BEGINNING);
    return run(frame);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  } finally {
    if (shared !== undefined) shared.left -= given - frame.left;
  }
}
