/**
 * Pages and databases in the order of their creation or of their last edits.
 *
 * @module
 */
import { occursIn } from "../../search/text/spaced.ts";
import type { PageTime, TimeCursor, TimeQuery, WordMatches, WordQuery } from "../port.ts";
import { marksOf } from "../search_marks.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

/** Pages that one step of a scan checks. */
const STEP = 200;

type Place = readonly [time: number, id: string];
type Part = readonly [id: string, place: string, title: string, body: string];

export interface TimelineParts {
  /** Searches the word index, which differs between databases. */
  readonly findWords: (workspace: string, query: WordQuery) => ReadPlan<WordMatches>;
  /** Up to this many matches are sorted; if there are more, the order of times is scanned. */
  readonly sorted: number;
}

type Found = ReadPlan<readonly Place[]>;

/** The columns of both times, and the indexes that have their order. */
const ORDERS = {
  createdTime: { column: "created_time", index: "pages_by_created_time" },
  editedTime: { column: "edited_time", index: "pages_by_edited_time" },
} as const;

/** Declares the statements that follow the order of times. */
export function createTimelineRead(
  source: Source,
  parts: TimelineParts,
): (workspace: string, query: TimeQuery) => ReadPlan<TimeCursor[]> {
  const scan = scanRead(source);
  const search = searchRead(source, parts);
  const withWords = filterRead(source);
  function* find(workspace: string, wanted: TimeQuery): Found {
    const { phrases, scope } = wanted;
    const isPlain = phrases.length === 0 && scope.parentId === undefined &&
      scope.ancestorId === undefined;
    if (isPlain) return yield* scan(workspace, wanted);
    return (yield* search(workspace, wanted)) ?? (yield* scanAndFilter(workspace, wanted));
  }
  function* scanAndFilter(workspace: string, wanted: TimeQuery): Found {
    const found: Place[] = [];
    let { after } = wanted;
    for (let isWhole = false; !isWhole && found.length < wanted.limit;) {
      const step = yield* scan(workspace, { ...wanted, ...(after && { after }), limit: STEP });
      const fitting = yield* withWords(workspace, step.map(([, id]) => id), wanted);
      found.push(...step.filter(([, id]) => fitting.has(id)));
      const [time, id] = step.at(-1) ?? [0, ""];
      after = { time, id };
      isWhole = step.length < STEP;
    }
    return found.slice(0, wanted.limit);
  }
  return function* (workspace, wanted) {
    const found = yield* find(workspace, wanted);
    return found.map(([time, id]) => ({ time, id }));
  };
}

/** Scans the order of times from a cursor, without regard to words. */
function scanRead(source: Source): (workspace: string, order: TimeQuery) => Found {
  const orders = {
    createdTime: orderRead(source, "createdTime"),
    editedTime: orderRead(source, "editedTime"),
  };
  return function* (workspace, { by, direction, scope: { kind }, after, limit }) {
    const { places, start } = orders[by][direction];
    const from = after === undefined ? start : toPlace(after);
    const kinds = kind === undefined ? ["page", "database"] : [kind];
    const answers = yield kinds.map((one) => places.question([workspace, one, ...from, limit]));
    const found = answers.flatMap((answer) => places.rowsOf(answer));
    return found.sort(comparing(direction)).slice(0, limit);
  };
}

/** Declares the statements on one of the orders, in both directions. */
function orderRead({ dialect, query }: Source, by: PageTime) {
  const { column, index } = ORDERS[by];
  const ordered = (behind: string, order: string): Query<Place> =>
    query(
      `SELECT n.${column}, n.id FROM ${dialect.indexed("nodes n", index)}
      WHERE n.workspace_id = $1 AND n.kind = $2 AND n.kind <> 'block'
        AND ${dialect.inState("n.trash_root", false)} AND (n.${column}, n.id) ${behind} ($3, $4)
      ORDER BY n.${column} ${order}, n.id ${order} LIMIT $5`,
    );
  return {
    ascending: { places: ordered(">", "ASC"), start: [Number.MIN_SAFE_INTEGER, ""] },
    descending: { places: ordered("<", "DESC"), start: [Number.MAX_SAFE_INTEGER, ""] },
  } as const;
}

function toPlace({ time, id }: TimeCursor): Place {
  return [time, id];
}

function comparing(direction: TimeQuery["direction"]): (a: Place, b: Place) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return ([a, x], [b, y]) => sign * (a - b || (x < y ? -1 : x > y ? 1 : 0));
}

/** Sorts all matches of the word index; undefined if they are too many. */
function searchRead(
  { dialect, query }: Source,
  { findWords, sorted }: TimelineParts,
): (workspace: string, query: TimeQuery) => ReadPlan<readonly Place[] | undefined> {
  const placesBy = (by: PageTime) =>
    query<Place>(
      `SELECT n.${ORDERS[by].column}, n.id ${dialect.listed("nodes n", "n.id", "$2")}
      AND n.workspace_id = $1`,
    );
  const places = { createdTime: placesBy("createdTime"), editedTime: placesBy("editedTime") };
  return function* (workspace, { phrases, scope, by, direction, after, limit }) {
    const found = yield* findWords(workspace, { phrases, scope, match: "all", limit: sorted });
    if (found.rest !== undefined) return undefined;
    const compare = comparing(direction);
    const isBehind = (place: Place) => after === undefined || compare(place, toPlace(after)) > 0;
    const ids = new Set(found.matches.map(({ id }) => id));
    const all = yield* places[by].all([workspace, [...ids]], (place) => place);
    return all.filter(isBehind).sort(compare).slice(0, limit);
  };
}

/** Reads the words of some pages and returns the pages that have all of the query's. */
function filterRead({ dialect, query }: Source): (
  workspace: string,
  ids: readonly string[],
  query: TimeQuery,
) => ReadPlan<ReadonlySet<string>> {
  const parts = query<Part>(
    `SELECT p.page_id, p.place, p.title, p.body
    ${dialect.listed("search_parts p", "p.page_id", "$2")} AND p.workspace_id = $1`,
  );
  return function* (workspace, ids, { phrases, scope }) {
    const marks = marksOf(scope);
    const pages = Map.groupBy(yield* parts.all([workspace, ids], (part) => part), ([id]) => id);
    const fits = (all: readonly Part[]) =>
      marks.every((mark) => all[0]?.[1].includes(` ${mark} `)) &&
      phrases.every((phrase) =>
        all.some(([, , title, body]) => occursIn(title, phrase) || occursIn(body, phrase))
      );
    return new Set([...pages].flatMap(([id, all]) => fits(all) ? [id] : []));
  };
}
