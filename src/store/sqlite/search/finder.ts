/**
 * Finding pages and databases by their words.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { fits, isVague, partsOfFittingPages } from "../../../search/text/candidates.ts";
import { MOST_TEXT, MOST_WORDS } from "../../../search/text/parts.ts";
import type { PageWords, WordMatch, WordMatches, WordQuery } from "../../port.ts";
import { MANY, marksOf } from "../../search_marks.ts";
import { PARTS, TITLED } from "../../search_parts.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createReadCache, type ReadCache } from "../read_cache.ts";
import { createIndexedReader } from "./codes.ts";
import { all, any, marked, phrased, titleCode } from "./expressions.ts";
import { createMultiPartFinder } from "./multi_part_match.ts";

type Row = readonly [
  no: number,
  pageId: string,
  title: string,
  body: string,
  length: number,
  isMany: 0 | 1,
];

const COLUMNS = `p.no, p.page_id, iif(p.no % ${PARTS} < ${TITLED} OR p.title <> '', p.title,
  coalesce((
    SELECT f.title FROM search_parts f WHERE f.no = p.no - p.no % ${PARTS} AND f.page_id = p.page_id
  ), '')
), p.body, p.length, instr(p.place, ' ${MANY} ') > 0`;
const NONE: WordMatches = { matches: [], rest: undefined };

export interface WordFinder {
  findWords(workspace: string, query: WordQuery): WordMatches;
  words(workspace: string, ids: readonly string[], from?: number): PageWords;
}

/**
 * Phrases that the index looks for where all are asked for. Each costs up to a millisecond; whether
 * what was found has the others, too, its texts tell.
 */
const MOST_MATCHED = 16;
/** Bytes of all matches that are cached for further pages of results, counts and repeated searches. */
const CACHE_SIZE = 16 * 2 ** 20;
/** Bytes of a match beside its texts, about. */
const MATCH_SIZE = 300;
const BYTES_PER_UNIT = 2;

type MatchCache = ReturnType<ReadCache<string, readonly WordMatch[]>>;

/** Prepares the statements that find words. */
export function createWordFinder({ db, reading, defer }: Connection): WordFinder {
  const indexed = createIndexedReader(db);
  const partsOf = createPartReader(db);
  const spread = createMultiPartFinder(db);
  const cached: () => MatchCache = createReadCache({ db, defer }, {
    maxSize: CACHE_SIZE,
    sizeOf: (matches, expression) =>
      matches.reduce(
        (sum, { title, body }) => sum + MATCH_SIZE + BYTES_PER_UNIT * (title.length + body.length),
        MATCH_SIZE + expression.length,
      ),
  });
  const findInOnePart = createOnePartFinder(db);
  const findWords = (workspace: string, wanted: WordQuery): WordMatches => {
    const code = indexed(workspace)?.code;
    if (code === undefined) return NONE;
    const { phrases, match, scope, inTitle = false, limit } = wanted;
    const { from = 0, before = Number.MAX_SAFE_INTEGER / PARTS } = wanted;
    const indexedPhrases = match === "all" ? phrases.slice(0, MOST_MATCHED) : phrases;
    const expressions = indexedPhrases.map((phrase) =>
      phrased(inTitle ? titleCode(code) : code, phrase)
    );
    const words = match === "all" ? all(expressions) : any(expressions);
    const places = marksOf(scope).map((mark) => marked(code, mark));
    const expression = all([...(expressions.length === 0 ? [] : [words]), ...places]);
    const range = { from, before: Math.floor(before) };
    const end = range.before * PARTS;
    const cache = cached();
    const whole = findInOnePart(cache, expression, from * PARTS, end, workspace, limit);
    const isCut = whole.length === limit || isFull(whole);
    const floor = isCut ? whole.at(-1)?.no ?? from : from;
    const rest = isCut ? floor : undefined;
    const isChecked = phrases.length > indexedPhrases.length || phrases.some(isVague);
    const checked = isChecked
      ? whole.filter((part) => fits([part], phrases, { match, inTitle }))
      : whole;
    if (match === "any" || inTitle || phrases.length < 2) return { matches: checked, rest };
    const within = all([marked(code, MANY), ...places]);
    // Usually no page is that long, and merging the words' lists takes longer to find that out.
    const long = findInOnePart(cache, within, floor * PARTS, end, workspace, 1);
    if (long.length === 0) return { matches: checked, rest };
    const pages = spread(workspace, { expressions, within, ...range, from: floor, limit });
    const known = new Set(checked.map(({ id }) => id));
    const ids = pages.ids.filter((id) => !known.has(id));
    const { parts, next } = partsOf(workspace, ids, { most: MOST_TEXT });
    const complete = parts.filter(({ id }) => id !== next?.id);
    const partOfEach = ({ no }: WordMatch) =>
      firstUntilFull(
        expressions,
        (one) =>
          findInOnePart(cache, all([one, within]), no * PARTS, (no + 1) * PARTS, workspace, 1),
      );
    // A page that is too long to be read is found by a part with each word.
    const read = complete.length > 0 ? complete : parts.slice(0, 1).flatMap(partOfEach);
    const left = complete.length > 0 ? phrases : indexedPhrases;
    const others = partsOfFittingPages(read, isChecked ? left : []);
    const pagesRest = next === undefined ? pages.rest : read.at(-1)?.no;
    const lowest = Math.max(rest ?? from, pagesRest ?? from);
    return {
      matches: [...checked, ...others].filter(({ no }) => no >= lowest).sort((a, b) => b.no - a.no),
      rest: rest === undefined && pagesRest === undefined ? undefined : lowest,
    };
  };
  return {
    findWords: (workspace, wanted) => reading(() => findWords(workspace, wanted)),
    words: (workspace, ids, from) => partsOf(workspace, ids, { from, most: MOST_WORDS }),
  };
}

type FindInOnePart = (
  cache: MatchCache,
  ...asked: [expression: string, from: number, before: number, workspace: string, limit: number]
) => readonly WordMatch[];

/** Prepares the statement that finds what is in one part. */
function createOnePartFinder(db: DatabaseSync): FindInOnePart {
  // Newest first, in the order of the index, so that a common word need not be read completely.
  const inOnePart: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM search_words w CROSS JOIN search_parts p ON p.no = w.rowid
    WHERE w.search_words MATCH ? AND w.rowid >= ? AND w.rowid < ?
      AND p.workspace_id = ? AND p.trashed = 0
    ORDER BY w.rowid DESC LIMIT ?`,
  );
  return (cache, ...asked) => {
    const key = asked.join(" ");
    const known = cache.get(key);
    if (known !== undefined) return known;
    const matches: WordMatch[] = [];
    let length = 0;
    for (const row of inOnePart.iterate(...asked)) {
      const match = toMatch(row);
      matches.push(match);
      if ((length += match.body.length) >= MOST_TEXT) break;
    }
    cache.set(key, matches);
    return matches;
  };
}

interface PartRange {
  /** The first part of the first page. */
  readonly from?: number | undefined;
  /** UTF-16 code units of their bodies. */
  readonly most: number;
}

/** Prepares the statement that reads the parts of pages, up to the one that fills an answer. */
function createPartReader(
  db: DatabaseSync,
): (workspace: string, ids: readonly string[], range: PartRange) => PageWords {
  // In the order of the list, and of the parts in the index by pages.
  const ofPages: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM json_each(?2) wanted
    CROSS JOIN search_parts p ON p.workspace_id = ?1 AND p.page_id = wanted.value
    WHERE wanted.key > 0 OR p.no % ${PARTS} >= ?3`,
  );
  return (workspace, ids, { from = 0, most }) => {
    const parts: WordMatch[] = [];
    let length = 0;
    for (const row of ofPages.iterate(workspace, JSON.stringify(ids), from)) {
      const part = toMatch(row);
      parts.push(part);
      length += part.body.length;
      if (length >= most) return { parts, next: { id: part.id, part: row[0] % PARTS + 1 } };
    }
    return { parts, next: undefined };
  };
}

/** Reads the parts for each expression, until their texts are long. */
function firstUntilFull(
  expressions: readonly string[],
  find: (expression: string) => readonly WordMatch[],
): WordMatch[] {
  const parts: WordMatch[] = [];
  for (const expression of expressions) {
    if (isFull(parts)) break;
    parts.push(...find(expression));
  }
  return parts;
}

function isFull(matches: readonly WordMatch[]): boolean {
  return matches.reduce((length, { body }) => length + body.length, 0) >= MOST_TEXT;
}

function toMatch([no, id, title, body, length, isMany]: Row): WordMatch {
  return { id, no: Math.floor(no / PARTS), title, body, length, isWhole: isMany === 0 };
}
