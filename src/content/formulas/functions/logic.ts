/**
 * Functions of the formula language that read properties, choose values and name them.
 *
 * @module
 */
import type { CallNode, FormulaNode } from "../ast.ts";
import type { CompiledExpression } from "../environment.ts";
import { BOOLEAN, commonType, EMPTY_TYPE, type FormulaType, typeName } from "../types.ts";
import { isEmpty } from "../values.ts";
import {
  type Compiler,
  define,
  defineForm,
  type DerivedType,
  type FormulaFunction,
} from "./define.ts";
import { any, condition, optional, rest, text, variable } from "./parameters.ts";

const ANYTHING: DerivedType = { label: "any type", of: () => EMPTY_TYPE };

/**
 * Compiles alternating conditions and values. A value without a condition at the end is the result
 * if no condition holds.
 */
export function compileChoice(
  nodes: readonly FormulaNode[],
  compiler: Compiler,
  name: string,
): CompiledExpression {
  const conditions: CompiledExpression[] = [];
  const values: CompiledExpression[] = [];
  let type: FormulaType = EMPTY_TYPE;
  for (const [i, node] of nodes.entries()) {
    const typed = compiler.compile(node);
    if (i % 2 === 0 && i < nodes.length - 1) {
      conditions.push(typed);
      continue;
    }
    const common = commonType(type, typed.type);
    const got = `${typeName(type)} and ${typeName(typed.type)}`;
    values.push(
      common === undefined
        ? compiler.report(node, `${name} expects values of one type, got ${got}`)
        : typed,
    );
    type = common ?? type;
  }
  return { type, run: choose(conditions, values) };
}

function choose(
  conditions: readonly CompiledExpression[],
  values: readonly CompiledExpression[],
): CompiledExpression["run"] {
  return (frame) => {
    let chosen = 0;
    while (chosen < conditions.length && isEmpty(conditions[chosen]?.run(frame) ?? null)) chosen++;
    return values[chosen]?.run(frame) ?? null;
  };
}

const RESERVED = new Set(["true", "false", "current", "index"]);

/** Compiles `let(name, value, body)`, and `lets` with any number of names and values. */
function compileLets(call: CallNode, compiler: Compiler): CompiledExpression {
  const nodes = call.arguments;
  if (nodes.length % 2 === 0) {
    return compiler.report(call, `${call.name}() expects names and values in turn, and a result`);
  }
  let inner = compiler;
  const settings: { readonly slot: number; readonly run: CompiledExpression["run"] }[] = [];
  for (let i = 0; i + 2 < nodes.length; i += 2) {
    const [name, value] = [nodes[i], nodes[i + 1]];
    if (name === undefined || value === undefined) break;
    if (name.kind !== "name" || RESERVED.has(name.name)) {
      return inner.report(name, `${call.name}() expects the name of a variable`);
    }
    const { type, run } = inner.compile(value);
    const declared = inner.declare(name.name, type);
    settings.push({ slot: declared.slot, run });
    inner = declared.compiler;
  }
  return withSettings(settings, inner.compile(nodes.at(-1) ?? call));
}

function withSettings(
  settings: readonly { readonly slot: number; readonly run: CompiledExpression["run"] }[],
  { type, run }: CompiledExpression,
): CompiledExpression {
  return {
    type,
    run: (frame) => {
      for (const { slot, run: value } of settings) frame.slots[slot] = value(frame);
      return run(frame);
    },
  };
}

function compileProp(call: CallNode, compiler: Compiler): CompiledExpression {
  const [first = call, second] = call.arguments;
  if (second === undefined && !call.dotted) return compiler.property(first);
  if (second !== undefined && call.dotted) {
    return compiler.relatedProperty(compiler.compile(first), second);
  }
  return compiler.report(call, 'prop() is written prop("Name") or page.prop("Name")');
}

export const LOGIC: readonly FormulaFunction[] = [
  defineForm({
    name: "prop",
    parameters: [optional(any("page")), text("name")],
    returns: { label: "the property's type", of: () => EMPTY_TYPE },
    description:
      'The value of a property of this page; after a dot, of the page before the dot: `current.prop("Status")`.',
    examples: [['prop("Price") * 2', "25"]],
    form: compileProp,
  }),
  defineForm({
    name: "if",
    parameters: [condition("condition"), any("then"), any("otherwise")],
    returns: ANYTHING,
    description: "The second value if the condition holds, otherwise the third; same as `? :`.",
    examples: [['if(2 > 1, "yes", "no")', '"yes"'], ['2 < 1 ? "yes" : "no"', '"no"']],
    form: (call, compiler) => compileChoice(call.arguments, compiler, "if()"),
  }),
  defineForm({
    name: "ifs",
    parameters: [condition("condition"), any("value"), rest(any("more"))],
    returns: ANYTHING,
    description:
      "The value after the first condition that holds. If none holds, the last value, if it has no condition.",
    examples: [['ifs(1 > 2, "a", 2 > 1, "b", "c")', '"b"'], ['ifs(false, "a", "c")', '"c"']],
    form: (call, compiler) => compileChoice(call.arguments, compiler, "ifs()"),
  }),
  define({
    name: "empty",
    parameters: [optional(any("value"))],
    returns: { label: "boolean", of: ({ length }) => length === 0 ? EMPTY_TYPE : BOOLEAN },
    description:
      'Whether a value is missing, `""`, `0`, `false` or `[]`. Without a value, the missing value itself.',
    examples: [["empty(0)", "true"], ['empty("text")', "false"], ["empty()", "empty"]],
    call: ([value]) => value === undefined ? null : isEmpty(value),
  }),
  defineForm({
    name: "let",
    parameters: [variable("variable"), any("value"), any("result")],
    returns: ANYTHING,
    description: "Names a value for use in a result.",
    examples: [['let(person, "Ada", "Hello, " + person)', '"Hello, Ada"']],
    form: compileLets,
  }),
  defineForm({
    name: "lets",
    parameters: [variable("variable"), any("value"), rest(any("more"))],
    returns: ANYTHING,
    description: "Names several values for use in a result; each may use those before it.",
    examples: [["lets(a, 2, b, a * 3, a + b)", "8"]],
    form: compileLets,
  }),
];
