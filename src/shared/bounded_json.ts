/**
 * Writes JSON text in pieces of bounded length, whatever is in the value. To measure the value costs
 * about as much as to write it; `json_pieces.ts` counts items, for lists whose items are short.
 *
 * @module
 */
import { PIECE_LENGTH, textPieces } from "./text_pieces.ts";

/**
 * Writes the same text as `JSON.stringify()`. A piece has about `length` characters, a few times that
 * if most of them are escaped or are names. The value must not be undefined.
 */
export function* boundedJson(value: unknown, length = PIECE_LENGTH): Generator<string> {
  let piece = "";
  for (const part of partsOf(value, length)) {
    piece += part;
    if (piece.length < length) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* partsOf(value: unknown, length: number): Generator<string> {
  if (spaceBehind(value, length) >= 0) yield JSON.stringify(value);
  else if (typeof value === "string") yield* textJson(value);
  else if (Array.isArray(value)) yield* listJson(value, length);
  // Sound because only texts, lists and objects have a length above that of one member.
  else yield* objectJson(value as object, length);
}

/** Returns the rest of this length behind a value; below 0 if it is longer. Visits no more of it. */
function spaceBehind(value: unknown, length: number): number {
  if (typeof value === "string") return length - value.length;
  if (typeof value !== "object" || value === null) return length - 1;
  let space = length;
  for (const member of Object.values(value)) {
    space = spaceBehind(member, space - 1);
    if (space < 0) break;
  }
  return space;
}

function* textJson(text: string): Generator<string> {
  yield '"';
  for (const piece of textPieces(text)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** Writes as many items at once as fit a piece. */
function* listJson(list: readonly unknown[], length: number): Generator<string> {
  let before = "[";
  for (const items of portions(list, length)) {
    yield before;
    if (items.length > 1) yield JSON.stringify(items).slice(1, -1);
    else yield* partsOf(items[0] ?? null, length);
    before = ",";
  }
  yield "]";
}

function* portions(list: readonly unknown[], length: number): Generator<readonly unknown[]> {
  let start = 0;
  let space = length;
  for (const [index, item] of list.entries()) {
    space = spaceBehind(item, space);
    if (space >= 0) continue;
    if (index > start) yield list.slice(start, index);
    start = index;
    space = spaceBehind(item, length);
  }
  yield list.slice(start);
}

function* objectJson(value: object, length: number): Generator<string> {
  let before = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(member, length);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}
