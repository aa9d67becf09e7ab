/**
 * Divides long texts into pieces whose words can be found one piece after the other.
 *
 * @module
 */
import { BESIDE_UNSPACED, BETWEEN_UNSPACED } from "./segment.ts";

/** Characters that end any word, in all scripts, and are in no variant of one. */
const WORD_ENDS = " \n\u3001\u3002\uFF0C\uFF01\uFF1F\uFF1A\uFF1B";
const WORD_END = new RegExp(`[${WORD_ENDS}]`, "g");

/**
 * Longest run in which no word ends for certain, in UTF-16 code units: the segmenter guesses the words of
 * all of it at once, some milliseconds for as many.
 */
const LONGEST_RUN = 2_000;
/** Best places to divide a longer run: an index has each pair of letters, however they are divided. */
const BETWEEN_LETTERS = new RegExp(`${BETWEEN_UNSPACED}|${WORD_END.source}`, "u");
/** Behind a character that is no letter, mark or number, but not within an emoji. */
const BEHIND_SIGN = String.raw`(?<=[^\p{L}\p{M}\p{N}\p{Cf}])(?![\p{M}\p{Cf}\p{EMod}])`;
/** Places to divide it if it has none of these. */
const ELSEWHERE = new RegExp(`${BESIDE_UNSPACED}|${BEHIND_SIGN}|${WORD_END.source}`, "gu");

/**
 * Divides a text where no word is divided, into pieces that may be longer than `length`. Words are those
 * of the whole text, whatever the length.
 */
export function* piecesOf(text: string, length: number): Generator<string> {
  for (const portion of portionsOf(text)) yield* dividedAtWords(portion, length);
}

/** Divides a text within runs that are too long. */
function* portionsOf(text: string): Generator<string> {
  let start = 0;
  let runStart = 0;
  while (text.length - runStart > LONGEST_RUN) {
    const next = runStart + LONGEST_RUN;
    const wordEnd = lastWordEnd(text, runStart, next);
    if (wordEnd !== undefined) {
      runStart = wordEnd + 1;
      continue;
    }
    const end = divisionOf(text, next);
    if (end === undefined) break;
    yield text.slice(start, end);
    start = runStart = end;
  }
  yield start === 0 ? text : text.slice(start);
}

/** Returns the best place from `from` on to divide a run; undefined if it has none. */
function divisionOf(text: string, from: number): number | undefined {
  const near = BETWEEN_LETTERS.exec(text.slice(from, from + LONGEST_RUN))?.index;
  if (near !== undefined) return from + near;
  ELSEWHERE.lastIndex = from;
  return ELSEWHERE.exec(text)?.index;
}

/** Returns the last place between two others where a word ends. */
function lastWordEnd(text: string, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) if (WORD_ENDS.includes(text.charAt(at))) return at;
  return undefined;
}

function* dividedAtWords(text: string, length: number): Generator<string> {
  let start = 0;
  while (text.length - start > length) {
    WORD_END.lastIndex = start + length;
    const end = WORD_END.exec(text);
    if (end === null) break;
    yield text.slice(start, end.index);
    start = end.index;
  }
  yield start === 0 ? text : text.slice(start);
}
