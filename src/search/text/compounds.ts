/**
 * German compounds: `Haustürschlüssel` is found by `Schlüssel`. Without a dictionary, the index has
 * the stem of each long noun backwards, so that what a compound ends with is a beginning.
 *
 * @module
 */
import { stemmer } from "@orama/stemmers/german";
import type { Phrase } from "./query.ts";

/** Begins what is written backwards; no term of a text has it. */
const BACKWARDS = "←";
/** Nouns that may be compounds. */
const LONG_NOUN = /^\p{Lu}\p{Ll}{8,}$/u;
/** Shorter words end too many others by chance. */
const SHORTEST = 4;
/** Letters of the word before it, at least. */
const FEWEST_BEFORE = 3;
const WORD = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;
/** Prefixes that make another word and not a compound: `Versicherung` is no kind of `Sicherung`. */
const PREFIXES = new Set(
  ("auf aus bei ein emp ent ger her hin miss mit mon nach uber unter ver vor weg wieder zer zuruck " +
    "inter kon des dis pro re pra trans").split(" "),
);
/** Prefixes behind another word, as in `Krankenversicherung`. */
const INNER_PREFIX = /(?:ver|zer|ent)$/;

/** Returns what the index has of a noun beside itself; undefined if it is no possible compound. */
export function compoundTerm(noun: string, folded: string): string | undefined {
  return LONG_NOUN.test(noun) && WORD.test(folded) ? backwards(stemmer(folded)) : undefined;
}

/**
 * Returns the phrase that finds compounds with this folded word at their end; undefined of short
 * ones.
 */
export function compoundsWith(word: string): Phrase | undefined {
  if (!WORD.test(word)) return undefined;
  const ending = stemmer(word);
  if (ending.length < SHORTEST) return undefined;
  const start = backwards(ending);
  const accepts = (term: string) => isModifier(reversed(term.slice(start.length)));
  return { terms: [start], isPrefix: true, accepts };
}

/** Returns whether a term of an index is a noun backwards, and no word of a text. */
export function isBackwards(term: string): boolean {
  return term.startsWith(BACKWARDS);
}

/** Letters between the nouns of a compound, as in `Versicherungsbeitrag`. */
const LINKS = ["s", "es", "n", "en", "er", "e"];

/** Every place in a word is tried. */
const LONGEST_DIVIDED = 40;

/**
 * Returns the two words of a folded compound, as far as they are known; undefined if it is none.
 * `isKnown` looks up a word in steps.
 */
export function* dividedCompound(
  word: string,
  isKnown: (word: string) => Generator<void, boolean, void>,
): Generator<void, readonly [modifier: string, head: string] | undefined, void> {
  if (!WORD.test(word) || word.length > LONGEST_DIVIDED) return undefined;
  for (let at = FEWEST_BEFORE; at <= word.length - SHORTEST; at++) {
    const [before, head] = [word.slice(0, at), word.slice(at)];
    if (!isModifier(before) || !(yield* isKnown(head))) continue;
    const unlinked = LINKS.filter((link) => before.endsWith(link))
      .map((link) => before.slice(0, -link.length)).filter(isModifier);
    for (const modifier of [...unlinked, before]) {
      if (yield* isKnown(modifier)) return [modifier, head];
    }
  }
  return undefined;
}

function isModifier(before: string): boolean {
  return before.length >= FEWEST_BEFORE && VOWEL.test(before) && !PREFIXES.has(before) &&
    !INNER_PREFIX.test(before);
}

function backwards(word: string): string {
  return BACKWARDS + reversed(word);
}

function reversed(word: string): string {
  return [...word].reverse().join("");
}
