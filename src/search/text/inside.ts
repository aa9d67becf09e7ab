/**
 * Finds phrases wherever words of scripts without spaces are divided.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import { isUnspaced } from "./segment.ts";

/** The place of a phrase in a spaced text. */
interface Inside {
  readonly start: number;
  readonly end: number;
}

/** A word, or a character of a word without spaces; never starts with a space. */
interface Piece {
  readonly text: string;
  /** The space before it. */
  readonly space: "none" | "optional" | "required";
}

const piecesOf = new WeakMap<Phrase, readonly Piece[]>();

/**
 * Yields where a phrase is in a spaced text, however its words of scripts without spaces are
 * divided there. It begins and ends at characters, not at spaces.
 */
export function* findInside(words: string, phrase: Phrase): Generator<Inside> {
  const pieces = piecesOf.get(phrase) ?? divide(phrase);
  piecesOf.set(phrase, pieces);
  const [first = "", last = ""] = [phrase.terms.at(0), phrase.terms.at(-1)];
  const startsAnywhere = isUnspaced(first);
  const endsAnywhere = phrase.isPrefix || isUnspaced(last);
  const opening = pieces[0]?.text ?? "";
  if (opening === "") return;
  for (let start = words.indexOf(opening); start >= 0;) {
    const end = startsAnywhere || words[start - 1] === " " ? endAt(words, start, pieces) : -1;
    const isFound = end >= 0 && (endsAnywhere || words[end] === " ");
    if (isFound) yield { start, end };
    start = words.indexOf(opening, isFound ? end : start + 1);
  }
}

function divide({ terms }: Phrase): Piece[] {
  return terms.flatMap((term, index) => {
    const before = terms[index - 1];
    const isWhole = !isUnspaced(term);
    const between = isWhole || !isUnspaced(before ?? "") ? "required" : "optional";
    const space = before === undefined ? "none" : between;
    const [opening = "", ...others] = isWhole ? [term] : term;
    return [
      { text: opening, space },
      ...others.map((text): Piece => ({ text, space: "optional" })),
    ] satisfies Piece[];
  });
}

/** Returns the end of the pieces that begin at `start`, or -1. */
function endAt(words: string, start: number, pieces: readonly Piece[]): number {
  let end = start;
  for (const { text, space } of pieces) {
    const hasSpace = words[end] === " ";
    if (space === "required" && !hasSpace) return -1;
    if (space !== "none" && hasSpace) end++;
    if (!words.startsWith(text, end)) return -1;
    end += text.length;
  }
  return end;
}
