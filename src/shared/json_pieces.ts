/**
 * Writes JSON text in pieces, for values that may be too long to be written at once.
 *
 * @module
 */

/** Number of items of a list that one piece has at most, by default. */
const PIECE = 1_000;

/**
 * Writes the same text as `JSON.stringify()`. A list of more than `size` items is divided, also as a
 * member of the value; all else is one piece. The value must not be undefined.
 */
export function* jsonPieces(value: unknown, size = PIECE): Generator<string> {
  if (isLongList(value, size)) yield* listPieces(value, size);
  else if (hasLongList(value, size)) yield* memberPieces(value, size);
  else yield JSON.stringify(value);
}

function isLongList(value: unknown, size: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length > size;
}

function hasLongList(value: unknown, size: number): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).some((member) => isLongList(member, size));
}

function* listPieces(list: readonly unknown[], size: number): Generator<string> {
  for (let at = 0; at < list.length; at += size) {
    const items = JSON.stringify(list.slice(at, at + size)).slice(1, -1);
    yield `${at === 0 ? "[" : ","}${items}`;
  }
  yield "]";
}

function* memberPieces(value: object, size: number): Generator<string> {
  let before = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(member, size);
    before = ",";
  }
  yield "}";
}
