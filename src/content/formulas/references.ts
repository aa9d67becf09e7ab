/**
 * How a formula names properties: `prop("Name")` of its own page, `page.prop("Name")` of another.
 *
 * @module
 */
import type { FormulaNode, TextNode } from "./ast.ts";
import type { FormulaBindings, RelatedReference, ScopeProperty, Typed } from "./environment.ts";
import { didYouMean, type FormulaIssue } from "./issues.ts";
import type { Compiler } from "./functions/define.ts";
import { quoted, tokensOf } from "./lexer.ts";
import { typeName } from "./types.ts";
import { isList } from "./values.ts";

/** A literal name of a property, and what stands for it where the formula is kept. */
interface NameUse {
  readonly start: number;
  readonly end: number;
  readonly reference: string;
}

/** What a compilation finds besides the closures. */
export interface Findings {
  readonly expression: string;
  readonly issues: FormulaIssue[];
  /** Ids of the properties of its own page that it reads. */
  readonly propertyIds: Set<string>;
  /** Properties of other pages that it reads, by their reference. */
  readonly related: Map<string, RelatedReference>;
  readonly uses: NameUse[];
  /** How many variables it has. */
  slots: number;
  usesNow: boolean;
}

interface Surroundings {
  readonly compiler: Compiler;
  readonly findings: Findings;
  readonly scope: FormulaBindings;
}

/** Compiles `prop("Name")`. */
export function compileProperty(node: FormulaNode, around: Surroundings): Typed {
  const { compiler, findings, scope } = around;
  if (node.kind !== "text") return compiler.refuse(node, NAME_EXPECTED);
  const property = scope.property(node.value);
  if (property?.type === undefined) {
    return compiler.refuse(node, () => unreadable(node, property, scope));
  }
  const { id, type } = property;
  findings.propertyIds.add(id);
  findings.uses.push({ start: node.start, end: node.end, reference: id });
  return { type, run: (frame) => frame.env.property(id) };
}

/** Compiles `page.prop("Name")`. */
export function compileRelated(node: FormulaNode, pages: Typed, around: Surroundings): Typed {
  const { compiler, findings } = around;
  const { type: of, run } = pages;
  if (of.kind === "empty") return pages;
  if (of.kind !== "page") {
    return compiler.refuse(node, `prop() expects a page before its dot, got ${typeName(of)}`);
  }
  if (node.kind !== "text") return compiler.refuse(node, NAME_EXPECTED);
  const { databaseId } = of;
  const scope = databaseId === null ? undefined : around.scope.related?.(databaseId);
  if (databaseId === null || scope === undefined) return compiler.refuse(node, NOT_RELATED);
  const property = scope.property(withoutDatabase(node.value, databaseId));
  if (property?.type === undefined) {
    return compiler.refuse(node, () => unreadable(node, property, scope));
  }
  const { id, type } = property;
  const reference = `${databaseId}/${id}`;
  findings.related.set(reference, { databaseId, propertyId: id });
  findings.uses.push({ start: node.start, end: node.end, reference });
  return {
    type,
    run: (frame) => {
      const page = run(frame);
      if (page === null || typeof page !== "object" || isList(page)) return null;
      return page.kind === "page" ? frame.env.related?.(page.id, id) ?? null : null;
    },
  };
}

const NAME_EXPECTED = "prop() expects the name of a property in quotes";
const NOT_RELATED = "The properties of these pages cannot be read here: use a rollup";

/** The name of a property of another database, kept as `database/property`. */
function withoutDatabase(name: string, databaseId: string): string {
  const prefix = `${databaseId}/`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function unreadable(
  { value }: TextNode,
  property: ScopeProperty | undefined,
  { names }: FormulaBindings,
): string {
  const name = quoted(value);
  if (property !== undefined) return `The property ${name} cannot be read by this formula`;
  return `There is no property ${name}${didYouMean(value, names, quoted)}`;
}

/** The expression with each name of a property in the form that it is kept in. */
export function withReferences({ expression, uses }: Findings): string {
  return replaceSpans(
    expression,
    uses.map(({ start, end, reference }) => ({ start, end, text: quoted(reference) })),
  );
}

/** What stands in a kept expression for a property: `databaseId` is undefined of its own page. */
export interface StoredReference {
  readonly databaseId: string | undefined;
  readonly propertyId: string;
}

/**
 * A kept expression with the names of its properties, all else to the letter. A property whose name
 * is undefined, as it is gone, keeps what stands for it. Never throws.
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

function parseReference(text: string): StoredReference {
  const slash = text.indexOf("/");
  return slash < 0
    ? { databaseId: undefined, propertyId: text }
    : { databaseId: text.slice(0, slash), propertyId: text.slice(slash + 1) };
}

/** The literal names in all `prop("…")` of an expression; none where it is not of the language. */
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
  let place = 0;
  let result = "";
  for (const { start, end, text } of inOrder) {
    result += expression.slice(place, start) + text;
    place = end;
  }
  return result + expression.slice(place);
}
