/**
 * Words of scripts that put no space between them.
 *
 * @module
 */
import { lazy } from "../../shared/lazy.ts";

/** A stretch of a text: from its first UTF-16 code unit to behind its last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A word as it is written, and where it stands. */
export interface Word extends TextRange {
  readonly word: string;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\uFF66-\uFF9F]/u;

/** A letter with its marks, those of half width among them. */
const LETTER = /[^\p{M}\uFF9E\uFF9F]?[\p{M}\uFF9E\uFF9F]*/gu;
const OTHER_WIDTH = /[\uFF00-\uFFEF]/;

// The dictionaries go by script; any language would do.
const segmenter = lazy(() => new Intl.Segmenter("ja", { granularity: "word" }));

/** Whether there are letters of a script without spaces. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** The words of a run of letters that begins at `offset` of the text. */
export function segmentRun(run: string, offset: number): Word[] {
  const { text, spans } = usualForm(run);
  return [...segmenter().segment(text)].map(({ segment, index }) => {
    const first = spans[index];
    const last = spans[index + segment.length - 1];
    if (first === undefined || last === undefined) throw new Error("A segment is not in its run");
    return { word: segment, start: offset + first.start, end: offset + last.end };
  });
}

/** The run as dictionaries have it, and from where in it each code unit comes. */
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
