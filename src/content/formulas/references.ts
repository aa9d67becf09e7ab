/**
 * References to properties: `prop("Name")` for the formula's own page, `page.prop("Name")` for
 * another.
 *
 * @module
 */
import type { FormulaNode, TextNode } from "./ast.ts";
import type {
  CompiledExpression,
  FormulaBindings,
  Frame,
  PropertyBinding,
  RelatedReference,
} from "./environment.ts";
import { didYouMean, type FormulaIssue } from "./issues.ts";
import type { Compiler } from "./functions/define.ts";
import { quoted, tokensOf } from "./lexer.ts";
import { typeName } from "./types.ts";
import { type FormulaValue, isList } from "./values.ts";
import { PROPERTY_COST, spendOnNew } from "./compute_budget.ts";

/** The literal name of a property, and the reference that replaces it in the stored form. */
interface NameUse {
  readonly start: number;
  readonly end: number;
  readonly reference: string;
}

/** The facts that a compilation collects besides the closures. */
export interface Compilation {
  readonly expression: string;
  readonly issues: FormulaIssue[];
  /** Ids of the properties of its own page that it reads. */
  readonly propertyIds: Set<string>;
  /** Properties of other pages that it reads, by their reference. */
  readonly related: Map<string, RelatedReference>;
  readonly uses: NameUse[];
  /** Number of variables. */
  slots: number;
  /** Units of work that the compiled nodes cost for an item of a list. */
  cost: number;
  /** The room that the literals take, in about the characters of the expression. */
  kept: number;
  usesNow: boolean;
}

interface ReferenceContext {
  readonly compiler: Compiler;
  readonly compilation: Compilation;
  readonly bindings: FormulaBindings;
}

/** Compiles `prop("Name")`. */
export function compileProperty(node: FormulaNode, context: ReferenceContext): CompiledExpression {
  const { compiler, compilation, bindings } = context;
  if (node.kind !== "text") return compiler.report(node, NAME_EXPECTED);
  const property = bindings.property(node.value);
  if (property?.type === undefined) {
    return compiler.report(node, () => unreadable(node, property, bindings));
  }
  const { id, type } = property;
  compilation.propertyIds.add(id);
  compilation.cost += PROPERTY_COST;
  compilation.uses.push({ start: node.start, end: node.end, reference: id });
  return { type, run: (frame) => charged(frame, frame.env.property(id)) };
}

/** Charges for a value, which was made from that of a property. */
function charged(frame: Frame, value: FormulaValue): FormulaValue {
  spendOnNew(frame, value);
  return value;
}

/** Compiles `page.prop("Name")`. */
export function compileRelated(
  node: FormulaNode,
  pages: CompiledExpression,
  context: ReferenceContext,
): CompiledExpression {
  const { compiler, compilation } = context;
  const { type: of, run } = pages;
  if (of.kind === "empty") return pages;
  if (of.kind !== "page") {
    return compiler.report(node, `prop() expects a page before its dot, got ${typeName(of)}`);
  }
  if (node.kind !== "text") return compiler.report(node, NAME_EXPECTED);
  const { databaseId } = of;
  const bindings = databaseId === null ? undefined : context.bindings.related?.(databaseId);
  if (databaseId === null || bindings === undefined) return compiler.report(node, NOT_RELATED);
  const property = bindings.property(withoutDatabase(node.value, databaseId));
  if (property?.type === undefined) {
    return compiler.report(node, () => unreadable(node, property, bindings));
  }
  const { id, type } = property;
  compilation.cost += PROPERTY_COST;
  const reference = `${databaseId}/${id}`;
  compilation.related.set(reference, { databaseId, propertyId: id });
  compilation.uses.push({ start: node.start, end: node.end, reference });
  return {
    type,
    run: (frame) => {
      const page = run(frame);
      if (page === null || typeof page !== "object" || isList(page)) return null;
      if (page.kind !== "page") return null;
      return charged(frame, frame.env.related?.(page.id, id) ?? null);
    },
  };
}

const NAME_EXPECTED = "prop() expects the name of a property in quotes";
const NOT_RELATED = "Formulas cannot read properties of these pages: use a rollup";

/** The name or id in a reference; the stored form is `database/property`. */
function withoutDatabase(name: string, databaseId: string): string {
  const prefix = `${databaseId}/`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function unreadable(
  { value }: TextNode,
  property: PropertyBinding | undefined,
  { names }: FormulaBindings,
): string {
  const name = quoted(value);
  if (property !== undefined) return `This formula cannot read the property ${name}`;
  return `There is no property ${name}${didYouMean(value, names, quoted)}`;
}

/** The stored form of an expression: each property name replaced by a reference. */
export function withReferences({ expression, uses }: Compilation): string {
  return replaceSpans(
    expression,
    uses.map(({ start, end, reference }) => ({ start, end, text: quoted(reference) })),
  );
}

/**
 * A reference in a stored expression; without `databaseId`, to a property of the formula's own
 * page.
 */
export interface StoredReference {
  readonly databaseId: string | undefined;
  readonly propertyId: string;
}

/**
 * A stored expression with property names in place of references, and otherwise unchanged.
 * References to properties that no longer exist, for which `nameOf` returns undefined, stay. Never
 * throws.
 */
export function shownExpression(
  stored: string,
  nameOf: (reference: StoredReference) => string | undefined,
): string {
  const spans = referenceSpans(stored).map(({ start, end, value }) => {
    const name = nameOf(parseReference(value));
    return { start, end, text: name === undefined ? stored.slice(start, end) : quoted(name) };
  });
  return replaceSpans(stored, spans);
}

/** Returns the references of a stored expression; none if it is malformed. */
export function storedReferences(stored: string): StoredReference[] {
  return referenceSpans(stored).map(({ value }) => parseReference(value));
}

function parseReference(text: string): StoredReference {
  const slash = text.indexOf("/");
  return slash < 0
    ? { databaseId: undefined, propertyId: text }
    : { databaseId: text.slice(0, slash), propertyId: text.slice(slash + 1) };
}

/** The literal names in all `prop("…")` of an expression; none if it is malformed. */
function referenceSpans(expression: string) {
  let tokens;
  try {
    tokens = tokensOf(expression);
  } catch {
    return [];
  }
  return tokens.filter(({ kind }, i) =>
    kind === "text" && tokens[i - 1]?.value === "(" && tokens[i - 2]?.value === "prop" &&
    tokens[i + 1]?.value === ")"
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function replaceSpans(expression: string, spans: readonly Span[]): string {
  const inOrder = spans.toSorted((a, b) => a.start - b.start);
  let offset = 0;
  let result = "";
  for (const { start, end, text } of inOrder) {
    result += expression.slice(offset, start) + text;
    offset = end;
  }
  return result + expression.slice(offset);
}
