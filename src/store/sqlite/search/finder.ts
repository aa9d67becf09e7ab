/**
 * Finding pages and databases by their words.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import {
  acceptingAll,
  fittingParts,
  isVague,
  MOST_TERMS,
  partsOfFittingPages,
} from "../../../search/text/candidates.ts";
import { MOST_TEXT, MOST_WORDS } from "../../../search/text/parts.ts";
import type { Phrase } from "../../../search/text/query.ts";
import type { PageWords, WordMatch, WordMatches, WordQuery } from "../../port.ts";
import { MANY, marksOf } from "../../search_marks.ts";
import { PARTS } from "../../search_parts.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { runSteps, type Steps } from "../steps.ts";
import { createIndexedReader } from "./codes.ts";
import {
  all,
  any,
  isMerged,
  marked,
  MERGE,
  mergedBeginnings,
  phrased,
  titleCode,
} from "./expressions.ts";
import { createMultiPartFinder, type MultiPartQuery } from "./multi_part_match.ts";
import {
  createPartFinder,
  isFull,
  PART_COLUMNS,
  type PartFinder,
  type PartRow,
  toMatch,
} from "./part_finder.ts";
import type { Vocabulary } from "./vocabulary.ts";

const NONE: WordMatches = { matches: [], rest: undefined };

export interface WordFinder {
  findWords(workspace: string, query: WordQuery): Promise<WordMatches>;
  words(workspace: string, ids: readonly string[], from?: number): PageWords;
}

/**
 * Terms of the phrases that the index looks for where all are asked for. Each costs up to a millisecond
 * in a very long text; whether what was found has the others, too, the texts tell.
 */
const MOST_MATCHED = 16;

/** Returns the first phrases with so many terms, at least one. */
function firstPhrases(phrases: readonly Phrase[]): readonly Phrase[] {
  let count = 0;
  const end = phrases.findIndex(({ terms }) =>
    (count += Math.min(terms.length, MOST_TERMS)) > MOST_MATCHED
  );
  return end < 0 ? phrases : phrases.slice(0, Math.max(1, end));
}
/**
 * Words that one statement looks for in all forms that are merged before the first row, up to 8 ms for
 * each word.
 */
const MOST_MERGED = 4;

/** Prepares the statements that find words. */
export function createWordFinder(connection: Connection, vocabulary: Vocabulary): WordFinder {
  const { db } = connection;
  const indexed = createIndexedReader(db);
  const partsOf = createPartReader(db);
  const { find, findInAll } = createPartFinder(connection);
  const findInPages = createLongPageFinder(db, { find, partsOf });
  function* findWords(workspace: string, wanted: WordQuery): Steps<WordMatches> {
    const index = indexed(workspace);
    if (index === undefined) return NONE;
    const { code } = index;
    const { phrases, match, scope, inTitle = false, limit } = wanted;
    const { from = 0, before = Number.MAX_SAFE_INTEGER / PARTS } = wanted;
    const indexedPhrases = match === "all" ? firstPhrases(phrases) : phrases;
    const prefix = inTitle ? titleCode(code) : code;
    const beginnings = indexedPhrases.flatMap((phrase) => [...mergedBeginnings(prefix, phrase)]);
    const steps = vocabulary(index, beginnings);
    const planOf = steps === undefined ? MERGE : yield* steps;
    const expressions = indexedPhrases.map((phrase) => phrased(prefix, phrase, planOf));
    const places = marksOf(scope).map((mark) => marked(code, mark));
    const isAny = match === "any" && expressions.length > 0;
    const groups = isAny ? [[any(expressions)]] : groupsOf(expressions);
    const end = Math.floor(before);
    const range = { workspace, from: from * PARTS, before: end * PARTS };
    const asked = groups.map((group) => all([...group, ...places]));
    const whole = yield* findInAll(asked, { ...range, limit });
    const isCut = whole.length === limit || isFull(whole);
    const floor = isCut ? whole.at(-1)?.no ?? from : from;
    const rest = isCut ? floor : undefined;
    const isChecked = phrases.length > indexedPhrases.length || phrases.some(isVague) ||
      beginnings.some((beginning) => planOf(beginning) === "by first letters");
    // To know which forms of a word are accepted takes long, and the caller ranks by that anyway.
    const begun = phrases.map(acceptingAll);
    const checked = isChecked ? yield* fittingParts(whole, begun, { match, inTitle }) : whole;
    if (match === "any" || inTitle || phrases.length < 2) return { matches: checked, rest };
    const within = all([marked(code, MANY), ...places]);
    // Usually no page is that long, and merging the words' lists takes longer to find that out.
    const long = yield* find(within, { ...range, from: floor * PARTS, limit: 1 });
    if (long.length === 0) return { matches: checked, rest };
    const known = new Set(checked.map(({ id }) => id));
    const pages = { expressions, within, from: floor, before: end, limit };
    const found = yield* findInPages(workspace, pages, known);
    const left = found.isWhole ? begun : begun.slice(0, indexedPhrases.length);
    const others = yield* partsOfFittingPages(found.parts, isChecked ? left : []);
    const lowest = Math.max(rest ?? from, found.rest ?? from);
    return {
      matches: [...checked, ...others].filter(({ no }) => no >= lowest).sort((a, b) => b.no - a.no),
      rest: rest === undefined && found.rest === undefined ? undefined : lowest,
    };
  }
  return {
    findWords: (workspace, wanted) => runSteps(connection, findWords(workspace, wanted)),
    words: (workspace, ids, from) => partsOf(workspace, ids, { from, most: MOST_WORDS }),
  };
}

/** Pages whose words are in different parts. */
interface LongPages {
  readonly parts: readonly WordMatch[];
  /** False if they are parts with a word each, of a page that is too long to be read. */
  readonly isWhole: boolean;
  /** Number below which there may be more pages; undefined if these are all. */
  readonly rest: number | undefined;
}

interface LongPageParts {
  readonly find: PartFinder["find"];
  readonly partsOf: ReturnType<typeof createPartReader>;
}

/** Prepares the search for pages with the words in different parts, without those that are known. */
function createLongPageFinder(
  db: DatabaseSync,
  { find, partsOf }: LongPageParts,
): (workspace: string, wanted: MultiPartQuery, known: ReadonlySet<string>) => Steps<LongPages> {
  const spread = createMultiPartFinder(db);
  /** Reads a part of a page with each word, until their texts are long. */
  function* partsWithEach(
    workspace: string,
    { expressions, within }: MultiPartQuery,
    page: number,
  ): Steps<WordMatch[]> {
    const range = { workspace, from: page * PARTS, before: (page + 1) * PARTS, limit: 1 };
    const parts: WordMatch[] = [];
    for (const one of expressions) {
      if (isFull(parts)) break;
      parts.push(...yield* find(all([one, within]), range));
    }
    return parts;
  }
  return function* (workspace, wanted, known) {
    const pages = yield* spread(workspace, wanted);
    const ids = pages.ids.filter((id) => !known.has(id));
    const { parts, next } = partsOf(workspace, ids, { most: MOST_TEXT });
    yield;
    const complete = parts.filter(({ id }) => id !== next?.id);
    const isWhole = complete.length > 0;
    const [first] = parts;
    // A page that is too long to be read is found by a part with each word.
    const read = isWhole || first === undefined
      ? complete
      : yield* partsWithEach(workspace, wanted, first.no);
    return { parts: read, isWhole, rest: next === undefined ? pages.rest : read.at(-1)?.no };
  };
}

/** Divides expressions into groups that a statement finds quickly. */
function groupsOf(expressions: readonly string[]): string[][] {
  const groups = [expressions.filter((one) => !isMerged(one))];
  for (const one of expressions.filter(isMerged)) {
    const last = groups.at(-1);
    if (last === undefined || last.filter(isMerged).length === MOST_MERGED) groups.push([one]);
    else last.push(one);
  }
  return groups;
}

interface PageRange {
  /** The first part of the first page. */
  readonly from?: number | undefined;
  /** UTF-16 code units of their bodies. */
  readonly most: number;
}

/** Prepares the statement that reads the parts of pages, up to the one that fills an answer. */
function createPartReader(
  db: DatabaseSync,
): (workspace: string, ids: readonly string[], range: PageRange) => PageWords {
  // In the order of the list, and of the parts in the index by pages.
  const ofPages: Query<PartRow> = query(
    db,
    `SELECT ${PART_COLUMNS} FROM json_each(?2) wanted
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
