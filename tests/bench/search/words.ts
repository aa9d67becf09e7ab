/**
 * Generates text with the word frequencies of real text: the n-th most common word is n times as
 * rare as the most common one (Zipf's law). The same seed gives the same text.
 *
 * @module
 */

const VOCABULARY = 50_000;
const LETTERS = "etaoinshrdlucmfwypvbgkjqxz";

/** Common characters of Chinese. */
const CHARACTERS = [
  ..."的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里" +
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意" +
    "无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等" +
    "产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口",
];
/** The most common words of Chinese have one character, the others two. */
const SINGLE = 40;

/** A language of generated text. */
export interface Language {
  readonly name: string;
  /** The most common first. */
  readonly words: readonly string[];
  /** The separator of words. */
  readonly separator: string;
}

export const ENGLISH: Language = {
  name: "English",
  words: vocabulary(englishWord),
  separator: " ",
};
export const CHINESE: Language = { name: "Chinese", words: vocabulary(chineseWord), separator: "" };

const UP_TO = cumulated();

/** Draws words at random. */
export interface Words {
  /** Returns this many words as they are written. */
  text(count: number): string;
  /** Returns the n-th most common word, counting from 1. */
  word(rank: number): string;
}

export function createWords(seed: number, { words, separator }: Language = ENGLISH): Words {
  const random = createRandom(seed);
  const draw = () => words[placeOf(UP_TO, random() * (UP_TO.at(-1) ?? 0))] ?? "";
  return {
    text: (count) => Array.from({ length: count }, draw).join(separator),
    word: (rank) => words[rank - 1] ?? "",
  };
}

/** Generates numbers from 0 (inclusive) to 1 (exclusive) (Lehmer, 1951). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state * 48_271 % 0x7FFFFFFF;
    return state / 0x7FFFFFFF;
  };
}

function vocabulary(wordOf: (index: number) => string): string[] {
  return Array.from({ length: VOCABULARY }, (_, index) => wordOf(index));
}

/** Generates words of at least two letters, short ones first. */
function englishWord(index: number): string {
  let word = "";
  for (let rest = index + LETTERS.length; rest > 0; rest = Math.floor(rest / LETTERS.length)) {
    word += LETTERS[(rest + word.length * 7) % LETTERS.length];
  }
  return word;
}

function chineseWord(index: number): string {
  const character = (at: number) => CHARACTERS[at % CHARACTERS.length] ?? "";
  if (index < SINGLE) return character(index);
  return character(index) + character(Math.floor(index / CHARACTERS.length) + index * 7);
}

function cumulated(): number[] {
  let sum = 0;
  return Array.from({ length: VOCABULARY }, (_, index) => sum += 1 / (index + 1));
}

/** Returns the index of the first number that is not smaller. */
function placeOf(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
