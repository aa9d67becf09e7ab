/**
 * The words of a question in all their forms.
 *
 * @module
 */
import { isCommon, languageOf, stem } from "../meaning/languages.ts";
import { type Phrase, takesParticles } from "../text/query.ts";

/** Shorter stems begin too many other words. */
const SHORTEST = 3;
/** Of a question that shows none; its stems hardly touch words of other scripts. */
const USUAL_LANGUAGE = "en";
/** What words of one stem end in differently: `move` and `moving`, `theory` and `theories`. */
const CHANGING = /[eiy]$/;

/**
 * The phrases as a question means them: a word stands for every word of the same stem in the question's
 * language, each stem once. Words that nearly every text of that language has are left out where there
 * are others. Phrases of several words stay as they are.
 */
export function formsOf(phrases: readonly Phrase[]): Phrase[] {
  const language = languageOf(phrases.flatMap(({ terms }) => terms)) ?? USUAL_LANGUAGE;
  const forms = new Map<string, Phrase>();
  const telling = phrases.filter(({ terms }) => terms.length > 1 || !isCommon(terms[0], language));
  for (const phrase of telling.length > 0 ? telling : phrases) {
    const { terms } = phrase;
    const [term = ""] = terms;
    const base = terms.length === 1 ? stem(term, language) : terms.join(" ");
    if (!forms.has(base)) forms.set(base, formOf(phrase, base, language));
  }
  return [...forms.values()];
}

function formOf(phrase: Phrase, base: string, language: string): Phrase {
  const { terms } = phrase;
  if (takesParticles(terms)) return phrase;
  const start = sameStart(terms.join(" "), base).replace(CHANGING, "");
  if (terms.length > 1 || start.length < SHORTEST) return { terms, isPrefix: false };
  return { terms: [start], isPrefix: true, accepts: (word) => stem(word, language) === base };
}

/** What both words begin with. */
function sameStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
