/**
 * A light stemmer for Arabic (light10: Larkey, Ballesteros and Connell, 2007), for folded words. It
 * takes off the article, conjunctions and endings, and leaves broken plurals alone.
 *
 * @module
 */

/** Prefixes that are written onto the beginning of a word, longest first. */
export const ARABIC_BEGINNINGS: readonly string[] = ["وال", "بال", "كال", "فال", "ال", "لل", "و"];
const ENDINGS: readonly string[] = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];
/** Letters that a word keeps at least. */
const FEWEST = 3;

/** Returns the stem of a folded word. */
export function stemArabic(word: string): string {
  const beginning = ARABIC_BEGINNINGS.find((one) => isTakenOff(word, one, word.startsWith(one)));
  let stem = beginning === undefined ? word : word.slice(beginning.length);
  for (const ending of ENDINGS) {
    if (isTakenOff(stem, ending, stem.endsWith(ending))) stem = stem.slice(0, -ending.length);
  }
  return stem;
}

function isTakenOff(word: string, affix: string, isThere: boolean): boolean {
  return isThere && word.length - affix.length >= FEWEST;
}
