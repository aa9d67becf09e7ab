/**
 * Splits an expression of the formula language into tokens.
 *
 * @module
 */
import { FormulaSyntaxError } from "./issues.ts";

export interface Token {
  readonly kind: "number" | "text" | "name" | "symbol" | "end";
  /** The content of a text; the letters of any other token. */
  readonly value: string;
  /** Start and end in the expression, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /(?:\s|\/\*[^]*?\*\/)*/y;
const PATTERNS = [
  ["number", /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["text", /"(?:[^"\\]|\\[^])*"/y],
  ["name", /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy],
  ["symbol", /[!=]==?|[<>]=?|&&|\|\||[-+*/%^!?:()[\],.]/y],
] as const;

/**
 * Escapes in texts. A backslash before any other letter stays, because regular expressions need it.
 */
const ESCAPES = new Map([["n", "\n"], ["t", "\t"], ["r", "\r"], ['"', '"'], ["\\", "\\"]]);

/** The tokens of an expression, the last one `end`. Throws a `FormulaSyntaxError`. */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  let offset = afterSpace(expression, 0);
  while (offset < expression.length) {
    const token = tokenAt(expression, offset);
    tokens.push(token);
    offset = afterSpace(expression, token.end);
  }
  return [...tokens, { kind: "end", value: "", start: offset, end: offset }];
}

/** The text in quotes, with the escapes of the language. */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&")
    .replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}

function afterSpace(expression: string, offset: number): number {
  SPACE.lastIndex = offset;
  return offset + (SPACE.exec(expression)?.[0].length ?? 0);
}

function tokenAt(expression: string, start: number): Token {
  const isComment = expression.startsWith("/*", start);
  for (const [kind, pattern] of isComment ? [] : PATTERNS) {
    pattern.lastIndex = start;
    const letters = pattern.exec(expression)?.[0];
    if (letters !== undefined) {
      const value = kind === "text" ? unquoted(letters) : letters;
      return { kind, value, start, end: start + letters.length };
    }
  }
  throw new FormulaSyntaxError(start, unreadable(expression, start));
}

function unquoted(letters: string): string {
  return letters.slice(1, -1)
    .replace(/\\([^])/g, (escape, letter: string) => ESCAPES.get(letter) ?? escape);
}

function unreadable(expression: string, start: number): string {
  if (expression.startsWith("/*", start)) return "The comment is not closed: expected */";
  const letter = String.fromCodePoint(expression.codePointAt(start) ?? 0);
  if (letter === '"') return 'The text is not closed: expected "';
  if ("'“”‘’`".includes(letter)) return `Texts need straight double quotes, got ${letter}`;
  return `Unexpected ${letter}`;
}
