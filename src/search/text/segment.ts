/**
 * Segments text of scripts without spaces into words.
 *
 * @module
 */
import { lazy } from "../../shared/lazy.ts";

/** A range of UTF-16 code units; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A word in its written form, and its range. */
export interface Word extends TextRange {
  readonly word: string;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\uFF66-\uFF9F]/u;

/** A letter with its marks, including half-width ones. */
const LETTER = /[^\p{M}\uFF9E\uFF9F]?[\p{M}\uFF9E\uFF9F]*/gu;
const OTHER_WIDTH = /[\uFF00-\uFFEF]/;

// The dictionary depends on the script, so any language would do.
const segmenter = lazy(() => new Intl.Segmenter("ja", { granularity: "word" }));

/** Returns whether a text has letters of a script without spaces. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** Returns the words of a run of letters that begins at `offset` of the text. */
export function segmentRun(run: string, offset: number): Word[] {
  const { text, spans } = usualForm(run);
  return [...segmenter().segment(text)].map(({ segment, index }) => {
    const first = spans[index];
    const last = spans[index + segment.length - 1];
    if (first === undefined || last === undefined) throw new Error("A segment is not in its run");
    return { word: segment, start: offset + first.start, end: offset + last.end };
  });
}

/** Normalizes a run for the dictionary; `spans` maps each code unit to its range in the run. */
function usualForm(run: string): { readonly text: string; readonly spans: readonly TextRange[] } {
  let text = "";
  const spans: TextRange[] = [];
  for (const { 0: letter, index: start } of run.matchAll(LETTER)) {
    const usual = letter.normalize(OTHER_WIDTH.test(letter) ? "NFKC" : "NFC");
    const span = { start, end: start + letter.length };
    for (let unit = 0; unit < usual.length; unit++) spans.push(span);
    text += usual;
  }
  return { text, spans };
}
