/**
 * Expands the words of a question to all their forms.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { compoundsWith } from "../text/compounds.ts";
import { ARABIC_BEGINNINGS } from "../meaning/arabic.ts";
import {
  isCommon,
  isKorean,
  isWrittenIn,
  languageOfScript,
  likelyLanguages,
  stem,
} from "../meaning/languages.ts";
import { type Phrase, withTimes } from "../text/query.ts";
import { isUnspaced } from "../text/segment.ts";
import { otherNumbers } from "./plurals.ts";

/** Shorter stems are prefixes of too many other words. */
const SHORTEST = 3;
/** Words that one phrase remembers. */
const MOST_REMEMBERED = 1_000;
/** Endings that vary between words of one stem: `move` and `moving`, `theory` and `theories`. */
const CHANGING = /[eiy]$/;
const HAS_LETTER = /\p{L}/u;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Katakana}]/u;

type Expand = (phrases: readonly Phrase[], pageLanguage?: string) => readonly Phrase[];

/** Characters of the questions whose forms are kept: some hundreds of questions of a few words. */
const CACHE_SIZE = 100_000;

/** Returns the same list for the same question, so that a ranking can be known by it. */
function remembered(expand: Expand): Expand {
  const known = new LRUCache<string, readonly Phrase[]>({
    maxSize: CACHE_SIZE,
    sizeCalculation: (_forms, question) => question.length,
  });
  return (phrases, pageLanguage) => {
    // Sound because the phrases of a question have no `accepts`, which JSON leaves out.
    const question = JSON.stringify([phrases, pageLanguage]);
    const forms = known.get(question) ?? expand(phrases, pageLanguage);
    known.set(question, forms);
    return forms;
  };
}

/**
 * Returns phrases that match every word with the same stem in the question's language, each stem
 * once with the number of its words. Stop words are dropped unless there are no other words. Words
 * that are written together, as `Pro-Bowl` or `北京大学`, are asked for one by one; so are those of a
 * phrase that is quoted within a question, beside the phrase. A question of quoted phrases alone
 * asks for them. `pageLanguage` is the language of questions that do not show theirs.
 */
export const formsOf = remembered((phrases, pageLanguage) => {
  const hasWords = phrases.some(({ isQuoted }) => isQuoted !== true);
  const words = phrases.flatMap((phrase) => wordsOf(phrase, hasWords));
  const asked = languageAsked(words, pageLanguage);
  const { language } = asked;
  const forms = new Map<string, Phrase>();
  const specific = words.filter(({ terms }) => terms.length > 1 || !isCommon(terms[0], language));
  for (const phrase of specific.length > 0 ? specific : words) {
    const { terms } = phrase;
    const [term = ""] = terms;
    const base = terms.length === 1 ? stem(term, language) : terms.join(" ");
    const known = forms.get(base);
    const form = known ?? withCompounds(formOf(phrase, base, language), phrase, asked);
    const before = known === undefined ? 0 : timesOf(known);
    forms.set(base, withTimes(form, before + timesOf(phrase)));
  }
  return [...forms.values()];
});

/**
 * Returns the phrases with words in all their forms; a word is not dropped, nor is a phrase
 * changed. What a phrase matches, its form matches, too. `pageLanguage` is that of questions that
 * do not show theirs.
 */
export const inflected = remembered((phrases, pageLanguage) => {
  const asked = languageAsked(phrases, pageLanguage);
  const { language } = asked;
  return phrases.map((phrase) => {
    const [term = "", ...others] = phrase.terms;
    if (phrase.terms.some(isUnspaced)) return { ...phrase, isInside: true };
    if (phrase.isQuoted === true || others.length > 0) return phrase;
    const form = withTimes(
      withCompounds(formOf(phrase, stem(term, language), language), phrase, asked),
      timesOf(phrase),
    );
    const { accepts } = form;
    if (isKorean(term)) return form;
    if (accepts === undefined) return { ...phrase, ...(form.or && { or: form.or }) };
    const { isPrefix } = phrase;
    const [start = ""] = form.terms;
    return {
      ...form,
      // An Arabic stem begins behind the article, with which the word itself may be asked for.
      ...(!term.startsWith(start) && { or: [...(form.or ?? []), { terms: [term], isPrefix }] }),
      accepts: (word) => word === term || isPrefix && word.startsWith(term) || accepts(word),
    };
  });
});

function timesOf({ times = 1 }: Phrase): number {
  return times;
}

/** The words of a phrase; of a quoted one itself, and its words if the question has others, too. */
function wordsOf(phrase: Phrase, hasWords: boolean): Phrase[] {
  const { terms, isQuoted } = phrase;
  if (terms.length < 2) return [phrase];
  const words = terms.map((term) => withTimes({ terms: [term], isPrefix: false }, timesOf(phrase)));
  if (isQuoted !== true) return phrase.or === undefined ? words : joinedWords(words, phrase.or);
  return hasWords ? [phrase, ...words] : [phrase];
}

/** The first word also stands for the word that all of them make together. */
function joinedWords([first, ...others]: readonly Phrase[], or: readonly Phrase[]): Phrase[] {
  return first === undefined ? [] : [{ ...first, or }, ...others];
}

function formOf(phrase: Phrase, base: string, language: string): Phrase {
  const { terms } = phrase;
  const [asked = ""] = terms;
  const numbers = terms.length > 1 ? [] : otherNumbers(asked, language).map((one) => ofWord([one]));
  const or = [...(phrase.or ?? []), ...numbers];
  const others = or.length === 0 ? {} : { or };
  if (terms.length > 1) return { terms, isPrefix: false, ...others };
  // Particles and endings follow the stem, and so do the other words of a compound.
  if (isKorean(base)) return { terms: [base], isPrefix: true };
  if (isUnspaced(base)) {
    return { ...ofWord(terms), ...(isLong(base) && { isInside: true }), ...others };
  }
  const accepts = remembering((word) => {
    const its = stem(word, language);
    // Some stems have stems: `ciudades`, `ciudad`, `ciud`.
    return its === base || its === asked || word === base;
  });
  if (language === "ar") return arabicForm(base, accepts);
  const start = commonPrefix(terms.join(" "), base).replace(CHANGING, "");
  if (start.length < SHORTEST) return { ...ofWord(terms), ...others };
  return { terms: [start], isPrefix: true, accepts, ...others };
}

/** Long texts have the same words again and again, and to stem one takes microseconds. */
function remembering(accepts: (word: string) => boolean): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const isKnown = known.get(word);
    if (isKnown !== undefined) return isKnown;
    const isAccepted = accepts(word);
    if (known.size < MOST_REMEMBERED) known.set(word, isAccepted);
    return isAccepted;
  };
}

/** A word of a question that may be German is also found at the end of compounds. */
function withCompounds(
  form: Phrase,
  { terms: [word = "", ...others], isQuoted }: Phrase,
  { mayBeGerman }: AskedLanguage,
): Phrase {
  if (!mayBeGerman || isQuoted === true || others.length > 0) return form;
  const compounds = compoundsWith(word);
  return compounds === undefined ? form : { ...form, or: [...(form.or ?? []), compounds] };
}

function ofWord(terms: readonly string[]): Phrase {
  return { terms, isPrefix: false };
}

/** Returns whether a word is so long that it hardly occurs inside others by chance. */
function isLong(word: string): boolean {
  return [...word].length >= (IDEOGRAPHIC.test(word) ? 2 : 4);
}

/** Articles, conjunctions and prepositions are written onto the beginning of Arabic words. */
function arabicForm(base: string, accepts: (word: string) => boolean): Phrase {
  const form = (beginning: string) => ({ terms: [beginning + base], isPrefix: true, accepts });
  return { ...form(""), or: ARABIC_BEGINNINGS.map(form) };
}

interface AskedLanguage {
  readonly language: string;
  /** True if it is German, or not shown. */
  readonly mayBeGerman: boolean;
}

/** Returns whether a question is German or, if it does not show its language, the pages are. */
export function isGerman(phrases: readonly Phrase[], pageLanguage: string | undefined): boolean {
  return languageAsked(phrases, pageLanguage).language === "de";
}

/**
 * The language of a question: what its words show, then that of the pages; English by default. Common
 * words of several languages leave the choice among these to the pages.
 */
function languageAsked(
  phrases: readonly Phrase[],
  pageLanguage: string | undefined,
): AskedLanguage {
  const words = termsIn(phrases);
  const shown = likelyLanguages(words);
  const mayBe = (language: string) => shown.length === 0 || shown.includes(language);
  const likely = pageLanguage !== undefined && mayBe(pageLanguage) &&
      isWrittenIn(words, pageLanguage)
    ? pageLanguage
    : shown[0] ?? languageOfScript(words);
  return { language: likely ?? "en", mayBeGerman: mayBe("de") };
}

/** Returns whether words of a question have forms by a language that the question does not show. */
export function needsLanguage(phrases: readonly Phrase[]): boolean {
  return phrases.some(hasForms) && likelyLanguages(termsIn(phrases)).length !== 1;
}

/** Returns whether other words are forms of a phrase, by its language. */
export function hasForms({ terms, isQuoted }: Phrase): boolean {
  return isQuoted !== true &&
    terms.some((term) => HAS_LETTER.test(term) && !isUnspaced(term) && !isKorean(term));
}

function termsIn(phrases: readonly Phrase[]): string[] {
  return phrases.flatMap(({ terms }) => terms);
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
