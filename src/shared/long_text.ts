/**
 * Texts of responses that may be too long to be handled at once.
 *
 * @module
 */
import { PIECE_LENGTH, textPieces } from "./text_pieces.ts";
import type { Rest } from "./yield_to_event_loop.ts";

/**
 * A text in pieces. It is not joined on its way to a client: that would copy all of it in one turn of
 * the event loop, and each step that looks through it would do so again.
 */
export class LongText {
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }

  /** UTF-16 code units. */
  get length(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0);
  }

  toString(): string {
    return this.pieces.join("");
  }
}

/** A text, in pieces if it is long. */
export type Text = string | LongText;

/** Returns whether a value is a text, in pieces or not. */
export function isText(value: unknown): value is Text {
  return typeof value === "string" || value instanceof LongText;
}

/** Returns the pieces of a text, of which a short one has one. */
export function piecesOf(text: Text): readonly string[] {
  return typeof text === "string" ? [text] : text.pieces;
}

/** Returns the text that these pieces make. */
export function textOf(pieces: readonly string[]): Text {
  return pieces.length === 1 ? String(pieces[0]) : new LongText(pieces);
}

/** Joins short parts to one text, or to the pieces of a long one, with rests in between. */
export async function gather(parts: Iterable<string>, rest: Rest): Promise<Text> {
  const pieces: string[] = [];
  let some: string[] = [];
  let length = 0;
  for (const part of parts) {
    some.push(part);
    length += part.length;
    if (length < PIECE_LENGTH) continue;
    pieces.push(some.join(""));
    some = [];
    length = 0;
    await rest();
  }
  return textOf([...pieces, some.join("")]);
}

/** Collects what is found in texts, once each, with rests between the pieces of long ones. */
export async function collect(
  texts: readonly Text[],
  find: (piece: string) => Iterable<string>,
  rest: Rest,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      for (const one of find(piece)) found.add(one);
      await rest();
    }
  }
  return found;
}

/** Changes texts piece by piece, with rests between the pieces of long ones. */
export async function mapTexts<T extends Text>(
  texts: readonly T[],
  change: (piece: string) => string,
  rest: Rest,
): Promise<readonly T[]> {
  const changed: Text[] = [];
  for (const text of texts) {
    const pieces: string[] = [];
    for (const piece of piecesOf(text)) {
      pieces.push(change(piece));
      await rest();
    }
    changed.push(textOf(pieces));
  }
  // Sound because each has as many pieces as before.
  return changed as T[];
}

/** Joins texts; the result is in pieces if it is long, or if one of them is in pieces. */
export function joinTexts(texts: readonly Text[]): Text {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > PIECE_LENGTH || texts.some((text) => text instanceof LongText)
    ? new LongText(texts.flatMap(piecesOf))
    : texts.join("");
}

/** Yields pieces of similar length with the same text: short ones are joined, long ones divided. */
export function* evenPieces(pieces: Iterable<string>): Generator<string> {
  let some: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    for (const part of textPieces(piece)) {
      some.push(part);
      length += part.length;
      if (length < PIECE_LENGTH) continue;
      yield some.join("");
      some = [];
      length = 0;
    }
  }
  if (length > 0) yield some.join("");
}
