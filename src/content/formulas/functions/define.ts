/**
 * Declares functions of the formula language: parameters, result and behaviour.
 *
 * @module
 */
import type { CallNode, FormulaNode } from "../ast.ts";
import type { CompiledExpression, Frame } from "../environment.ts";
import { type FormulaType, typeName } from "../types.ts";
import type { FormulaValue } from "../values.ts";
import type { Parameter } from "./parameters.ts";

/** The headings of the list of functions in the documentation. */
export const CATEGORIES = [
  "Logic",
  "Text",
  "Numbers",
  "Dates",
  "Lists",
  "People and pages",
] as const;

/** A result type that depends on the arguments. */
export interface DerivedType {
  /** For the list of functions. */
  readonly label: string;
  /** The result type, or what was expected if the argument types do not go together. */
  of(types: readonly FormulaType[]): FormulaType | { readonly expected: string };
}

/** The part of the compiler that forms use. */
export interface Compiler {
  compile(node: FormulaNode): CompiledExpression;
  /** A compiler with one more variable, whose value is in `slots[slot]` of a frame. */
  declare(
    name: string,
    type: FormulaType,
  ): { readonly slot: number; readonly compiler: Compiler };
  /** Reports an issue at a node. A message that is costly to build can be passed as a function. */
  report(node: FormulaNode, message: string | (() => string)): CompiledExpression;
  /** The page's property with a literal name; reports an issue if there is none. */
  property(node: FormulaNode): CompiledExpression;
  /** The property of the page that another expression evaluates to. */
  relatedProperty(pages: CompiledExpression, node: FormulaNode): CompiledExpression;
  /** Units of work that everything compiled so far costs for an item of a list. */
  cost(): number;
  /** Counts the room that a literal takes. Returns an issue if the literals take too much. */
  keep(size: number): string | undefined;
  /** Records that the value changes with the clock. */
  noteNow(): void;
}

interface Declaration {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: FormulaType | DerivedType;
  readonly description: string;
  /** Expressions and their results, both in the notation of the language. */
  readonly examples: readonly (readonly [expression: string, result: string])[];
}

/** A function of the language. */
export interface FormulaFunction extends Declaration {
  /**
   * Receives the arguments as its parameters read them; those of a `rest` parameter as one array.
   */
  readonly call?: (values: readonly unknown[], frame: Frame) => FormulaValue;
  /** Compiles a call, instead of `call`. */
  readonly form?: (call: CallNode, compiler: Compiler) => CompiledExpression;
  /** True if its value changes with the clock. */
  readonly usesNow?: boolean;
}

type ValuesOf<P extends readonly Parameter[]> = {
  readonly [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

interface CallOf<P extends readonly Parameter[]> extends Declaration {
  readonly parameters: P;
  readonly call: (values: ValuesOf<P>, frame: Frame) => FormulaValue;
  readonly usesNow?: boolean;
}

/** Declares a function that evaluates all its arguments. */
export function define<const P extends readonly Parameter[]>(spec: CallOf<P>): FormulaFunction {
  // Sound because the compiler reads each argument with its own parameter.
  return { ...spec, call: spec.call as FormulaFunction["call"] & CallOf<P>["call"] };
}

/** Declares a form, which compiles its own calls. */
export function defineForm(
  spec: Declaration & Required<Pick<FormulaFunction, "form">>,
): FormulaFunction {
  return spec;
}

/** The type of the items of the list that is the first argument. */
export const itemOfFirst: DerivedType = {
  label: "an item",
  of: ([first]) => first === undefined || first.kind !== "list" ? { kind: "empty" } : first.of,
};

/** The type of the first argument. */
export const sameAsFirst: DerivedType = {
  label: "same as its first argument",
  of: ([first]) => first ?? { kind: "empty" },
};

/** The name of a result type in the list of functions. */
export function returnsLabel(returns: FormulaFunction["returns"]): string {
  return "label" in returns ? returns.label : typeName(returns);
}
