/**
 * Writes JSON text in pieces, for values that may be too long to be written at once.
 *
 * @module
 */

/** Items of a list that one piece has at most. */
const PIECE = 1_000;

/**
 * Writes the same text as `JSON.stringify()`. A list of more than 1,000 items is divided, also as a
 * member of the value; all else is one piece. The value must not be undefined.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (isLongList(value)) yield* listPieces(value);
  else if (hasLongList(value)) yield* memberPieces(value);
  else yield JSON.stringify(value);
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > PIECE;
}

function hasLongList(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).some((member) => isLongList(member));
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  for (let at = 0; at < list.length; at += PIECE) {
    const items = JSON.stringify(list.slice(at, at + PIECE)).slice(1, -1);
    yield `${at === 0 ? "[" : ","}${items}`;
  }
  yield "]";
}

function* memberPieces(value: object): Generator<string> {
  let before = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(member);
    before = ",";
  }
  yield "}";
}
