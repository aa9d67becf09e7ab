/**
 * Expands the words of a question to all their forms.
 *
 * @module
 */
import { isCommon, languageOf, stem } from "../meaning/languages.ts";
import { type Phrase, takesParticles } from "../text/query.ts";
import { isUnspaced } from "../text/segment.ts";

/** Shorter stems are prefixes of too many other words. */
const SHORTEST = 3;
/** The fallback if no language is detected. English stemming hardly changes words of other scripts. */
const USUAL_LANGUAGE = "en";
/** Endings that vary between words of one stem: `move` and `moving`, `theory` and `theories`. */
const CHANGING = /[eiy]$/;

/**
 * Returns phrases that match every word with the same stem in the question's language, each stem once
 * with the number of its words. Stop words are dropped unless there are no other words. Words that are
 * written together, as `Pro-Bowl` or `北京大学`, are asked for one by one; so are those of a phrase that
 * is quoted within a question, beside the phrase. A question of quoted phrases alone asks for them.
 */
export function formsOf(phrases: readonly Phrase[]): Phrase[] {
  const hasWords = phrases.some(({ isQuoted }) => isQuoted !== true);
  const words = phrases.flatMap((phrase) => wordsOf(phrase, hasWords));
  const language = languageOf(words.flatMap(({ terms }) => terms)) ?? USUAL_LANGUAGE;
  const forms = new Map<string, Phrase>();
  const specific = words.filter(({ terms }) => terms.length > 1 || !isCommon(terms[0], language));
  for (const phrase of specific.length > 0 ? specific : words) {
    const { terms } = phrase;
    const [term = ""] = terms;
    const base = terms.length === 1 ? stem(term, language) : terms.join(" ");
    const known = forms.get(base);
    const form = known ?? formOf(phrase, base, language);
    forms.set(base, known === undefined ? form : { ...form, times: (form.times ?? 1) + 1 });
  }
  return [...forms.values()];
}

/**
 * Returns the phrases with words in all their forms; a word is not dropped, nor is a phrase changed. What
 * a phrase matches, its form matches, too.
 */
export function inflected(phrases: readonly Phrase[]): Phrase[] {
  const language = languageOf(phrases.flatMap(({ terms }) => terms)) ?? USUAL_LANGUAGE;
  return phrases.map((phrase) => {
    const [term = "", ...others] = phrase.terms;
    if (phrase.isQuoted === true || others.length > 0) return phrase;
    const form = formOf(phrase, stem(term, language), language);
    const { accepts } = form;
    if (accepts === undefined) return phrase;
    const { isPrefix } = phrase;
    return {
      ...form,
      accepts: (word) => word === term || isPrefix && word.startsWith(term) || accepts(word),
    };
  });
}

/** The words of a phrase; of a quoted one itself, and its words if the question has others, too. */
function wordsOf(phrase: Phrase, hasWords: boolean): Phrase[] {
  const { terms, isQuoted } = phrase;
  if (terms.length < 2) return [phrase];
  const words = terms.map((term) => ({ terms: [term], isPrefix: false }));
  if (isQuoted !== true) return words;
  return hasWords ? [phrase, ...words] : [phrase];
}

function formOf(phrase: Phrase, base: string, language: string): Phrase {
  const { terms } = phrase;
  if (takesParticles(terms)) return phrase;
  const start = commonPrefix(terms.join(" "), base).replace(CHANGING, "");
  if (terms.length > 1 || start.length < SHORTEST || isUnspaced(start)) {
    return { terms, isPrefix: false };
  }
  return { terms: [start], isPrefix: true, accepts: (word) => stem(word, language) === base };
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
