/**
 * Bounds how long a pattern can take to match. The engine backtracks: wherever two ways of reading
 * a text are possible, it tries both.
 *
 * @module
 */
import { type CharacterSet, NO_CHARACTER } from "./characters.ts";
import { type Expression, firstOf, isNullable } from "./expression.ts";
import { PatternError } from "./regular_expression.ts";

/** Choices outside of loops double the time, each of them. */
const MAX_CHOICES = 4;
/** The time grows with the length of a path to this power. */
const MAX_EXPONENT = 2;

/** The expressions that can make matching slow, in the order in which they are read. */
interface Ambiguities {
  /** For each loop, whether the text does not tell where it ends. */
  readonly loops: boolean[];
  choices: number;
}

/**
 * Returns the power of a path's length that the time to match grows with at most; throws
 * `PatternError` if it is too high.
 */
export function exponentOf(expression: Expression): number {
  const found: Ambiguities = { loops: [], choices: 0 };
  collect(expression, NO_CHARACTER, found);
  if (found.choices > MAX_CHOICES) {
    throw new PatternError(
      `More than ${MAX_CHOICES} alternatives begin alike, so matching could take too long`,
    );
  }
  const open = found.loops.filter((isOpen) => isOpen).length;
  // After the last one that is open, others are read again for each of its ends.
  const exponent = open + (open > 0 && found.loops.at(-1) === false ? 1 : 0);
  if (exponent <= MAX_EXPONENT) return exponent;
  throw new PatternError(
    "Several parts of any length follow one another, so matching could take too long: let a " +
      "character end each of them, as / ends :name",
  );
}

/** `next` are the characters that can follow. */
function collect(expression: Expression, next: CharacterSet, found: Ambiguities): void {
  if (expression.kind === "sequence") {
    collectSequence(expression.items, next, found);
  } else if (expression.kind === "choice") {
    if (isAmbiguous(expression.items, next)) found.choices++;
    for (const item of expression.items) collect(item, next, found);
  } else if (expression.kind === "loop") {
    assertDeterministic(expression.item, next | firstOf(expression.item));
    found.loops.push((firstOf(expression.item) & next) !== NO_CHARACTER);
  }
}

function collectSequence(
  items: readonly Expression[],
  next: CharacterSet,
  found: Ambiguities,
): void {
  for (const [index, item] of items.entries()) {
    collect(item, followOf(items.slice(index + 1), next), found);
  }
}

function followOf(rest: readonly Expression[], next: CharacterSet): CharacterSet {
  const sequence: Expression = { kind: "sequence", items: rest };
  return firstOf(sequence) | (isNullable(sequence) ? next : NO_CHARACTER);
}

/** Returns whether the next character does not tell which alternative is meant. */
function isAmbiguous(items: readonly Expression[], next: CharacterSet): boolean {
  const starts = items.map((item) => firstOf(item) | (isNullable(item) ? next : NO_CHARACTER));
  return starts.some((start, index) =>
    starts.slice(index + 1).some((other) => (start & other) !== NO_CHARACTER)
  );
}

/** Throws if repeated text can be read in more than one way: the time would grow exponentially. */
function assertDeterministic(item: Expression, next: CharacterSet): void {
  const inner: Ambiguities = { loops: [], choices: 0 };
  collect(item, next, inner);
  if (isNullable(item) || inner.choices > 0 || inner.loops.includes(true)) {
    throw new PatternError(
      "A part that is repeated can be read in more than one way, so matching could take too long",
    );
  }
}
