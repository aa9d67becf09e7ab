/**
 * Compiles the syntax tree of a formula to closures and checks its types.
 *
 * @module
 */
import type { BinaryNode, FormulaNode, ListNode, NameNode, UnaryNode } from "./ast.ts";
import { compileCall } from "./call.ts";
import type { CompiledExpression, FormulaBindings } from "./environment.ts";
import { didYouMean, issueAt } from "./issues.ts";
import type { Compiler } from "./functions/define.ts";
import { compileChoice } from "./functions/logic.ts";
import { FUNCTIONS } from "./functions/table.ts";
import { binary, negation, negative, positive } from "./operators.ts";
import { type Compilation, compileProperty, compileRelated } from "./references.ts";
import {
  BOOLEAN,
  commonType,
  EMPTY_TYPE,
  type FormulaType,
  listOf,
  NUMBER,
  TEXT,
  typeName,
} from "./types.ts";
import type { FormulaValue } from "./values.ts";
import {
  boundedList,
  MAX_FORMULA_ISSUES,
  MAX_PATTERNS,
  MAX_REPEATED,
  NODE_COST,
  spend,
} from "./compute_budget.ts";

interface Variable {
  readonly name: string;
  readonly type: FormulaType;
  readonly slot: number;
  readonly outer: Variable | undefined;
}

/**
 * Replaces an expression with an issue. Its type fits everywhere, so one mistake is reported once.
 */
const INVALID: CompiledExpression = { type: EMPTY_TYPE, run: () => null };

const REPEATED_TOO_MUCH =
  `The regular expressions of the formula repeat too much, or have too many classes: written out, they have more than ${MAX_REPEATED} characters more than the formula`;
const TOO_LONG_PATTERNS =
  `The regular expressions of the formula have more than ${MAX_PATTERNS} characters together, with their repetitions and classes written out`;

const CONSTANTS = new Map<string, CompiledExpression>([
  ["true", constant(BOOLEAN, true)],
  ["false", constant(BOOLEAN, false)],
  ["pi", constant(NUMBER, Math.PI)],
  ["e", constant(NUMBER, Math.E)],
]);

/** A compiler that records issues and references in `compilation`. */
export function createCompiler(compilation: Compilation, bindings: FormulaBindings): Compiler {
  return compilerWith(compilation, bindings, undefined);
}

function compilerWith(
  compilation: Compilation,
  bindings: FormulaBindings,
  variables: Variable | undefined,
): Compiler {
  const compiler: Compiler = {
    compile(node) {
      compilation.cost += NODE_COST;
      return compileNode(node, compiler, variables);
    },
    cost: () => compilation.cost,
    declare(name, type) {
      const slot = compilation.slots++;
      const inner = { name, type, slot, outer: variables };
      return { slot, compiler: compilerWith(compilation, bindings, inner) };
    },
    report(node, message) {
      const start = node.kind === "call" ? node.nameStart : node.start;
      if (compilation.issues.length < MAX_FORMULA_ISSUES) {
        const text = typeof message === "string" ? message : message();
        compilation.issues.push(issueAt(compilation.expression, start, text));
      }
      return INVALID;
    },
    property: (node) => compileProperty(node, { compiler, compilation, bindings }),
    relatedProperty: (pages, node) =>
      compileRelated(node, pages, { compiler, compilation, bindings }),
    keep(size) {
      compilation.kept += size;
      if (compilation.kept > MAX_PATTERNS) return TOO_LONG_PATTERNS;
      const most = compilation.expression.length + MAX_REPEATED;
      return compilation.kept > most ? REPEATED_TOO_MUCH : undefined;
    },
    noteNow() {
      compilation.usesNow = true;
    },
  };
  return compiler;
}

function compileNode(
  node: FormulaNode,
  compiler: Compiler,
  variables: Variable | undefined,
): CompiledExpression {
  switch (node.kind) {
    case "text":
      return constant(TEXT, node.value);
    case "number":
      return constant(NUMBER, node.value);
    case "name":
      return compileName(node, compiler, variables);
    case "list":
      return compileList(node, compiler);
    case "call":
      return compileCall(node, compiler);
    case "unary":
      return compileUnary(node, compiler);
    case "binary":
      return compileBinary(node, compiler);
    case "choice":
      return compileChoice([node.condition, node.then, node.otherwise], compiler, "? :");
  }
}

function constant(type: FormulaType, value: FormulaValue): CompiledExpression {
  return { type, run: () => value };
}

function compileName(
  node: NameNode,
  compiler: Compiler,
  variables: Variable | undefined,
): CompiledExpression {
  const { name } = node;
  for (let variable = variables; variable !== undefined; variable = variable.outer) {
    if (variable.name === name) {
      const { slot, type } = variable;
      return { type, run: (frame) => frame.slots[slot] ?? null };
    }
  }
  return CONSTANTS.get(name) ?? compiler.report(node, () => unknownName(name, variables));
}

function unknownName(name: string, variables: Variable | undefined): string {
  if (name === "current" || name === "index") {
    return `${name} is only available inside a function that goes through a list, such as map()`;
  }
  if (FUNCTIONS.has(name)) return `${name} is a function: expected ${name}(`;
  const names = [...CONSTANTS.keys()];
  for (let one = variables; one !== undefined; one = one.outer) names.push(one.name);
  return `There is no ${name}${didYouMean(name, names, (best) => best)}`;
}

function compileList({ items }: ListNode, compiler: Compiler): CompiledExpression {
  let of: FormulaType = EMPTY_TYPE;
  const runs = items.map((item) => {
    const { type, run } = compiler.compile(item);
    const common = commonType(of, type);
    if (common === undefined) {
      const got = `${typeName(of)} and ${typeName(type)}`;
      return compiler.report(item, `A list holds values of one type, got ${got}`).run;
    }
    of = common;
    return run;
  });
  return {
    type: listOf(of),
    run: (frame) => {
      spend(frame, runs.length);
      return boundedList(runs.map((run) => run(frame)));
    },
  };
}

function compileUnary(node: UnaryNode, compiler: Compiler): CompiledExpression {
  const operand = compiler.compile(node.operand);
  if (node.operator === "not") return negation(operand);
  const typed = node.operator === "-" ? negative(operand) : positive(operand);
  return typed ??
    compiler.report(node, `${node.operator} expects a number, got ${typeName(operand.type)}`);
}

function compileBinary(node: BinaryNode, compiler: Compiler): CompiledExpression {
  const left = compiler.compile(node.left);
  const right = compiler.compile(node.right);
  const typed = binary(node.operator, left, right);
  if (!("expected" in typed)) return typed;
  const got = `${typeName(left.type)} and ${typeName(right.type)}`;
  return compiler.report(node, `${node.operator} expects ${typed.expected}, got ${got}`);
}
