/**
 * Parses an expression of the formula language to a syntax tree, by precedence climbing.
 *
 * @module
 */
import type { BinaryOperator, FormulaNode, UnaryOperator } from "./ast.ts";
import { FormulaSyntaxError } from "./issues.ts";
import { type Token, tokensOf } from "./lexer.ts";
import { MAX_EXPRESSION, MAX_HEIGHT, MAX_NESTING } from "./compute_budget.ts";

/** The precedence of each operator. */
const POWER: Readonly<Record<BinaryOperator, number>> = {
  "or": 2,
  "and": 3,
  "==": 4,
  "!=": 4,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "+": 6,
  "-": 6,
  "*": 7,
  "/": 7,
  "%": 7,
  "^": 9,
};
const CHOICE_POWER = 1;
/** Higher than `*`, lower than `^`: `-2 ^ 2` is `-(2 ^ 2)`. */
const UNARY_POWER = 8;

/** Operators by spelling. */
const BINARY = new Map<string, BinaryOperator>([
  ["||", "or"],
  ["&&", "and"],
  ["===", "=="],
  ["!==", "!="],
  // Sound because the keys of `POWER` are all operators.
  ...Object.keys(POWER).map((key) => [key, key] as [string, BinaryOperator]),
]);
const UNARY = new Map<string, UnaryOperator>([
  ["not", "not"],
  ["!", "not"],
  ["-", "-"],
  ["+", "+"],
]);

/** The parser's state. */
interface Reader {
  readonly tokens: readonly Token[];
  next: number;
  depth: number;
}

/** Parses an expression. Throws a `FormulaSyntaxError` at the first error. */
export function parseFormula(expression: string): FormulaNode {
  if (expression.length > MAX_EXPRESSION) {
    const message = `The formula is longer than ${MAX_EXPRESSION} characters`;
    throw new FormulaSyntaxError(MAX_EXPRESSION, message);
  }
  const reader: Reader = { tokens: tokensOf(expression), next: 0, depth: 0 };
  const node = parseExpression(reader, 0);
  if (peek(reader).kind !== "end") throw unexpected(peek(reader), "an operator or the end");
  return node;
}

function parseExpression(reader: Reader, power: number): FormulaNode {
  if (++reader.depth > MAX_NESTING) {
    throw new FormulaSyntaxError(
      peek(reader).start,
      `The formula is nested deeper than ${MAX_NESTING} levels`,
    );
  }
  let node = parseUnary(reader);
  let next: FormulaNode | undefined = node;
  while (next !== undefined) {
    node = next;
    next = parseInfix(reader, node, power);
  }
  reader.depth--;
  return node;
}

/** Parses an operator after `left`; undefined if none follows with at least this precedence. */
function parseInfix(reader: Reader, left: FormulaNode, power: number): FormulaNode | undefined {
  const token = peek(reader);
  if (token.kind !== "symbol" && token.kind !== "name") return undefined;
  if (token.value === "?") {
    return power > CHOICE_POWER ? undefined : parseChoice(reader, left);
  }
  const operator = BINARY.get(token.value);
  if (operator === undefined || POWER[operator] < power) return undefined;
  reader.next++;
  // Operators are left associative, except for `^`.
  const right = parseExpression(reader, POWER[operator] + (operator === "^" ? 0 : 1));
  const span = { start: left.start, end: right.end, height: above([left, right]) };
  return { kind: "binary", operator, left, right, ...span };
}

function parseChoice(reader: Reader, condition: FormulaNode): FormulaNode {
  reader.next++;
  const then = parseExpression(reader, 0);
  expectSymbol(reader, ":");
  const otherwise = parseExpression(reader, CHOICE_POWER);
  const height = above([condition, then, otherwise]);
  const span = { start: condition.start, end: otherwise.end, height };
  return { kind: "choice", condition, then, otherwise, ...span };
}

function parseUnary(reader: Reader): FormulaNode {
  const { kind, value, start } = peek(reader);
  const operator = kind === "symbol" || kind === "name" ? UNARY.get(value) : undefined;
  if (operator === undefined || isCallOf(reader, "not")) return parseDotted(reader);
  reader.next++;
  const operand = parseExpression(reader, UNARY_POWER);
  return { kind: "unary", operator, operand, start, end: operand.end, height: above([operand]) };
}

/** Returns whether the next tokens are a call of the function with this operator's name. */
function isCallOf({ tokens, next }: Reader, name: string): boolean {
  const opened = tokens[next + 1]?.value === "(" && tokens[next + 1]?.kind === "symbol";
  return opened && tokens[next]?.value === name;
}

function parseDotted(reader: Reader): FormulaNode {
  let node = parsePrimary(reader);
  while (takeSymbol(reader, ".")) {
    const name = peek(reader);
    if (name.kind !== "name") throw unexpected(name, "the name of a function");
    reader.next++;
    expectSymbol(reader, "(");
    node = parseCall(reader, name, node);
  }
  return node;
}

function parsePrimary(reader: Reader): FormulaNode {
  const token = peek(reader);
  const span = { start: token.start, end: token.end, height: 1 };
  reader.next++;
  if (token.kind === "text") return { kind: "text", value: token.value, ...span };
  if (token.kind === "number") return { kind: "number", value: numberOf(token), ...span };
  if (token.kind === "name") return parseName(reader, token);
  if (token.value === "(" && token.kind === "symbol") return parseGroup(reader);
  if (token.value === "[" && token.kind === "symbol") return parseList(reader, token);
  throw unexpected(token, "a value");
}

function parseName(reader: Reader, token: Token): FormulaNode {
  if (takeSymbol(reader, "(")) return parseCall(reader, token, undefined);
  if (BINARY.has(token.value)) throw unexpected(token, "a value");
  return { kind: "name", name: token.value, start: token.start, end: token.end, height: 1 };
}

function parseGroup(reader: Reader): FormulaNode {
  const node = parseExpression(reader, 0);
  expectSymbol(reader, ")");
  return node;
}

function parseList(reader: Reader, opening: Token): FormulaNode {
  const items = parseItems(reader, "]");
  return { kind: "list", items, start: opening.start, end: lastEnd(reader), height: above(items) };
}

function parseCall(reader: Reader, name: Token, receiver: FormulaNode | undefined): FormulaNode {
  const args = parseItems(reader, ")");
  const all = receiver === undefined ? args : [receiver, ...args];
  return {
    kind: "call",
    name: name.value,
    nameStart: name.start,
    dotted: receiver !== undefined,
    arguments: all,
    start: receiver?.start ?? name.start,
    end: lastEnd(reader),
    height: above(all),
  };
}

function parseItems(reader: Reader, closing: string): FormulaNode[] {
  const items: FormulaNode[] = [];
  if (takeSymbol(reader, closing)) return items;
  do items.push(parseExpression(reader, 0)); while (takeSymbol(reader, ","));
  expectSymbol(reader, closing);
  return items;
}

function above(children: readonly FormulaNode[]): number {
  let tallest = 0;
  for (const { height } of children) tallest = Math.max(tallest, height);
  if (tallest >= MAX_HEIGHT) {
    const start = children[0]?.start ?? 0;
    throw new FormulaSyntaxError(start, `More than ${MAX_HEIGHT} operations are nested`);
  }
  return tallest + 1;
}

function numberOf({ value, start }: Token): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new FormulaSyntaxError(start, "The number is too large");
  return number;
}

const END: Token = { kind: "end", value: "", start: 0, end: 0 };

function peek({ tokens, next }: Reader): Token {
  return tokens[next] ?? tokens.at(-1) ?? END;
}

function lastEnd({ tokens, next }: Reader): number {
  return tokens[next - 1]?.end ?? 0;
}

function takeSymbol(reader: Reader, symbol: string): boolean {
  const { kind, value } = peek(reader);
  if (kind !== "symbol" || value !== symbol) return false;
  reader.next++;
  return true;
}

function expectSymbol(reader: Reader, symbol: string): void {
  if (!takeSymbol(reader, symbol)) throw unexpected(peek(reader), symbol);
}

function unexpected({ kind, value, start }: Token, expected: string): FormulaSyntaxError {
  const got = kind === "end" ? "the end" : kind === "text" ? "a text" : value;
  return new FormulaSyntaxError(start, `Expected ${expected}, got ${got}`);
}
