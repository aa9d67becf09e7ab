import fc from "fast-check";
import type { BinaryOperator, FormulaNode } from "../../../src/content/formulas/ast.ts";
import { compileFormula } from "../../../src/content/formulas/formula.ts";
import { FUNCTIONS } from "../../../src/content/formulas/functions/table.ts";
import { quoted } from "../../../src/content/formulas/lexer.ts";
import { parseFormula } from "../../../src/content/formulas/parser.ts";
import type { FormulaValue } from "../../../src/content/formulas/values.ts";
import { toFormulaResult } from "../../../src/content/formulas/result.ts";
import { assert, assertEquals } from "../../assert.ts";
import { anyText, env, scope, valueOf } from "./support.ts";

/** A syntax tree without positions. */
type Tree =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Tree[] }
  | {
    readonly kind: "call";
    readonly name: string;
    readonly dotted: boolean;
    readonly arguments: readonly Tree[];
  }
  | { readonly kind: "unary"; readonly operator: "not" | "-" | "+"; readonly operand: Tree }
  | {
    readonly kind: "binary";
    readonly operator: BinaryOperator;
    readonly left: Tree;
    readonly right: Tree;
  }
  | {
    readonly kind: "choice";
    readonly condition: Tree;
    readonly then: Tree;
    readonly otherwise: Tree;
  };

/** Operators from lowest to highest precedence; unary ones are between the last two. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ["or"],
  ["and"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
  ["^"],
];
const UNARY_LEVEL = 6.5;

function levelOf(tree: Tree): number {
  if (tree.kind === "choice") return 0;
  if (tree.kind === "unary") return UNARY_LEVEL;
  if (tree.kind !== "binary") return 9;
  return LEVELS.findIndex((level) => level.includes(tree.operator)) + 1;
}

/** Prints with as few parentheses as possible. */
function print(tree: Tree): string {
  switch (tree.kind) {
    case "text":
      return quoted(tree.value);
    case "number":
      return String(tree.value);
    case "name":
      return tree.name;
    case "list":
      return `[${tree.items.map(print).join(", ")}]`;
    case "call":
      return printCall(tree);
    case "unary":
      return `${tree.operator} ${within(tree.operand, UNARY_LEVEL)}`;
    case "binary":
      return printBinary(tree);
    case "choice":
      return `${within(tree.condition, 1)} ? ${print(tree.then)} : ${print(tree.otherwise)}`;
  }
}

function printCall({ name, dotted, arguments: given }: Extract<Tree, { kind: "call" }>): string {
  const [receiver, ...others] = given;
  if (!dotted || receiver === undefined) return `${name}(${given.map(print).join(", ")})`;
  return `${within(receiver, 9)}.${name}(${others.map(print).join(", ")})`;
}

function printBinary(tree: Extract<Tree, { kind: "binary" }>): string {
  const level = levelOf(tree);
  const isPower = tree.operator === "^";
  const left = within(tree.left, isPower ? level + 1 : level);
  // The right side of `^` may be unary without parentheses: there is no other way to parse it.
  const isPlain = isPower && tree.right.kind === "unary";
  const right = isPlain ? print(tree.right) : within(tree.right, isPower ? level : level + 0.1);
  return `${left} ${tree.operator} ${right}`;
}

function within(tree: Tree, least: number): string {
  return levelOf(tree) < least ? `(${print(tree)})` : print(tree);
}

const names = fc.constantFrom("a", "b", "current", "true", "x1");
const operators = fc.constantFrom(...LEVELS.flat());

const { tree: trees } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("text" as const), value: anyText }),
    fc.record({
      kind: fc.constant("number" as const),
      value: fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs),
    }),
    fc.record({ kind: fc.constant("name" as const), name: names }),
    fc.record({
      kind: fc.constant("list" as const),
      items: fc.array(tie("tree"), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("call" as const),
      name: fc.constantFrom("f", "round", "or", "not", "prop"),
      dotted: fc.boolean(),
      arguments: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("unary" as const),
      operator: fc.constantFrom("not" as const, "-" as const, "+" as const),
      operand: tie("tree"),
    }),
    fc.record({
      kind: fc.constant("binary" as const),
      operator: operators,
      left: tie("tree"),
      right: tie("tree"),
    }),
    fc.record({
      kind: fc.constant("choice" as const),
      condition: tie("tree"),
      then: tie("tree"),
      otherwise: tie("tree"),
    }),
  ),
}));

function withoutPlaces(node: FormulaNode): unknown {
  return JSON.parse(
    JSON.stringify(
      node,
      (key, value) => ["start", "end", "height", "nameStart"].includes(key) ? undefined : value,
    ),
  );
}

function sorted(value: unknown): string {
  return JSON.stringify(
    value,
    (_, inner) =>
      inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
  );
}

Deno.test("parseFormula() parses every printed tree back to the same tree", () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const printed = print(tree);
      // `not (…)` is parsed as a call of the function, which means the same.
      fc.pre(!/\bnot \(/.test(printed));
      assertEquals(sorted(withoutPlaces(parseFormula(printed))), sorted(tree), printed);
    }),
    { numRuns: 2000 },
  );
});

/** Sums, comparisons and choices, with their results computed independently. */
interface Sum {
  readonly text: string;
  readonly value: number | null;
}

function amount(value: number | null): number {
  return value ?? 0;
}

function checked(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "^": (a, b) => Math.pow(a, b),
};

const { sum: sums } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { depthSize: "medium" },
    fc.integer({ min: 0, max: 9 }).map((value): Sum => ({ text: String(value), value })),
    fc.constant<Sum>({ text: 'prop("No number")', value: null }),
    fc.constant<Sum>({ text: 'prop("Price")', value: 12.5 }),
    fc.tuple(tie("sum"), fc.constantFrom(...Object.entries(ARITHMETIC)), tie("sum"))
      .map(([a, [sign, apply], b]): Sum => ({
        text: `(${a.text} ${sign} ${b.text})`,
        value: checked(apply(amount(a.value), amount(b.value))),
      })),
    fc.tuple(tie("sum"), tie("sum"), tie("sum"), tie("sum")).map(([a, b, c, d]): Sum => ({
      text: `if(${a.text} < ${b.text}, ${c.text}, ${d.text})`,
      value: a.value !== null && b.value !== null && a.value < b.value ? c.value : d.value,
    })),
    fc.array(tie("sum"), { maxLength: 4 }).map((items): Sum => ({
      text: `sum([${items.map(({ text }) => text).join(", ")}].map(current * 2))`,
      value: items.reduce((total, { value }) => total + amount(value) * 2, 0),
    })),
  ),
}));

Deno.test("evaluate() agrees with an independent evaluation", () => {
  fc.assert(
    fc.property(sums, ({ text, value }) => {
      const got = valueOf(text);
      if (value !== null && !Number.isFinite(value)) return;
      assert(
        got === value || amount(value) === got && value === 0,
        `${text}: ${got}, not ${value}`,
      );
    }),
    { numRuns: 1000 },
  );
});

function assertHarmless(expression: string): void {
  const formula = compileFormula(expression, scope);
  if (Array.isArray(formula)) {
    assert(formula.length > 0 && formula.length <= 20);
    for (const { offset, line, column } of formula) {
      assert(offset >= 0 && offset <= expression.length && line > 0 && column > 0);
    }
    return;
  }
  const value: FormulaValue = formula.evaluate(env);
  const answer = toFormulaResult(value, { resultType: formula.resultType, timeZone: "UTC" });
  assertEquals(answer.type, formula.resultType);
  assertEquals(compileFormula(formula.stored, scope) === undefined, false);
}

Deno.test("compileFormula() and evaluate() never throw on random letters", () => {
  fc.assert(fc.property(anyText, (text) => assertHarmless(text)), {
    numRuns: 2000,
  });
  const pieces = fc.constantFrom(
    ...'()[],.?:+-*/%^<>!=&|"\\ \'/* */ 1 2.5 "a" true current index now() empty() "days"'.split(
      " ",
    ),
    ...[...FUNCTIONS.keys()].map((name) => `${name}(`),
    ...[...FUNCTIONS.keys()].map((name) => `.${name}(`),
    'prop("Price")',
    'prop("Tags")',
    'prop("Due")',
    'prop("People")',
    ")",
    ",",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (list) => assertHarmless(list.join(" "))),
    { numRuns: 5000 },
  );
});

const EXAMPLES = [...FUNCTIONS.values()].flatMap(({ examples }) => examples.map(([text]) => text));

Deno.test("compileFormula() and evaluate() never throw on mutated formulas", () => {
  const change = fc.record({
    example: fc.constantFrom(...EXAMPLES),
    at: fc.nat(60),
    drop: fc.nat(6),
    put: fc.oneof(fc.constantFrom(...EXAMPLES), fc.string({ maxLength: 3 })),
  });
  fc.assert(
    fc.property(change, ({ example, at, drop, put }) => {
      assertHarmless(example.slice(0, at) + put + example.slice(at + drop));
    }),
    { numRuns: 5000 },
  );
});

Deno.test("evaluate() never throws for any function and any values that it accepts", () => {
  const values = [
    "1",
    "-1.5",
    "10 ^ 300",
    '""',
    '"a"',
    '"(a|b)*"',
    "true",
    "now()",
    "[]",
    "[1, 2]",
    '["a"]',
    "[[1]]",
    "empty()",
    'prop("People")',
    'prop("Tasks")',
    'prop("Author")',
    '"days"',
  ];
  const calls = fc.record({
    name: fc.constantFrom(...FUNCTIONS.keys()),
    given: fc.array(fc.constantFrom(...values), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(calls, ({ name, given }) => assertHarmless(`${name}(${given.join(", ")})`)),
    { numRuns: 10_000 },
  );
});
