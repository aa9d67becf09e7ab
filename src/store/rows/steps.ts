/**
 * The two ways to the rows of a stage: by the filter's indexes, or by a sort's.
 *
 * @module
 */
import type { Place } from "../../content/query/filter.ts";
import type { Candidates } from "./candidates.ts";
import type { Walk } from "./dialect.ts";
import { takeFirst } from "./first.ts";
import { type Answer, ask, firstOf, type Plan } from "./reading.ts";
import { orderOf, sourceOf, valueColumns } from "./sources.ts";
import { sql } from "./sql.ts";
import { isBehind, roomIn, type Search, type Stage } from "./stage.ts";

/** Adds the first rows of a stage that are among the candidates: all are judged, the first kept. */
export function* gather(search: Search, stage: Stage, { spans, rest }: Candidates): Plan<void> {
  if (spans.length === 0) return;
  const { compare, dialect, places } = search;
  const asked = { ...stage, filter: rest };
  const found = placesIn(search, asked, yield* ask(dialect.gather(search, asked, spans)));
  places.push(...takeFirst(found, { compare, room: roomIn(search) }));
}

/** Adds the first rows of a stage that the walk meets: one after the other, until the page is full. */
export function* walk(search: Search, stage: Stage, way: Walk): Plan<void> {
  const { compare, dialect, places } = search;
  const found = placesIn(search, stage, yield* ask(dialect.walk(search, stage, way)));
  const sortedBy = stage.fixed.length;
  places.push(...takeFirst(found, { compare, room: roomIn(search), sortedBy }));
}

function* placesIn(search: Search, { fixed, after }: Stage, answer: Answer): Iterable<Place> {
  for (const [id, ...values] of answer) {
    const place = { keys: [...fixed, ...search.dialect.keys(values)], id: String(id) };
    if (after === undefined || isBehind(search, after, place)) yield place;
  }
}

/** What the walk meets after so many steps, judged or not; undefined where it ends before. */
export function* meet(
  { dialect, realm }: Search,
  { span, descending }: Walk,
  column: "value" | "id",
  steps: readonly number[],
): Plan<(number | string | undefined)[]> {
  const source = sourceOf(span, realm, dialect);
  const order = orderOf([...valueColumns(span, source), source.id], descending);
  const answers = yield steps.map((step) =>
    sql`SELECT ${source[column]} FROM ${source.from} WHERE ${source.where}
      ORDER BY ${order} LIMIT 1 OFFSET ${step - 1}`
  );
  return answers.map((answer) => firstOf<[number | string]>(answer)?.[0]);
}
