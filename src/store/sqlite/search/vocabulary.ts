/**
 * Finds the words of the index that have a beginning.
 *
 * @module
 */
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache } from "../read_cache.ts";
import type { Indexed } from "./codes.ts";
import type { WordsOf } from "./expressions.ts";

/**
 * Returns a function that finds the words with a beginning for the expressions of one search, as long
 * as they are so few that to read their lists side by side takes less time than to merge them.
 */
export type Vocabulary = (index: Indexed) => WordsOf;

/**
 * Terms of a workspace from which on words are looked for. To merge lists takes some 1.2 ms for a
 * million places where words of them are; to find a word and to open its list 0.2 ms.
 */
const LARGE = 4_000_000;
/** Words with one beginning, and with all beginnings of a search, at most. */
const MOST_WORDS = { ofOne: 64, ofAll: 128 };
/** Bytes of all words that are cached. */
const CACHE_SIZE = 2 ** 20;
/** Bytes of a word in the cache, about. */
const WORD_SIZE = 50;
/** Stands behind all characters that words have. */
const END = "\u{10FFFF}";

/** Prepares the statement that finds words, in workspaces with at least so many terms. */
export function createVocabulary(connection: Connection, fewest = LARGE): Vocabulary {
  const { db, reading } = connection;
  db.exec(
    "CREATE VIRTUAL TABLE temp.search_words_vocabulary USING fts5vocab (main, search_words, instance)",
  );
  // The table has a row for each place of a word: each step goes to the first place of the next word.
  const next: Query<[word: string]> = query(
    db,
    `WITH RECURSIVE words (word) AS (
      SELECT (SELECT term FROM temp.search_words_vocabulary WHERE term >= ?1 LIMIT 1)
      UNION ALL
      SELECT (SELECT term FROM temp.search_words_vocabulary WHERE term >= words.word || char(1) LIMIT 1)
      FROM words WHERE words.word < ?2
    )
    SELECT word FROM words WHERE word < ?2 LIMIT ?3`,
  );
  const cached = createReadCache<string, readonly string[]>(connection, {
    maxSize: CACHE_SIZE,
    sizeOf: (words, beginning) => beginning.length + WORD_SIZE * (1 + words.length),
  });
  const find = (beginning: string): readonly string[] => {
    const known = cached().get(beginning);
    if (known !== undefined) return known;
    const words = next.all(beginning, beginning + END, MOST_WORDS.ofOne + 1).map(([word]) => word);
    cached().set(beginning, words);
    return words;
  };
  return ({ length }) => {
    if (length < fewest) return () => undefined;
    let left = MOST_WORDS.ofAll;
    return (beginning) => {
      const most = Math.min(MOST_WORDS.ofOne, left);
      const words = reading(() => find(beginning));
      // To find out that there are too many takes time, too.
      left -= Math.min(words.length, most);
      return words.length > most ? undefined : words;
    };
  };
}
