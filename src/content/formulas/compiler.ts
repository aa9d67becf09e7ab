/**
 * Compiles the tree of a formula to closures, and checks its types on the way.
 *
 * @module
 */
import type { BinaryNode, FormulaNode, ListNode, NameNode, UnaryNode } from "./ast.ts";
import { compileCall } from "./call.ts";
import type { FormulaBindings, Typed } from "./environment.ts";
import { didYouMean, issueAt } from "./issues.ts";
import type { Compiler } from "./functions/define.ts";
import { compileChoice } from "./functions/logic.ts";
import { FUNCTIONS } from "./functions/table.ts";
import { binary, negation, negative, positive } from "./operators.ts";
import { compileProperty, compileRelated, type Findings } from "./references.ts";
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
import { boundedList, MAX_FORMULA_ISSUES, spend } from "./compute_budget.ts";

interface Variable {
  readonly name: string;
  readonly type: FormulaType;
  readonly slot: number;
  readonly outer: Variable | undefined;
}

/** Stands for what has a fault: its type fits everywhere, so that one mistake is told once. */
const REFUSED: Typed = { type: EMPTY_TYPE, run: () => null };

const CONSTANTS = new Map<string, Typed>([
  ["true", constant(BOOLEAN, true)],
  ["false", constant(BOOLEAN, false)],
  ["pi", constant(NUMBER, Math.PI)],
  ["e", constant(NUMBER, Math.E)],
]);

/** A compiler that notes what it finds. */
export function createCompiler(findings: Findings, scope: FormulaBindings): Compiler {
  return compilerWith(findings, scope, undefined);
}

function compilerWith(
  findings: Findings,
  scope: FormulaBindings,
  variables: Variable | undefined,
): Compiler {
  const compiler: Compiler = {
    compile: (node) => compileNode(node, compiler, variables),
    declare(name, type) {
      const slot = findings.slots++;
      const inner = { name, type, slot, outer: variables };
      return { slot, compiler: compilerWith(findings, scope, inner) };
    },
    refuse(node, message) {
      const start = node.kind === "call" ? node.nameStart : node.start;
      if (findings.issues.length < MAX_FORMULA_ISSUES) {
        const text = typeof message === "string" ? message : message();
        findings.issues.push(issueAt(findings.expression, start, text));
      }
      return REFUSED;
    },
    property: (node) => compileProperty(node, { compiler, findings, scope }),
    relatedProperty: (pages, node) => compileRelated(node, pages, { compiler, findings, scope }),
    noteNow() {
      findings.usesNow = true;
    },
  };
  return compiler;
}

function compileNode(
  node: FormulaNode,
  compiler: Compiler,
  variables: Variable | undefined,
): Typed {
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

function constant(type: FormulaType, value: FormulaValue): Typed {
  return { type, run: () => value };
}

function compileName(
  node: NameNode,
  compiler: Compiler,
  variables: Variable | undefined,
): Typed {
  const { name } = node;
  for (let variable = variables; variable !== undefined; variable = variable.outer) {
    if (variable.name === name) {
      const { slot, type } = variable;
      return { type, run: (frame) => frame.slots[slot] ?? null };
    }
  }
  return CONSTANTS.get(name) ?? compiler.refuse(node, () => unknownName(name, variables));
}

function unknownName(name: string, variables: Variable | undefined): string {
  if (name === "current" || name === "index") {
    return `${name} stands only inside a function that goes through a list, like map()`;
  }
  if (FUNCTIONS.has(name)) return `${name} is a function: expected ${name}(`;
  const known = [...CONSTANTS.keys()];
  for (let one = variables; one !== undefined; one = one.outer) known.push(one.name);
  return `There is no ${name}${didYouMean(name, known, (best) => best)}`;
}

function compileList({ items }: ListNode, compiler: Compiler): Typed {
  let of: FormulaType = EMPTY_TYPE;
  const runs = items.map((item) => {
    const { type, run } = compiler.compile(item);
    const common = commonType(of, type);
    if (common === undefined) {
      const got = `${typeName(of)} and ${typeName(type)}`;
      return compiler.refuse(item, `A list holds values of one type, got ${got}`).run;
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

function compileUnary(node: UnaryNode, compiler: Compiler): Typed {
  const operand = compiler.compile(node.operand);
  if (node.operator === "not") return negation(operand);
  const typed = node.operator === "-" ? negative(operand) : positive(operand);
  return typed ??
    compiler.refuse(node, `${node.operator} expects a number, got ${typeName(operand.type)}`);
}

function compileBinary(node: BinaryNode, compiler: Compiler): Typed {
  const left = compiler.compile(node.left);
  const right = compiler.compile(node.right);
  const typed = binary(node.operator, left, right);
  if (!("expected" in typed)) return typed;
  const got = `${typeName(left.type)} and ${typeName(right.type)}`;
  return compiler.refuse(node, `${node.operator} expects ${typed.expected}, got ${got}`);
}
