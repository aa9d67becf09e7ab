/**
 * Pages and databases in the order of their last edits.
 *
 * @module
 */
import { countOf } from "../../../search/text/spaced.ts";
import type { NodeView } from "../../../content/schema/node.ts";
import type { EditCursor, EditQuery } from "../../port.ts";
import { marksOf } from "../../search_marks.ts";
import type { Connection } from "../connection.ts";
import { readFirstNodes } from "../nodes.ts";
import { type Query, query, type Session } from "../query.ts";
import { findWords } from "./finder.ts";

/** So many that are found by their words are sorted; of more the order is walked. */
const SORTED = 2_000;
/** Pages that a walk looks at in one step. */
const STEP = 200;

type Place = readonly [editedTime: number, id: string];
type Words = readonly [id: string, place: string, title: string, body: string];

const ordered = (behind: string, order: string): Query<Place> =>
  query(
    `SELECT n.edited_time, n.id FROM nodes n
    WHERE n.workspace_id = $1 AND n.kind = $2 AND n.kind <> 'block' AND n.trash_root = ''
      AND (n.edited_time, n.id) ${behind} ($3, $4)
    ORDER BY n.edited_time ${order}, n.id ${order} LIMIT $5`,
  );
const DIRECTIONS = {
  ascending: { places: ordered(">", "ASC"), start: [Number.MIN_SAFE_INTEGER, ""] },
  descending: { places: ordered("<", "DESC"), start: [Number.MAX_SAFE_INTEGER, ""] },
} as const;

const placesOf = query<Place>(
  `SELECT n.edited_time, n.id FROM nodes n
  WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[])`,
);
const partsOf = query<Words>(
  `SELECT p.page_id, p.place, p.title, p.body FROM search_parts p
  WHERE p.workspace_id = $1 AND p.page_id = ANY ($2::text[])`,
);

/** Follows the order of edits. */
export function createEditedReader(
  { reading }: Connection,
): (workspace: string, query: EditQuery) => Promise<NodeView[]> {
  return (workspace, wanted) =>
    reading(async (session) => {
      const found = await find(session, workspace, wanted);
      return await readFirstNodes(session, workspace, found.map(([, id]) => id));
    });
}

async function find(
  session: Session,
  workspace: string,
  wanted: EditQuery,
): Promise<readonly Place[]> {
  const { phrases, scope, limit } = wanted;
  const isPlain = phrases.length === 0 && scope.parentId === undefined &&
    scope.ancestorId === undefined;
  if (isPlain) return await walk(session, workspace, wanted);
  const sorted = await search(session, workspace, wanted);
  if (sorted !== undefined) return sorted;
  const found: Place[] = [];
  let { after } = wanted;
  for (let isWhole = false; !isWhole && found.length < limit;) {
    const step = await walk(session, workspace, {
      ...wanted,
      ...(after && { after }),
      limit: STEP,
    });
    const fitting = await judge(session, workspace, { ids: step.map(([, id]) => id), wanted });
    found.push(...step.filter(([, id]) => fitting.has(id)));
    const [editedTime, id] = step.at(-1) ?? [0, ""];
    after = { editedTime, id };
    isWhole = step.length < STEP;
  }
  return found.slice(0, limit);
}

/** Follows the order from a place on, whatever the words. */
async function walk(
  session: Session,
  workspace: string,
  { direction, scope: { kind }, after, limit }: EditQuery,
): Promise<Place[]> {
  const { places, start } = DIRECTIONS[direction];
  const [editedTime, id] = after === undefined ? start : [after.editedTime, after.id];
  const kinds = kind === undefined ? ["page", "database"] : [kind];
  const found = await Promise.all(
    kinds.map((one) => places.all(session, workspace, one, editedTime, id, limit)),
  );
  return found.flat().sort(comparing(direction)).slice(0, limit);
}

function comparing(direction: EditQuery["direction"]): (a: Place, b: Place) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return ([a, x], [b, y]) => sign * (a - b || (x < y ? -1 : x > y ? 1 : 0));
}

/** Sorts all that the index finds; undefined where that is too much. */
async function search(
  session: Session,
  workspace: string,
  { phrases, scope, direction, after, limit }: EditQuery,
): Promise<Place[] | undefined> {
  const asked = { phrases, scope, match: "all", limit: SORTED } as const;
  const found = await findWords(session, workspace, asked);
  if (found.rest !== undefined) return undefined;
  const ids = [...new Set(found.matches.map(({ id }) => id))];
  const compare = comparing(direction);
  const isBehind = (place: Place) => after === undefined || compare(place, toPlace(after)) > 0;
  const places = await placesOf.all(session, workspace, ids);
  return places.filter(isBehind).sort(compare).slice(0, limit);
}

function toPlace({ editedTime, id }: EditCursor): Place {
  return [editedTime, id];
}

interface Judged {
  readonly ids: readonly string[];
  readonly wanted: EditQuery;
}

/** Which of some pages have all the words, by reading theirs. */
async function judge(
  session: Session,
  workspace: string,
  { ids, wanted: { phrases, scope } }: Judged,
): Promise<ReadonlySet<string>> {
  const marks = marksOf(scope);
  const pages = Map.groupBy(await partsOf.all(session, workspace, ids), ([id]) => id);
  const fits = (all: readonly Words[]) =>
    marks.every((mark) => all[0]?.[1].includes(` ${mark} `)) &&
    phrases.every((phrase) =>
      all.some(([, , title, body]) => countOf(title, phrase) + countOf(body, phrase) > 0)
    );
  return new Set([...pages].flatMap(([id, all]) => fits(all) ? [id] : []));
}
