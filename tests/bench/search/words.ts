/**
 * Text as people write it, by how often its words come: the n-th most common word comes once where the
 * most common one comes n times (Zipf). The same for the same seed.
 *
 * @module
 */

const VOCABULARY = 50_000;
const LETTERS = "etaoinshrdlucmfwypvbgkjqxz";

const WORDS = vocabulary();
const UP_TO = cumulated();

/** Draws words one after the other. */
export interface Words {
  /** So many words with spaces between them. */
  text(count: number): string;
  /** The n-th most common word, from 1. */
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

/** Numbers from 0 to before 1 (Lehmer, 1951). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state * 48_271 % 0x7FFFFFFF;
    return state / 0x7FFFFFFF;
  };
}

/** Words of two letters and more, short ones first. */
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

/** Index of the first number that is not below. */
function placeOf(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
