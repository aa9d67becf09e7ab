/**
 * Functions of the formula language that do what its operators do.
 *
 * @module
 */
import type { BinaryOperator, CallNode } from "../ast.ts";
import type { Typed } from "../environment.ts";
import { binary, negation } from "../operators.ts";
import { BOOLEAN, EMPTY_TYPE, NUMBER, typeName } from "../types.ts";
import { type Compiler, defineForm, type FormulaFunction } from "./define.ts";
import { any, condition, number, type Parameter, rest } from "./parameters.ts";

/** The function that does what an operator does; of more than two arguments from the left. */
function operatorForm(operator: BinaryOperator) {
  return (call: CallNode, compiler: Compiler): Typed => {
    const [first = EMPTY, ...others] = call.arguments.map((node) => compiler.compile(node));
    return others.reduce((left, right) => {
      const typed = binary(operator, left, right);
      if (!("expected" in typed)) return typed;
      const got = `${typeName(left.type)} and ${typeName(right.type)}`;
      return compiler.refuse(call, `${call.name}() expects ${typed.expected}, got ${got}`);
    }, first);
  };
}

const EMPTY: Typed = { type: EMPTY_TYPE, run: () => null };

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

/** Those of conditions and equality. */
export const LOGICAL: readonly FormulaFunction[] = [
  defineOperator({
    name: "and",
    operator: "and",
    parameters: [condition("first"), condition("second"), rest(condition("more"))],
    returns: BOOLEAN,
    description: "Whether all conditions hold; as `and` and `&&` do.",
    examples: [["and(true, 1 < 2)", "true"], ["true && false", "false"]],
  }),
  defineOperator({
    name: "or",
    operator: "or",
    parameters: [condition("first"), condition("second"), rest(condition("more"))],
    returns: BOOLEAN,
    description: "Whether any condition holds; as `or` and `||` do.",
    examples: [["or(false, 1 < 2)", "true"], ["false || false", "false"]],
  }),
  defineForm({
    name: "not",
    parameters: [condition("condition")],
    returns: BOOLEAN,
    description: "Whether the condition does not hold; as `not` and `!` do.",
    examples: [["not(true)", "false"], ["!false", "true"]],
    form: ({ arguments: [node] }, compiler) =>
      negation(node === undefined ? EMPTY : compiler.compile(node)),
  }),
  defineOperator({
    name: "equal",
    operator: "==",
    parameters: [any("first"), any("second")],
    returns: BOOLEAN,
    description: "Whether two values of one type are equal; as `==` does.",
    examples: [['equal("a", "a")', "true"], ["1 == 2", "false"]],
  }),
  defineOperator({
    name: "unequal",
    operator: "!=",
    parameters: [any("first"), any("second")],
    returns: BOOLEAN,
    description: "Whether two values of one type are not equal; as `!=` does.",
    examples: [['unequal("a", "b")', "true"], ["1 != 1", "false"]],
  }),
];

/** Those of numbers. */
export const ARITHMETIC: readonly FormulaFunction[] = [
  defineOperator({
    name: "add",
    operator: "+",
    parameters: [any("a"), any("b")],
    returns: { label: "number or text", of: () => NUMBER },
    description: "The sum of two numbers, or two values as one text; as `+` does.",
    examples: [["add(5, 10)", "15"], ['"a" + 1', '"a1"']],
  }),
  defineOperator({
    name: "subtract",
    operator: "-",
    parameters: TWO,
    returns: NUMBER,
    description: "The difference of two numbers; as `-` does.",
    examples: [["subtract(5, 10)", "-5"]],
  }),
  defineOperator({
    name: "multiply",
    operator: "*",
    parameters: TWO,
    returns: NUMBER,
    description: "The product of two numbers; as `*` does.",
    examples: [["multiply(5, 10)", "50"]],
  }),
  defineOperator({
    name: "divide",
    operator: "/",
    parameters: TWO,
    returns: NUMBER,
    description: "The quotient of two numbers, empty where the second is 0; as `/` does.",
    examples: [["divide(5, 10)", "0.5"], ["1 / 0", "empty"]],
  }),
  defineOperator({
    name: "mod",
    operator: "%",
    parameters: TWO,
    returns: NUMBER,
    description: "The remainder of a division, with the sign of the first number; as `%` does.",
    examples: [["mod(7, 4)", "3"], ["-7 % 4", "-3"]],
  }),
  defineOperator({
    name: "pow",
    operator: "^",
    parameters: TWO,
    returns: NUMBER,
    description: "A number to the power of another; as `^` does.",
    examples: [["pow(5, 2)", "25"], ["2 ^ 3 ^ 2", "512"]],
  }),
];
