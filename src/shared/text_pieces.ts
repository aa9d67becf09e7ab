/**
 * Divides texts that may be too long to be handled at once.
 *
 * @module
 */

/** UTF-16 code units: escaping or encoding so many takes a few milliseconds. */
export const PIECE_LENGTH = 100_000;

/** Yields a text in pieces of bounded length; none for an empty text. */
export function* textPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start + PIECE_LENGTH);
    yield text.slice(start, end);
    start = end;
  }
}

/** Returns the index, or the next one if it would divide a surrogate pair. */
export function endOfPiece(text: string, index: number): number {
  const isInside = (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return isInside ? index + 1 : index;
}
