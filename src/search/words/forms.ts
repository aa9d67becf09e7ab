/**
 * The words of a question in all their forms.
 *
 * @module
 */
import { languageOf, stem } from "../meaning/languages.ts";
import type { Phrase } from "../text/query.ts";

/** Shorter stems begin too many other words. */
const SHORTEST = 3;
/** Of a question that shows none; its stems hardly touch words of other scripts. */
const USUAL_LANGUAGE = "en";
/** What a stem may end in where its words do not: `theori` of `theory`. */
const CHANGING = /[iy]$/;

/**
 * The phrases as a question means them: a word stands for every word of the same stem in the question's
 * language, each stem once. Phrases of several words stay as they are.
 */
export function formsOf(phrases: readonly Phrase[]): Phrase[] {
  const language = languageOf(phrases.flatMap(({ terms }) => terms)) ?? USUAL_LANGUAGE;
  const forms = new Map<string, Phrase>();
  for (const phrase of phrases) {
    const { terms } = phrase;
    const [term = ""] = terms;
    const base = terms.length === 1 ? stem(term, language) : terms.join(" ");
    if (!forms.has(base)) forms.set(base, formOf(phrase, base, language));
  }
  return [...forms.values()];
}

function formOf({ terms }: Phrase, base: string, language: string): Phrase {
  const start = base.replace(CHANGING, "");
  const isStemmed = terms.length === 1 && start.length >= SHORTEST && terms[0]?.startsWith(start);
  if (!isStemmed) return { terms, isPrefix: false };
  return { terms: [start], isPrefix: true, accepts: (word) => stem(word, language) === base };
}
