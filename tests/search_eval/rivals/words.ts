/**
 * Words as the engines beside get them: of themselves they would split Chinese at spaces alone.
 *
 * @module
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Returns the words of a text in lower case. */
export function wordsOf(text: string): string[] {
  return [...segmenter.segment(text.toLowerCase())]
    .flatMap(({ segment, isWordLike }) => isWordLike === true ? [segment] : []);
}
