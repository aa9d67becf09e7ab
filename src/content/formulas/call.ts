/**
 * Compiles function calls: counts the arguments and checks their types.
 *
 * @module
 */
import type { CallNode, FormulaNode } from "./ast.ts";
import type { CompiledExpression, Frame, Run } from "./environment.ts";
import { didYouMean } from "./issues.ts";
import type { Compiler, FormulaFunction } from "./functions/define.ts";
import type { Body, Parameter } from "./functions/parameters.ts";
import { FUNCTIONS } from "./functions/table.ts";
import { ordinal } from "./number_format.ts";
import { type FormulaType, itemType, NUMBER, typeName } from "./types.ts";
import { isList } from "./values.ts";
import { boundedList, boundedText, spend, spendOnNew, spendOnValue } from "./compute_budget.ts";

/** A compiled argument. `read` returns undefined if the value is missing. */
interface Argument {
  readonly parameter: Parameter;
  readonly type: FormulaType;
  readonly read: (frame: Frame) => unknown;
}

/** Compiles a call. Every argument of a wrong type is reported separately. */
export function compileCall(node: CallNode, compiler: Compiler): CompiledExpression {
  const found = FUNCTIONS.get(node.name);
  if (found === undefined) {
    return compiler.report(node, () => unknownFunction(node.name));
  }
  const wrongCount = countIssue(found, node.arguments.length);
  if (wrongCount !== undefined) return compiler.report(node, wrongCount);
  if (found.usesNow === true) compiler.noteNow();
  return found.form === undefined
    ? compileArguments(found, node, compiler)
    : found.form(node, compiler);
}

function unknownFunction(name: string): string {
  const guess = didYouMean(name, FUNCTIONS.keys(), (best) => `${best}()`);
  return `There is no function ${name}()${guess}`;
}

function compileArguments(
  found: FormulaFunction,
  node: CallNode,
  compiler: Compiler,
): CompiledExpression {
  const compiled: Argument[] = [];
  for (const [i, argument] of node.arguments.entries()) {
    const parameter = parameterAt(found, i);
    const first = compiled[0]?.type;
    compiled.push(
      parameter.role === "body" && first !== undefined
        ? bodyArgument(argument, { parameter, of: itemType(first) }, compiler)
        : valueArgument(argument, { parameter, name: node.name, position: i + 1 }, compiler),
    );
  }
  const type = resultType(found, compiled.map((one) => one.type));
  if ("expected" in type) {
    return compiler.report(node, `${node.name}() expects ${type.expected}`);
  }
  return { type, run: callOf(found, compiled) };
}

function resultType({ returns }: FormulaFunction, types: readonly FormulaType[]) {
  return "label" in returns ? returns.of(types) : returns;
}

function valueArgument(
  node: FormulaNode,
  { parameter, name, position }: {
    readonly parameter: Parameter;
    readonly name: string;
    readonly position: number;
  },
  compiler: Compiler,
): Argument {
  const { type, run } = compiler.compile(node);
  const read = (frame: Frame) => {
    const value = run(frame);
    if (parameter.cost !== undefined) spend(frame, parameter.cost(value));
    return parameter.read(value);
  };
  const where = `as its ${ordinal(position)} argument`;
  if (!parameter.accepts(type)) {
    const expected = `${name}() expects ${parameter.expects} ${where}`;
    return { ...compiler.report(node, `${expected}, got ${typeName(type)}`), parameter, read };
  }
  if (node.kind !== "text") return { parameter, type, read };
  // Literals are checked and read at compile time.
  const { value } = node;
  const excess = compiler.keep(parameter.size?.(value) ?? 0);
  if (excess !== undefined) return { ...compiler.report(node, excess), parameter, read };
  const expected = parameter.expected?.(value);
  if (expected !== undefined) compiler.report(node, `${name}() expects ${expected} ${where}`);
  const literal = parameter.read(value);
  return { parameter, type, read: () => literal };
}

/** A body is passed as a function, because the callee evaluates it for each item of the list. */
function bodyArgument(
  node: FormulaNode,
  { parameter, of }: { readonly parameter: Parameter; readonly of: FormulaType },
  compiler: Compiler,
): Argument {
  const current = compiler.declare("current", of);
  const index = current.compiler.declare("index", NUMBER);
  const before = compiler.cost();
  const { type, run } = index.compiler.compile(node);
  const cost = compiler.cost() - before;
  const read = (frame: Frame): Body => (item, i) => {
    spend(frame, cost);
    frame.slots[current.slot] = item;
    frame.slots[index.slot] = i;
    return run(frame);
  };
  return { parameter, type, read };
}

function callOf({ call, parameters }: FormulaFunction, compiled: readonly Argument[]): Run {
  if (call === undefined) return () => null;
  const restAt = parameters.findIndex(({ presence }) => presence === "rest");
  const count = restAt < 0 ? compiled.length : restAt;
  const fixed = compiled.slice(0, count);
  const others = restAt < 0 ? undefined : compiled.slice(count);
  return (frame) => {
    const values: unknown[] = [];
    spend(frame, 1);
    for (const argument of fixed) {
      const value = argument.read(frame);
      if (value === undefined && argument.parameter.presence === "required") return null;
      spendOnValue(frame, value);
      values.push(value);
    }
    if (others !== undefined) values.push(readRest(others, frame));
    const value = bounded(call(values, frame));
    spendOnNew(frame, value);
    return value;
  };
}

function readRest(others: readonly Argument[], frame: Frame): unknown[] {
  const values: unknown[] = [];
  for (const { read } of others) {
    const value = read(frame);
    spendOnValue(frame, value);
    if (value !== undefined) values.push(value);
  }
  return values;
}

function bounded(value: ReturnType<Run>): ReturnType<Run> {
  if (typeof value === "string") return boundedText(value);
  if (isList(value)) return boundedList(value);
  return value;
}

function parameterAt({ name, parameters }: FormulaFunction, position: number): Parameter {
  const parameter = parameters[position] ?? parameters.at(-1);
  // INVARIANT: `countIssue` has checked the number of arguments.
  if (parameter === undefined) throw new Error(`${name}() takes no argument`);
  return parameter;
}

function countIssue({ name, parameters }: FormulaFunction, count: number): string | undefined {
  const fewest = parameters.filter(({ presence }) => presence === "required").length;
  const most = parameters.some(({ presence }) => presence === "rest")
    ? Infinity
    : parameters.length;
  if (count >= fewest && count <= most) return undefined;
  const noun = (most === Infinity ? fewest : most) === 1 ? "argument" : "arguments";
  return `${name}() expects ${countText(fewest, most)} ${noun}, got ${count}`;
}

function countText(fewest: number, most: number): string {
  if (most === Infinity) return `at least ${fewest}`;
  return fewest === most ? `${most}` : `${fewest} to ${most}`;
}
