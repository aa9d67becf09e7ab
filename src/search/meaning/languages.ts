/**
 * Supported languages: their stemmers, and detection by common words.
 *
 * @module
 */
import { stemmer as bulgarian } from "@orama/stemmers/bulgarian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { stopwords as arabicWords } from "@orama/stopwords/arabic";
import { stopwords as bulgarianWords } from "@orama/stopwords/bulgarian";
import { stopwords as danishWords } from "@orama/stopwords/danish";
import { stopwords as dutchWords } from "@orama/stopwords/dutch";
import { stopwords as englishWords } from "@orama/stopwords/english";
import { stopwords as finnishWords } from "@orama/stopwords/finnish";
import { stopwords as frenchWords } from "@orama/stopwords/french";
import { stopwords as germanWords } from "@orama/stopwords/german";
import { stopwords as greekWords } from "@orama/stopwords/greek";
import { stopwords as hungarianWords } from "@orama/stopwords/hungarian";
import { stopwords as hindiWords } from "@orama/stopwords/indian";
import { stopwords as indonesianWords } from "@orama/stopwords/indonesian";
import { stopwords as italianWords } from "@orama/stopwords/italian";
import { stopwords as japaneseWords } from "@orama/stopwords/japanese";
import { stopwords as chineseWords } from "@orama/stopwords/mandarin";
import { stopwords as norwegianWords } from "@orama/stopwords/norwegian";
import { stopwords as portugueseWords } from "@orama/stopwords/portuguese";
import { stopwords as romanianWords } from "@orama/stopwords/romanian";
import { stopwords as russianWords } from "@orama/stopwords/russian";
import { stopwords as spanishWords } from "@orama/stopwords/spanish";
import { stopwords as swedishWords } from "@orama/stopwords/swedish";
import { stopwords as turkishWords } from "@orama/stopwords/turkish";
import { stopwords as ukrainianWords } from "@orama/stopwords/ukrainian";
import { atOnce } from "../../shared/yield_to_event_loop.ts";
import { foldWord } from "../text/fold.ts";
import { stemArabic } from "./arabic.ts";
import { isKorean, stemKorean } from "./korean.ts";

export { isKorean } from "./korean.ts";

interface Language {
  stem(word: string): string;
  /** Stop words, which nearly every text contains, in their written form. */
  readonly commonWords: readonly string[];
}

/** Languages by their BCP 47 tags. */
const LANGUAGES = new Map<string, Language>(Object.entries({
  ar: { stem: stemArabic, commonWords: arabicWords },
  bg: { stem: bulgarian, commonWords: bulgarianWords },
  da: { stem: danish, commonWords: danishWords },
  de: { stem: german, commonWords: germanWords },
  el: { stem: greek, commonWords: greekWords },
  en: { stem: english, commonWords: englishWords },
  es: { stem: spanish, commonWords: spanishWords },
  fi: { stem: finnish, commonWords: finnishWords },
  fr: { stem: french, commonWords: frenchWords },
  hi: { stem: hindi, commonWords: hindiWords },
  hu: { stem: hungarian, commonWords: hungarianWords },
  id: { stem: indonesian, commonWords: indonesianWords },
  it: { stem: italian, commonWords: italianWords },
  ja: { stem: asItIs, commonWords: japaneseWords },
  nl: { stem: dutch, commonWords: dutchWords },
  no: { stem: norwegian, commonWords: norwegianWords },
  pt: { stem: portuguese, commonWords: portugueseWords },
  ro: { stem: romanian, commonWords: romanianWords },
  ru: { stem: russian, commonWords: russianWords },
  sv: { stem: swedish, commonWords: swedishWords },
  tr: { stem: turkish, commonWords: turkishWords },
  uk: { stem: ukrainian, commonWords: ukrainianWords },
  zh: { stem: asItIs, commonWords: chineseWords },
}));

/** Stems a word of a language whose words have no endings, or are segments without them. */
function asItIs(word: string): string {
  return word;
}

/** Tags of the languages in which a folded word is common; undefined until the first use. */
let languagesByWord: LanguagesByWord | undefined;

type LanguagesByWord = ReadonlyMap<string, readonly string[]>;

/** Prepares the detection of languages in steps; without it, the first use prepares all at once. */
export function* prepareDetection(): Generator<void, void, void> {
  languagesByWord ??= yield* indexCommonWords();
}

function preparedWords(): LanguagesByWord {
  return languagesByWord ??= atOnce(indexCommonWords());
}

/** Common words needed to detect a language: a single one may be a name or a loanword. */
const FEWEST = 2;

/** Returns the tag of the language with the most common words in a folded text, if there are enough. */
export function languageOf(words: readonly string[]): string | undefined {
  return mostFrequent(languageCounts(words), FEWEST);
}

/** The same; several tags if as many of the words are common in each of these languages. */
export function likelyLanguages(words: readonly string[]): string[] {
  const counts = languageCounts(words);
  const most = Math.max(FEWEST, ...counts.values());
  return [...counts].flatMap(([tag, count]) => count === most ? [tag] : []);
}

function languageCounts(words: readonly string[]): ReadonlyMap<string, number> {
  const languages = preparedWords();
  const counts = new Map<string, number>();
  for (const word of words) {
    for (const tag of languages.get(word) ?? []) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns the first key with the highest count; undefined if no count reaches `fewest`. */
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

/** Returns the stem of a folded word, or the word itself if the language is not supported. */
export function stem(word: string, language: string | undefined): string {
  // No language shares this script.
  if (isKorean(word)) return stemKorean(word);
  return LANGUAGES.get(language ?? "")?.stem(word) ?? word;
}

/** The scripts of languages that are not written in Latin letters. */
const SCRIPTS = new Map([
  ["ar", /\p{Script=Arabic}/u],
  ["bg", /\p{Script=Cyrillic}/u],
  ["el", /\p{Script=Greek}/u],
  ["hi", /\p{Script=Devanagari}/u],
  ["ja", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["ru", /\p{Script=Cyrillic}/u],
  ["uk", /\p{Script=Cyrillic}/u],
  ["zh", /\p{Script=Han}/u],
]);
const LATIN = /\p{Script=Latin}/u;
/** The languages that their scripts most often stand for. */
const USUAL = ["ar", "ru", "el", "hi"];

/** Returns whether any of the words is in the script of this language. */
export function isWrittenIn(words: readonly string[], language: string): boolean {
  const script = SCRIPTS.get(language) ?? LATIN;
  return words.some((word) => script.test(word));
}

/** Returns the language that the script of the words stands for; undefined of Latin letters. */
export function languageOfScript(words: readonly string[]): string | undefined {
  return USUAL.find((language) => isWrittenIn(words, language));
}

/** Returns whether a folded word is a stop word of a language. */
export function isCommon(word: string | undefined, language: string): boolean {
  return preparedWords().get(word ?? "")?.includes(language) === true;
}

function* indexCommonWords(): Generator<void, LanguagesByWord, void> {
  const languages = new Map<string, string[]>();
  for (const [tag, { commonWords }] of LANGUAGES) {
    for (const word of new Set(commonWords.map(foldWord))) {
      const tags = languages.get(word);
      if (tags === undefined) languages.set(word, [tag]);
      else tags.push(tag);
    }
    yield;
  }
  return languages;
}
