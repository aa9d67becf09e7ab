/**
 * Apostrophes: `l'eau` is `eau` with an article, `aujourd'hui` is one word, and `he'll` is two.
 *
 * @module
 */

/** Articles, pronouns and prepositions that Romance languages shorten before a vowel. */
const ELIDED =
  /^[^\p{L}\p{N}]*(?:[cdjlmnst]|qu|un|(?:a|co|da|de|ne|que|su)ll|quest)['’](?=[haeiouyà-æè-öù-üœ])/iu;
/** Shorter words are beginnings of too many others. */
const SHORTEST = 3;
/** Verbs and endings that are written onto a word. */
const CONTRACTED = /['’](?:\p{L}\p{M}*|ll|re|ve)$/iu;

/** Returns a word without what is elided before it, or as it is. */
export function withoutElision(written: string): string {
  const start = ELIDED.exec(written)?.[0].length ?? 0;
  return written.length < start + SHORTEST ? written : written.slice(start);
}

/** Returns whether an apostrophe stands between two words, and not within one. */
export function isContracted(written: string): boolean {
  return ELIDED.test(written) || CONTRACTED.test(written);
}
