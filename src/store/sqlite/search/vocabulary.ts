/**
 * Finds the words of the index that have a beginning.
 *
 * @module
 */
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache } from "../read_cache.ts";
import type { Steps } from "../steps.ts";
import type { Indexed } from "./codes.ts";
import type { WordsOf } from "./expressions.ts";

/**
 * Finds the words with these beginnings, for the expressions of one search, as long as they are so few
 * that to read their lists side by side takes less time than to merge them. Undefined in a workspace
 * that is too small for that.
 */
export type Vocabulary = (
  index: Indexed,
  beginnings: Iterable<string>,
) => Steps<WordsOf> | undefined;

/**
 * Terms of a workspace from which on words are looked for. To merge lists takes some 1.2 ms for a
 * million places where words of them are; to find a word and to open its list 0.2 ms.
 */
const LARGE = 4_000_000;
/** Words with one beginning, and with all beginnings of a search, at most. */
const MOST_WORDS = { ofOne: 64, ofAll: 128 };
/**
 * Milliseconds of the statements of a search that find words. In each segment without the word, FTS5
 * passes over the list of the word before it: 0.6 ms for a megabyte.
 */
const MOST_TIME = 60;
/** Words that are cached. */
const CACHE_SIZE = 10_000;
/** Behind a word, this makes the least text that comes after it. */
const NEXT = "\u0001";

/** Words and milliseconds that a search has left. */
interface Limits {
  words: number;
  time: number;
}

export interface VocabularyOptions {
  /** Terms of the smallest workspace whose words are looked for. */
  readonly fewest?: number;
  /** Milliseconds that a search may take to find words. */
  readonly mostTime?: number;
}

/** Prepares the statement that finds words. */
export function createVocabulary(
  connection: Connection,
  { fewest = LARGE, mostTime = MOST_TIME }: VocabularyOptions = {},
): Vocabulary {
  const { db } = connection;
  db.exec(
    "CREATE VIRTUAL TABLE temp.search_words_vocabulary USING fts5vocab (main, search_words, instance)",
  );
  // The table has a row for each place of a word.
  const next: Query<[word: string]> = query(
    db,
    "SELECT term FROM temp.search_words_vocabulary WHERE term >= ? LIMIT 1",
  );
  const cached = createReadCache<string, readonly [word: string]>(connection, {
    maxSize: CACHE_SIZE,
    sizeOf: () => 1,
  });
  const firstFrom = (start: string): string => {
    const cache = cached();
    const known = cache.get(start);
    if (known !== undefined) return known[0];
    const found = next.get(start) ?? [""];
    cache.set(start, found);
    return found[0];
  };
  function* wordsWith(beginning: string, limits: Limits): Steps<readonly string[] | undefined> {
    const most = Math.min(MOST_WORDS.ofOne, limits.words);
    const words: string[] = [];
    for (let start = beginning; limits.time > 0;) {
      const before = performance.now();
      const word = firstFrom(start);
      limits.time -= performance.now() - before;
      yield;
      if (!word.startsWith(beginning)) return words;
      if (words.length === most) return undefined;
      words.push(word);
      limits.words--;
      start = word + NEXT;
    }
    return undefined;
  }
  function* find(beginnings: Iterable<string>): Steps<WordsOf> {
    const found = new Map<string, readonly string[] | undefined>();
    const limits = { words: MOST_WORDS.ofAll, time: mostTime };
    for (const beginning of new Set(beginnings)) {
      found.set(beginning, yield* wordsWith(beginning, limits));
    }
    return (beginning) => found.get(beginning);
  }
  return ({ length }, beginnings) => length < fewest ? undefined : find(beginnings);
}
