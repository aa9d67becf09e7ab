/**
 * How a function of the formula language is declared: its parameters, its result and what it does.
 *
 * @module
 */
import type { CallNode, FormulaNode } from "../ast.ts";
import type { Frame, Typed } from "../environment.ts";
import { type FormulaType, typeName } from "../types.ts";
import type { FormulaValue } from "../values.ts";
import type { Parameter } from "./parameters.ts";

/** The headings of the table of functions. */
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
  /** For the table of functions. */
  readonly label: string;
  /** A fault where the types of the arguments do not go together. */
  of(types: readonly FormulaType[]): FormulaType | { readonly expected: string };
}

/** What a special form may ask of the compiler. */
export interface Compiler {
  compile(node: FormulaNode): Typed;
  /** A compiler that knows one more variable; its value stands in `slots[slot]` of a frame. */
  declare(
    name: string,
    type: FormulaType,
  ): { readonly slot: number; readonly compiler: Compiler };
  /** Notes a fault at a node, and stands for its value; a message that costs is made when needed. */
  refuse(node: FormulaNode, message: string | (() => string)): Typed;
  /** The row's property of a literal name; notes a fault where there is none. */
  property(node: FormulaNode): Typed;
  /** The same property of the pages that another expression gives. */
  relatedProperty(pages: Typed, node: FormulaNode): Typed;
  /** Notes that the value changes with the clock. */
  noteNow(): void;
}

interface Declaration {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: FormulaType | DerivedType;
  readonly description: string;
  /** Expressions and what they give, as the language writes it. */
  readonly examples: readonly (readonly [expression: string, result: string])[];
}

/** A function of the language. */
export interface FormulaFunction extends Declaration {
  /** The arguments as its parameters read them; those of a `rest` parameter are one array. */
  readonly call?: (values: readonly unknown[], frame: Frame) => FormulaValue;
  /** Compiles a call by itself, in place of `call`. */
  readonly form?: (call: CallNode, compiler: Compiler) => Typed;
  /** Whether its value changes with the clock. */
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

/** Declares a function whose arguments are all evaluated. */
export function define<const P extends readonly Parameter[]>(spec: CallOf<P>): FormulaFunction {
  // Sound because the compiler reads each argument by its own parameter.
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
  label: "as its first argument",
  of: ([first]) => first ?? { kind: "empty" },
};

/** The name of a result type in the table of functions. */
export function returnsLabel(returns: FormulaFunction["returns"]): string {
  return "label" in returns ? returns.label : typeName(returns);
}
