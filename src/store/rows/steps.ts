/**
 * The two ways to the rows of a stage: by the filter's indexes, or by a sort's.
 *
 * @module
 */
import type { Place } from "../../content/query/filter.ts";
import { type Candidates, sum } from "./candidates.ts";
import type { Walk } from "./dialect.ts";
import { takeFirst } from "./first.ts";
import { portionOf, spendLooks, takePortion } from "./portions.ts";
import { type Answer, ask, type Plan } from "./reading.ts";
import { isBehind, roomIn, type Search, type Stage } from "./stage.ts";

/**
 * Adds the first rows of a stage that are among the candidates: all are judged, portion by portion,
 * the first kept.
 */
export function* gather(search: Search, stage: Stage, { spans, rest }: Candidates): Plan<void> {
  const { compare, dialect, places } = search;
  const asked = { ...stage, filter: rest };
  const options = { compare, room: roomIn(search) };
  let first: readonly Place[] = [];
  for (let left = spans; left.length > 0;) {
    const { now, later } = yield* takePortion(search, left, portionOf(search, asked));
    spendLooks(search, asked, sum(now.map(({ count }) => count)));
    const answer = yield* ask(dialect.gather(search, asked, now.map(({ span }) => span)));
    const more = unknownOf([...places, ...first], placesIn(search, asked, answer));
    first = takeFirst(chain(first, more), options);
    left = later;
  }
  places.push(...first);
}

/** Adds the first rows of a stage that the walk meets: one after the other, until the page is full. */
export function* walk(search: Search, stage: Stage, way: Walk): Plan<void> {
  const { compare, dialect, places } = search;
  const found = placesIn(search, stage, yield* ask(dialect.walk(search, stage, way)));
  const sortedBy = stage.fixed.length;
  const room = roomIn(search);
  places.push(...takeFirst(unknownOf(places, found), { compare, room, sortedBy }));
}

/** The places of other rows: between two portions a row can move to where it is met once more. */
function* unknownOf(known: readonly Place[], found: Iterable<Place>): Iterable<Place> {
  const ids = new Set(known.map(({ id }) => id));
  for (const place of found) if (!ids.has(place.id)) yield place;
}

function* chain<T>(...all: readonly Iterable<T>[]): Iterable<T> {
  for (const some of all) yield* some;
}

function* placesIn(search: Search, { fixed, after }: Stage, answer: Answer): Iterable<Place> {
  for (const [id, ...values] of answer) {
    const place = { keys: [...fixed, ...search.dialect.keys(values)], id: String(id) };
    if (after === undefined || isBehind(search, after, place)) yield place;
  }
}
