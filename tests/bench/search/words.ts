/**
 * Generates text with the word frequencies of real text: the n-th most common word is n times as
 * rare as the most common one (Zipf's law). The same seed gives the same text.
 *
 * @module
 */

const VOCABULARY = 50_000;
const LETTERS = "etaoinshrdlucmfwypvbgkjqxz";

const WORDS = vocabulary();
const UP_TO = cumulated();

/** Draws words at random. */
export interface Words {
  /** Returns this many words, separated by spaces. */
  text(count: number): string;
  /** Returns the n-th most common word, counting from 1. */
  word(rank: number): string;
}

export function createWords(seed: number): Words {
  const random = createRandom(seed);
  const draw = () => WORDS[placeOf(UP_TO, random() * (UP_TO.at(-1) ?? 0))] ?? "";
  return {
    text: (count) => Array.from({ length: count }, draw).join(" "),
    word: (rank) => WORDS[rank - 1] ?? "",
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

/** Generates words of at least two letters, short ones first. */
function vocabulary(): string[] {
  return Array.from({ length: VOCABULARY }, (_, index) => {
    let word = "";
    for (let rest = index + LETTERS.length; rest > 0; rest = Math.floor(rest / LETTERS.length)) {
      word += LETTERS[(rest + word.length * 7) % LETTERS.length];
    }
    return word;
  });
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
