/**
 * Pages and databases in the order of their last edits.
 *
 * @module
 */
import { countOf } from "../../../search/text/spaced.ts";
import type { NodeView } from "../../../content/schema/node.ts";
import type { EditCursor, EditQuery, SearchWithin, WordMatches, WordQuery } from "../../port.ts";
import { marksOf } from "../../search_marks.ts";
import type { Connection } from "../connection.ts";
import type { NodeReader } from "../nodes.ts";
import { type Query, query } from "../query.ts";

/** So many that are found by their words are sorted; of more the order is walked. */
const SORTED = 1_000;
/** Pages that a walk looks at in one step. */
const STEP = 200;

type Place = readonly [editedTime: number, id: string];
type Words = readonly [id: string, place: string, title: string, body: string];

type FindWords = (workspace: string, query: WordQuery) => WordMatches;

export interface EditedReaderParts {
  readonly firstNodes: NodeReader["firstNodes"];
  readonly findWords: FindWords;
}

/** Prepares the statements that follow the order of edits. */
export function createEditedReader(
  { db, reading }: Connection,
  { firstNodes, findWords }: EditedReaderParts,
): (workspace: string, query: EditQuery) => NodeView[] {
  const walk = createWalk(db);
  const search = createSearch(db, findWords);
  const judge = createJudge(db);
  const find = (workspace: string, wanted: EditQuery): readonly Place[] => {
    const { phrases, scope, limit } = wanted;
    const isPlain = phrases.length === 0 && scope.parentId === undefined &&
      scope.ancestorId === undefined;
    if (isPlain) return walk(workspace, wanted, wanted.after, limit);
    return search(workspace, wanted) ?? walked(workspace, wanted);
  };
  const walked = (workspace: string, wanted: EditQuery): Place[] => {
    const found: Place[] = [];
    let { after } = wanted;
    for (let isWhole = false; !isWhole && found.length < wanted.limit;) {
      const step = walk(workspace, wanted, after, STEP);
      const fitting = judge(workspace, step.map(([, id]) => id), wanted);
      found.push(...step.filter(([, id]) => fitting.has(id)));
      const [editedTime, id] = step.at(-1) ?? [0, ""];
      after = { editedTime, id };
      isWhole = step.length < STEP;
    }
    return found.slice(0, wanted.limit);
  };
  return (workspace, wanted) =>
    reading(() => firstNodes(workspace, find(workspace, wanted).map(([, id]) => id)));
}

type Order = Pick<EditQuery, "direction"> & { readonly scope: Pick<SearchWithin, "kind"> };

/** Prepares what follows the order from a place on, whatever the words. */
function createWalk(
  db: Connection["db"],
): (workspace: string, order: Order, after: EditCursor | undefined, limit: number) => Place[] {
  const ordered = (behind: string, order: string): Query<Place> =>
    query(
      db,
      `SELECT n.edited_time, n.id FROM nodes n INDEXED BY pages_by_edited_time
      WHERE n.workspace_id = ? AND n.kind = ? AND n.kind <> 'block' AND n.trash_root IS NULL
        AND (n.edited_time, n.id) ${behind} (?, ?)
      ORDER BY n.edited_time ${order}, n.id ${order} LIMIT ?`,
    );
  const directions = {
    ascending: { places: ordered(">", "ASC"), start: [Number.MIN_SAFE_INTEGER, ""] },
    descending: { places: ordered("<", "DESC"), start: [Number.MAX_SAFE_INTEGER, ""] },
  } as const;
  return (workspace, { direction, scope: { kind } }, after, limit) => {
    const { places, start } = directions[direction];
    const [editedTime, id] = after === undefined ? start : [after.editedTime, after.id];
    const kinds = kind === undefined ? ["page", "database"] : [kind];
    const found = kinds.flatMap((one) => places.all(workspace, one, editedTime, id, limit));
    return found.sort(comparing(direction)).slice(0, limit);
  };
}

function comparing(direction: EditQuery["direction"]): (a: Place, b: Place) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return ([a, x], [b, y]) => sign * (a - b || (x < y ? -1 : x > y ? 1 : 0));
}

/** Prepares what sorts all that the index finds; undefined where that is too much. */
function createSearch(
  db: Connection["db"],
  findWords: FindWords,
): (workspace: string, query: EditQuery) => Place[] | undefined {
  const places: Query<Place> = query(
    db,
    `SELECT n.edited_time, n.id FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value`,
  );
  return (workspace, { phrases, scope, direction, after, limit }) => {
    const found = findWords(workspace, { phrases, scope, match: "all", limit: SORTED });
    if (found.rest !== undefined) return undefined;
    const ids = new Set(found.matches.map(({ id }) => id));
    const compare = comparing(direction);
    const isBehind = (place: Place) =>
      after === undefined || compare(place, [after.editedTime, after.id]) > 0;
    return places.all(workspace, JSON.stringify([...ids]))
      .filter(isBehind).sort(compare).slice(0, limit);
  };
}

/** Prepares what tells which of some pages have all the words, by reading theirs. */
function createJudge(
  db: Connection["db"],
): (workspace: string, ids: readonly string[], query: EditQuery) => ReadonlySet<string> {
  const parts: Query<Words> = query(
    db,
    `SELECT p.page_id, p.place, p.title, p.body FROM json_each(?2) wanted
    CROSS JOIN search_parts p ON p.workspace_id = ?1 AND p.page_id = wanted.value`,
  );
  return (workspace, ids, { phrases, scope }) => {
    const marks = marksOf(scope);
    const pages = Map.groupBy(parts.all(workspace, JSON.stringify(ids)), ([id]) => id);
    const fits = (all: readonly Words[]) =>
      marks.every((mark) => all[0]?.[1].includes(` ${mark} `)) &&
      phrases.every((phrase) =>
        all.some(([, , title, body]) => countOf(title, phrase) + countOf(body, phrase) > 0)
      );
    return new Set([...pages].flatMap(([id, all]) => fits(all) ? [id] : []));
  };
}
