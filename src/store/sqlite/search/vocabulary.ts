/**
 * Chooses how the words of the index that have a beginning are found.
 *
 * @module
 */
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache } from "../read_cache.ts";
import type { Steps } from "../steps.ts";
import type { Indexed } from "./codes.ts";
import type { BeginningPlan, PlanOf } from "./expressions.ts";

/**
 * Chooses, for the expressions of one search, how the words with these beginnings are found: by
 * themselves if they are so few that to read their lists side by side takes less time than to merge
 * them; else by merging; or by their first letters if they have too many places for that. Undefined in
 * a workspace that is too small for anything but merging.
 */
export type Vocabulary = (
  index: Indexed,
  beginnings: Iterable<string>,
) => Steps<PlanOf> | undefined;

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
/**
 * Places of the words that FTS5 merges for a search, whatever the number of their beginnings. Each
 * takes up to 0.7 microseconds in every statement, and 0.3 to be counted.
 */
const MOST_PLACES = 20_000;
/** Words, and counts of places, that are cached. */
const CACHE_SIZE = 10_000;
/** Behind a word, this makes the least text that comes after it. */
const NEXT = "\u0001";
/** Behind a beginning, this makes a text that comes after all words with it. */
const LAST = "\u{10FFFF}";

/** Words, milliseconds and places that a search has left. */
interface Limits {
  words: number;
  time: number;
  places: number;
}

export interface VocabularyOptions {
  /** Terms of the smallest workspace whose words are looked for. */
  readonly fewest?: number;
  /** Milliseconds that a search may take to find words. */
  readonly mostTime?: number;
  /** Places of words that FTS5 may merge for a search. */
  readonly mostPlaces?: number;
}

/** Prepares the statements that find words and count their places. */
export function createVocabulary(
  connection: Connection,
  { fewest = LARGE, mostTime = MOST_TIME, mostPlaces = MOST_PLACES }: VocabularyOptions = {},
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
  const countPlaces = createPlaceCounter(connection, mostPlaces + 1);
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
  function* planFor(beginning: string, limits: Limits, isLarge: boolean): Steps<BeginningPlan> {
    const words = isLarge ? yield* wordsWith(beginning, limits) : undefined;
    if (words !== undefined) return words;
    const places = countPlaces(beginning);
    yield;
    if (places > limits.places) return "by first letters";
    limits.places -= places;
    return "merged";
  }
  function* find(beginnings: ReadonlySet<string>, isLarge: boolean): Steps<PlanOf> {
    const plans = new Map<string, BeginningPlan>();
    const limits = { words: MOST_WORDS.ofAll, time: mostTime, places: mostPlaces };
    for (const beginning of beginnings) {
      plans.set(beginning, yield* planFor(beginning, limits, isLarge));
    }
    return (beginning) => plans.get(beginning) ?? "merged";
  }
  return ({ length }, beginnings) => {
    const asked = new Set(beginnings);
    const isLarge = length >= fewest;
    return isLarge || length * asked.size > mostPlaces ? find(asked, isLarge) : undefined;
  };
}

/** Prepares the statement that counts the places of all words with a beginning, up to a limit. */
function createPlaceCounter(
  connection: Connection,
  limit: number,
): (beginning: string) => number {
  const count: Query<[places: number]> = query(
    connection.db,
    `SELECT count(*) FROM (
      SELECT 1 FROM temp.search_words_vocabulary WHERE term >= ? AND term < ? LIMIT ?
    ) some_places`,
  );
  const cached = createReadCache<string, readonly [places: number]>(connection, {
    maxSize: CACHE_SIZE,
    sizeOf: () => 1,
  });
  return (beginning) => {
    const cache = cached();
    const counted = cache.get(beginning) ?? count.get(beginning, beginning + LAST, limit) ?? [0];
    cache.set(beginning, counted);
    return counted[0];
  };
}
