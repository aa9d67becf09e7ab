/**
 * The tree of a parsed formula.
 *
 * @module
 */

interface SourcePosition {
  /** Start and end in the expression, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Height of the tree below and including this node; 1 for a leaf. */
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
  /** Offset of the name. */
  readonly nameStart: number;
  /** True if the call is written with a dot after its first argument. */
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
