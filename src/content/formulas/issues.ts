/**
 * Issues of formulas, with positions and suggestions for misspelt names.
 *
 * @module
 */

/** One issue of a formula. */
export interface FormulaIssue {
  /** From 0, in UTF-16 code units. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** The fault, or what was expected there; no full stop. */
  readonly message: string;
}

/** Ends the parsing of a malformed expression. `compileFormula` catches it. */
export class FormulaSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** The issue at an offset of an expression. */
export function issueAt(expression: string, offset: number, message: string): FormulaIssue {
  const before = expression.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return { offset, line, column: offset - lineStart + 1, message };
}

/** The issue as a sentence: `Line 1, column 7: round() expects …`. */
export function issueSentence({ line, column, message }: FormulaIssue): string {
  return `Line ${line}, column ${column}: ${message}${message.endsWith("?") ? "" : "."}`;
}

/** Longer words get no suggestion. */
const MAX_GUESSED = 64;
/** Edits between a word and a suggestion. */
const MOST_EDITS = 2;

/** `; did you mean length()?` if one of the names is close to the word; otherwise `""`. */
export function didYouMean(
  word: string,
  names: Iterable<string>,
  show: (name: string) => string,
): string {
  const [best] = [...names]
    .map((name) => ({ name, distance: wordDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.min(MOST_EDITS, Math.floor(name.length / 2)))
    .sort((a, b) => a.distance - b.distance);
  return best === undefined ? "" : `; did you mean ${show(best.name)}?`;
}

function wordDistance(a: string, b: string): number {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  if (left === right) return 0;
  if (Math.abs(a.length - b.length) > MOST_EDITS || a.length > MAX_GUESSED) return Infinity;
  return editDistance(left, right);
}

/**
 * The edit distance, if it is small: letters added, removed or changed, or neighbours swapped. Compares
 * only letters that so few edits can move to each other's places.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = Math.max(1, i - MOST_EDITS); j <= Math.min(b.length, i + MOST_EDITS); j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, j - 2) + 1 : Infinity,
      );
      least = Math.min(least, at(row, j));
    }
    if (least > MOST_EDITS) return Infinity;
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
