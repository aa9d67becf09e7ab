/**
 * Pages and databases in the order of their creation or of their last edits.
 *
 * @module
 */
import type { PageTime, TimeCursor, TimeQuery } from "../port.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

type Place = readonly [time: number, id: string];

/** The columns of both times, and the indexes that have their order. */
const ORDERS = {
  createdTime: { column: "created_time", index: "pages_by_created_time" },
  editedTime: { column: "edited_time", index: "pages_by_edited_time" },
} as const;

export interface TimelineReads {
  timeline(workspace: string, query: TimeQuery): ReadPlan<TimeCursor[]>;
}

/** Declares the statements that follow the order of times. */
export function createTimelineReads(source: Source): TimelineReads {
  const orders = {
    createdTime: orderRead(source, "createdTime"),
    editedTime: orderRead(source, "editedTime"),
  };
  function* placesIn(workspace: string, wanted: TimeQuery): ReadPlan<readonly Place[]> {
    const { by, direction, kind, ids, after, limit } = wanted;
    const { listed, [direction]: { places, start } } = orders[by];
    const from = after === undefined ? start : toPlace(after);
    if (ids !== undefined) {
      const compare = comparing(direction);
      return (yield* listed.all([workspace, ids], (place) => place))
        .filter((place) => compare(place, from) > 0);
    }
    const kinds = kind === undefined ? ["page", "database"] : [kind];
    const answers = yield kinds.map((one) => places.question([workspace, one, ...from, limit]));
    return answers.flatMap((answer) => places.rowsOf(answer));
  }
  return {
    *timeline(workspace, wanted) {
      const found = yield* placesIn(workspace, wanted);
      return found.toSorted(comparing(wanted.direction)).slice(0, wanted.limit)
        .map(([time, id]) => ({ time, id }));
    },
  };
}

function toPlace({ time, id }: TimeCursor): Place {
  return [time, id];
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
  const listed = query<Place>(
    `SELECT n.${column}, n.id ${dialect.listed("nodes n", "n.id", "$2")}
      AND n.workspace_id = $1 AND ${dialect.inState("n.trash_root", false)}`,
  );
  return {
    listed,
    ascending: { places: ordered(">", "ASC"), start: [Number.MIN_SAFE_INTEGER, ""] },
    descending: { places: ordered("<", "DESC"), start: [Number.MAX_SAFE_INTEGER, ""] },
  } as const;
}

function comparing(direction: TimeQuery["direction"]): (a: Place, b: Place) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return ([a, x], [b, y]) => sign * (a - b || (x < y ? -1 : x > y ? 1 : 0));
}
