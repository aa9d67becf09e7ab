/**
 * The functions that correspond to operators of the formula language.
 *
 * @module
 */
import type { BinaryOperator, CallNode } from "../ast.ts";
import type { CompiledExpression } from "../environment.ts";
import { binary, negation } from "../operators.ts";
import { BOOLEAN, EMPTY_TYPE, NUMBER, typeName } from "../types.ts";
import { type Compiler, defineForm, type FormulaFunction } from "./define.ts";
import { any, condition, number, type Parameter, rest } from "./parameters.ts";

/** Compiles a call to the operator, from left to right if there are more than two arguments. */
function operatorForm(operator: BinaryOperator) {
  return (call: CallNode, compiler: Compiler): CompiledExpression => {
    const [first = EMPTY, ...others] = call.arguments.map((node) => compiler.compile(node));
    return others.reduce((left, right) => {
      const typed = binary(operator, left, right);
      if (!("expected" in typed)) return typed;
      const got = `${typeName(left.type)} and ${typeName(right.type)}`;
      return compiler.report(call, `${call.name}() expects ${typed.expected}, got ${got}`);
    }, first);
  };
}

const EMPTY: CompiledExpression = { type: EMPTY_TYPE, run: () => null };

interface OperatorFunction {
  readonly name: string;
  readonly operator: BinaryOperator;
  readonly parameters: readonly Parameter[];
  readonly returns: FormulaFunction["returns"];
  readonly description: string;
  readonly examples: FormulaFunction["examples"];
}

/** Declares the function of an operator. */
function defineOperator({ operator, ...spec }: OperatorFunction): FormulaFunction {
  return defineForm({ ...spec, form: operatorForm(operator) });
}

const TWO: readonly Parameter[] = [number("a"), number("b")];

/** The functions of logical operators and equality. */
export const LOGICAL: readonly FormulaFunction[] = [
  defineOperator({
    name: "and",
    operator: "and",
    parameters: [condition("first"), condition("second"), rest(condition("more"))],
    returns: BOOLEAN,
    description: "Whether all conditions hold; same as `and` and `&&`.",
    examples: [["and(true, 1 < 2)", "true"], ["true && false", "false"]],
  }),
  defineOperator({
    name: "or",
    operator: "or",
    parameters: [condition("first"), condition("second"), rest(condition("more"))],
    returns: BOOLEAN,
    description: "Whether any condition holds; same as `or` and `||`.",
    examples: [["or(false, 1 < 2)", "true"], ["false || false", "false"]],
  }),
  defineForm({
    name: "not",
    parameters: [condition("condition")],
    returns: BOOLEAN,
    description: "Whether the condition does not hold; same as `not` and `!`.",
    examples: [["not(true)", "false"], ["!false", "true"]],
    form: ({ arguments: [node] }, compiler) =>
      negation(node === undefined ? EMPTY : compiler.compile(node)),
  }),
  defineOperator({
    name: "equal",
    operator: "==",
    parameters: [any("first"), any("second")],
    returns: BOOLEAN,
    description: "Whether two values of one type are equal; same as `==`.",
    examples: [['equal("a", "a")', "true"], ["1 == 2", "false"]],
  }),
  defineOperator({
    name: "unequal",
    operator: "!=",
    parameters: [any("first"), any("second")],
    returns: BOOLEAN,
    description: "Whether two values of one type are not equal; same as `!=`.",
    examples: [['unequal("a", "b")', "true"], ["1 != 1", "false"]],
  }),
];

/** The functions of arithmetic operators. */
export const ARITHMETIC: readonly FormulaFunction[] = [
  defineOperator({
    name: "add",
    operator: "+",
    parameters: [any("a"), any("b")],
    returns: { label: "number or text", of: () => NUMBER },
    description: "The sum of two numbers, or two values as one text; same as `+`.",
    examples: [["add(5, 10)", "15"], ['"a" + 1', '"a1"']],
  }),
  defineOperator({
    name: "subtract",
    operator: "-",
    parameters: TWO,
    returns: NUMBER,
    description: "The difference of two numbers; same as `-`.",
    examples: [["subtract(5, 10)", "-5"]],
  }),
  defineOperator({
    name: "multiply",
    operator: "*",
    parameters: TWO,
    returns: NUMBER,
    description: "The product of two numbers; same as `*`.",
    examples: [["multiply(5, 10)", "50"]],
  }),
  defineOperator({
    name: "divide",
    operator: "/",
    parameters: TWO,
    returns: NUMBER,
    description: "The quotient of two numbers, empty if the second is 0; same as `/`.",
    examples: [["divide(5, 10)", "0.5"], ["1 / 0", "empty"]],
  }),
  defineOperator({
    name: "mod",
    operator: "%",
    parameters: TWO,
    returns: NUMBER,
    description: "The remainder of a division, with the sign of the first number; same as `%`.",
    examples: [["mod(7, 4)", "3"], ["-7 % 4", "-3"]],
  }),
  defineOperator({
    name: "pow",
    operator: "^",
    parameters: TWO,
    returns: NUMBER,
    description: "A number to the power of another; same as `^`.",
    examples: [["pow(5, 2)", "25"], ["2 ^ 3 ^ 2", "512"]],
  }),
];
