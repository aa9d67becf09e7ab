/**
 * The languages whose words are brought to their stems, and how a text shows which it is in.
 *
 * @module
 */
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stopwords as danishWords } from "@orama/stopwords/danish";
import { stopwords as dutchWords } from "@orama/stopwords/dutch";
import { stopwords as englishWords } from "@orama/stopwords/english";
import { stopwords as finnishWords } from "@orama/stopwords/finnish";
import { stopwords as frenchWords } from "@orama/stopwords/french";
import { stopwords as germanWords } from "@orama/stopwords/german";
import { stopwords as hungarianWords } from "@orama/stopwords/hungarian";
import { stopwords as italianWords } from "@orama/stopwords/italian";
import { stopwords as norwegianWords } from "@orama/stopwords/norwegian";
import { stopwords as portugueseWords } from "@orama/stopwords/portuguese";
import { stopwords as romanianWords } from "@orama/stopwords/romanian";
import { stopwords as russianWords } from "@orama/stopwords/russian";
import { stopwords as spanishWords } from "@orama/stopwords/spanish";
import { stopwords as swedishWords } from "@orama/stopwords/swedish";
import { stopwords as turkishWords } from "@orama/stopwords/turkish";
import { lazy } from "../../shared/lazy.ts";
import { foldWord } from "../text/fold.ts";

interface Language {
  stem(word: string): string;
  /** Those that nearly every text has, as they are written. */
  readonly commonWords: readonly string[];
}

/** Named by their tags of BCP 47. */
const LANGUAGES = new Map<string, Language>(Object.entries({
  da: { stem: danish, commonWords: danishWords },
  de: { stem: german, commonWords: germanWords },
  en: { stem: english, commonWords: englishWords },
  es: { stem: spanish, commonWords: spanishWords },
  fi: { stem: finnish, commonWords: finnishWords },
  fr: { stem: french, commonWords: frenchWords },
  hu: { stem: hungarian, commonWords: hungarianWords },
  it: { stem: italian, commonWords: italianWords },
  nl: { stem: dutch, commonWords: dutchWords },
  no: { stem: norwegian, commonWords: norwegianWords },
  pt: { stem: portuguese, commonWords: portugueseWords },
  ro: { stem: romanian, commonWords: romanianWords },
  ru: { stem: russian, commonWords: russianWords },
  sv: { stem: swedish, commonWords: swedishWords },
  tr: { stem: turkish, commonWords: turkishWords },
}));

const languagesOfWord = lazy(languagesOfWords);
/** Common words that a text must have: one alone may be a name or a loan. */
const FEWEST = 2;

/** The tag of the language that most common words of a text, folded, are of; undefined where it shows none. */
export function languageOf(words: readonly string[]): string | undefined {
  const known = languagesOfWord();
  const counts = new Map<string, number>();
  for (const word of words) {
    for (const tag of known.get(word) ?? []) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return mostFrequent(counts, FEWEST);
}

/** The key that was counted most, the first of equals; undefined where none was `fewest` times. */
export function mostFrequent(
  counts: ReadonlyMap<string, number>,
  fewest = 1,
): string | undefined {
  let most: string | undefined;
  let best = fewest - 1;
  for (const [key, count] of counts) {
    if (count <= best) continue;
    best = count;
    most = key;
  }
  return most;
}

/** The stem of a folded word; the word itself in a language that is not known here. */
export function stem(word: string, language: string | undefined): string {
  return LANGUAGES.get(language ?? "")?.stem(word) ?? word;
}

/** Whether a folded word is one of those that nearly every text of a language has. */
export function isCommon(word: string | undefined, language: string): boolean {
  return languagesOfWord().get(word ?? "")?.includes(language) === true;
}

function languagesOfWords(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>();
  for (const [tag, { commonWords }] of LANGUAGES) {
    for (const word of new Set(commonWords.map(foldWord))) {
      const known = languages.get(word);
      if (known === undefined) languages.set(word, [tag]);
      else known.push(tag);
    }
  }
  return languages;
}
