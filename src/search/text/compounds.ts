/**
 * German compounds: `Haustürschlüssel` is found by `Schlüssel`. Without a dictionary, the index has the
 * stem of each long noun backwards, so that what a compound ends with is a beginning.
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
/** Letters of the word before, at least. */
const FEWEST_BEFORE = 3;
const WORD = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;
/** What makes another word of a word, and not a compound: `Versicherung` is no kind of `Sicherung`. */
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

/** Returns the phrase that finds compounds with this folded word at their end; undefined of short ones. */
export function compoundsWith(word: string): Phrase | undefined {
  if (!WORD.test(word)) return undefined;
  const ending = stemmer(word);
  if (ending.length < SHORTEST) return undefined;
  const start = backwards(ending);
  const accepts = (term: string) => isModifier(reversed(term.slice(start.length)));
  return { terms: [start], isPrefix: true, accepts };
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
