/**
 * Pages and databases in the order of their last edits.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import { countOf } from "../../search/text/spaced.ts";
import type { EditCursor, EditQuery, WordMatches, WordQuery } from "../port.ts";
import { marksOf } from "../search_marks.ts";
import type { NodeReads } from "./nodes.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

/** Pages that one step of a scan checks. */
const STEP = 200;

type Place = readonly [editedTime: number, id: string];
type Part = readonly [id: string, place: string, title: string, body: string];

export interface EditedParts {
  readonly firstNodes: NodeReads["firstNodes"];
  /** Searches the word index, which differs between databases. */
  readonly findWords: (workspace: string, query: WordQuery) => ReadPlan<WordMatches>;
  /** Up to this many matches are sorted; if there are more, the order of edits is scanned. */
  readonly sorted: number;
}

type Found = ReadPlan<readonly Place[]>;

/** Declares the statements that follow the order of edits. */
export function createEditedRead(
  source: Source,
  { firstNodes, ...parts }: EditedParts,
): (workspace: string, query: EditQuery) => ReadPlan<NodeView[]> {
  const scan = scanRead(source);
  const search = searchRead(source, parts);
  const withWords = filterRead(source);
  function* find(workspace: string, wanted: EditQuery): Found {
    const { phrases, scope } = wanted;
    const isPlain = phrases.length === 0 && scope.parentId === undefined &&
      scope.ancestorId === undefined;
    if (isPlain) return yield* scan(workspace, wanted);
    return (yield* search(workspace, wanted)) ?? (yield* scanAndFilter(workspace, wanted));
  }
  function* scanAndFilter(workspace: string, wanted: EditQuery): Found {
    const found: Place[] = [];
    let { after } = wanted;
    for (let isWhole = false; !isWhole && found.length < wanted.limit;) {
      const step = yield* scan(workspace, { ...wanted, ...(after && { after }), limit: STEP });
      const fitting = yield* withWords(workspace, step.map(([, id]) => id), wanted);
      found.push(...step.filter(([, id]) => fitting.has(id)));
      const [editedTime, id] = step.at(-1) ?? [0, ""];
      after = { editedTime, id };
      isWhole = step.length < STEP;
    }
    return found.slice(0, wanted.limit);
  }
  return function* (workspace, wanted) {
    const found = yield* find(workspace, wanted);
    return yield* firstNodes(workspace, found.map(([, id]) => id));
  };
}

/** Scans the order of edits from a cursor, without regard to words. */
function scanRead({ dialect, query }: Source): (workspace: string, order: EditQuery) => Found {
  const ordered = (behind: string, order: string): Query<Place> =>
    query(
      `SELECT n.edited_time, n.id FROM ${dialect.indexed("nodes n", "pages_by_edited_time")}
      WHERE n.workspace_id = $1 AND n.kind = $2 AND n.kind <> 'block'
        AND ${dialect.inState("n.trash_root", false)} AND (n.edited_time, n.id) ${behind} ($3, $4)
      ORDER BY n.edited_time ${order}, n.id ${order} LIMIT $5`,
    );
  const directions = {
    ascending: { places: ordered(">", "ASC"), start: [Number.MIN_SAFE_INTEGER, ""] },
    descending: { places: ordered("<", "DESC"), start: [Number.MAX_SAFE_INTEGER, ""] },
  } as const;
  return function* (workspace, { direction, scope: { kind }, after, limit }) {
    const { places, start } = directions[direction];
    const from = after === undefined ? start : toPlace(after);
    const kinds = kind === undefined ? ["page", "database"] : [kind];
    const answers = yield kinds.map((one) => places.question([workspace, one, ...from, limit]));
    const found = answers.flatMap((answer) => places.rowsOf(answer));
    return found.sort(comparing(direction)).slice(0, limit);
  };
}

function toPlace({ editedTime, id }: EditCursor): Place {
  return [editedTime, id];
}

function comparing(direction: EditQuery["direction"]): (a: Place, b: Place) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return ([a, x], [b, y]) => sign * (a - b || (x < y ? -1 : x > y ? 1 : 0));
}

/** Sorts all matches of the word index; undefined if they are too many. */
function searchRead(
  { dialect, query }: Source,
  { findWords, sorted }: Omit<EditedParts, "firstNodes">,
): (workspace: string, query: EditQuery) => ReadPlan<readonly Place[] | undefined> {
  const places = query<Place>(
    `SELECT n.edited_time, n.id ${dialect.listed("nodes n", "n.id", "$2")} AND n.workspace_id = $1`,
  );
  return function* (workspace, { phrases, scope, direction, after, limit }) {
    const found = yield* findWords(workspace, { phrases, scope, match: "all", limit: sorted });
    if (found.rest !== undefined) return undefined;
    const compare = comparing(direction);
    const isBehind = (place: Place) => after === undefined || compare(place, toPlace(after)) > 0;
    const ids = new Set(found.matches.map(({ id }) => id));
    const all = yield* places.all([workspace, [...ids]], (place) => place);
    return all.filter(isBehind).sort(compare).slice(0, limit);
  };
}

/** Reads the words of some pages and returns the pages that have all of the query's. */
function filterRead({ dialect, query }: Source): (
  workspace: string,
  ids: readonly string[],
  query: EditQuery,
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
        all.some(([, , title, body]) => countOf(title, phrase) + countOf(body, phrase) > 0)
      );
    return new Set([...pages].flatMap(([id, all]) => fits(all) ? [id] : []));
  };
}
