/**
 * The tree of a parsed formula.
 *
 * @module
 */

interface SourcePosition {
  /** Where it begins and ends in the expression, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** One more than the tallest of its children. */
  readonly height: number;
}

export interface TextNode extends SourcePosition {
  readonly kind: "text";
  readonly value: string;
}

export interface NumberNode extends SourcePosition {
  readonly kind: "number";
  readonly value: number;
}

/** A constant or a variable. */
export interface NameNode extends SourcePosition {
  readonly kind: "name";
  readonly name: string;
}

export interface ListNode extends SourcePosition {
  readonly kind: "list";
  readonly items: readonly FormulaNode[];
}

export interface CallNode extends SourcePosition {
  readonly kind: "call";
  readonly name: string;
  /** Where the name stands. */
  readonly nameStart: number;
  /** Whether the first argument stands before a dot. */
  readonly dotted: boolean;
  readonly arguments: readonly FormulaNode[];
}

export interface UnaryNode extends SourcePosition {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: FormulaNode;
}

export interface BinaryNode extends SourcePosition {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: FormulaNode;
  readonly right: FormulaNode;
}

/** `condition ? then : otherwise`. */
export interface ChoiceNode extends SourcePosition {
  readonly kind: "choice";
  readonly condition: FormulaNode;
  readonly then: FormulaNode;
  readonly otherwise: FormulaNode;
}

export type FormulaNode =
  | TextNode
  | NumberNode
  | NameNode
  | ListNode
  | CallNode
  | UnaryNode
  | BinaryNode
  | ChoiceNode;

export type UnaryOperator = "not" | "-" | "+";

export type BinaryOperator =
  | "or"
  | "and"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "^";
