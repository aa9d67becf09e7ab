/**
 * Segments text of scripts without spaces into words.
 *
 * @module
 */
import { lazy } from "../../shared/lazy.ts";
import { normalized } from "../../shared/normalize.ts";

/** A range of UTF-16 code units; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A word in its written form, and its range. */
export interface Word extends TextRange {
  readonly word: string;
}

/** Marks of the letter before them, in a class of a regular expression; half-width ones are letters. */
const MARKS = "\\p{M}\\uFF9E\\uFF9F";

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\uFF66-\uFF9F]/u;

/**
 * Matches between two letters of such scripts, in regular expressions with the flag `u`. The first has as
 * many marks as letters have: any number would be looked through again and again.
 */
export const BETWEEN_UNSPACED =
  `(?<=${UNSPACED.source}[${MARKS}]{0,4})(?=${UNSPACED.source})(?![${MARKS}])`;
/** Matches beside one such letter, or among more marks than a letter has. */
export const BESIDE_UNSPACED =
  `(?<=${UNSPACED.source})(?![${MARKS}])|(?=${UNSPACED.source})(?![${MARKS}])|(?<=[${MARKS}]{5})`;

/** A cheap test: no script without spaces has a letter before Thai. */
const NOT_LATIN = /[^\0-\u0DFF]/;

/** A letter with its marks, including half-width ones. */
const LETTER = /[^\p{M}\uFF9E\uFF9F]?[\p{M}\uFF9E\uFF9F]*/gu;
const OTHER_WIDTH = /[\uFF00-\uFFEF]/;

// The dictionary depends on the script, so any language would do.
const segmenter = lazy(() => new Intl.Segmenter("ja", { granularity: "word" }));

/** Returns whether a text has letters of a script without spaces. */
export function isUnspaced(text: string): boolean {
  return NOT_LATIN.test(text) && UNSPACED.test(text);
}

/** A run of letters, and its offset in the text. */
export interface Run {
  readonly run: string;
  readonly start: number;
}

/** Separates runs; no word crosses it. */
const GAP = "\n";

/**
 * Returns the words of each run, with their ranges in the text. All runs are segmented together,
 * because a call for each takes four times as long.
 */
export function segmentRuns(runs: readonly Run[]): Word[][] {
  const forms = runs.map(({ run }) => usualForm(run));
  const words: Word[][] = runs.map(() => []);
  let number = 0;
  let first = 0;
  for (const { segment, index } of segmenter().segment(forms.map(({ text }) => text).join(GAP))) {
    if (segment === GAP) {
      number++;
      first = index + 1;
      continue;
    }
    const { start = 0 } = runs[number] ?? {};
    const { spans } = forms[number] ?? {};
    const from = index - first;
    words[number]?.push({
      word: segment,
      start: start + (spans?.[from]?.start ?? from),
      end: start + (spans?.[from + segment.length - 1]?.end ?? from + segment.length),
    });
  }
  return words;
}

interface UsualForm {
  readonly text: string;
  /** The range in the run of each code unit; undefined if the run is in this form already. */
  readonly spans: readonly TextRange[] | undefined;
}

/** Normalizes a run for the dictionary. */
function usualForm(run: string): UsualForm {
  if (!OTHER_WIDTH.test(run) && run === normalized(run, "NFC")) {
    return { text: run, spans: undefined };
  }
  let text = "";
  const spans: TextRange[] = [];
  for (const { 0: letter, index: start } of run.matchAll(LETTER)) {
    const usual = normalized(letter, OTHER_WIDTH.test(letter) ? "NFKC" : "NFC");
    const span = { start, end: start + letter.length };
    for (let unit = 0; unit < usual.length; unit++) spans.push(span);
    text += usual;
  }
  return { text, spans };
}
