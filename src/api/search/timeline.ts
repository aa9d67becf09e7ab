/**
 * Lists pages and databases by time, within a selection.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import type {
  TimeCursor,
  TimelineReader,
  TimeQuery,
  WordIndex,
  WordMatches,
} from "../../store/port.ts";
import type { Selection } from "./filters.ts";
import { selectedIndex } from "./selected_index.ts";

export interface Timeline extends Pick<TimeQuery, "by" | "direction" | "after" | "limit"> {
  /** All must occur. */
  readonly phrases: readonly Phrase[];
  readonly selection: Selection;
}

type Reader = TimelineReader & WordIndex;

/** Positions that one step of a filtered list reads. */
const STEP = 500;

/** Returns the next selected pages and databases in the order of their times. */
export async function selectedTimeline(
  store: Reader,
  workspace: string,
  { selection, ...timeline }: Timeline,
): Promise<readonly TimeCursor[]> {
  const { few, among, scope, rest } = selection;
  if (few !== undefined) return await sortFew(store, workspace, { selection, ...timeline });
  const query = { ...timeline, scope };
  if (among === undefined) return await store.timeline(workspace, query);
  const found: TimeCursor[] = [];
  let { after } = timeline;
  while (true) {
    const step = await store.timeline(workspace, {
      ...query,
      ...(after !== undefined && { after }),
      limit: STEP,
    });
    const ids = new Set((await among(step.map(({ id }) => id))).map(({ id }) => id));
    found.push(...step.filter(({ id }) => ids.has(id)));
    if (step.length < STEP || found.length >= query.limit) return found.slice(0, query.limit);
    after = step.at(-1);
    await rest();
  }
}

async function sortFew(
  store: Reader,
  workspace: string,
  { selection, phrases, by, direction, after, limit }: Timeline,
): Promise<readonly TimeCursor[]> {
  const ids = phrases.length === 0
    ? selection.few ?? []
    : await pagesWith(phrases, selectedIndex(store, selection), workspace);
  const facts = await selection.among?.(ids) ?? [];
  const compare = comparing(direction);
  return facts.map((page) => ({ time: page[by], id: page.id }))
    .filter((place) => after === undefined || compare(place, after) > 0)
    .sort(compare).slice(0, limit);
}

/** Returns all pages of the index with all phrases. */
async function pagesWith(
  phrases: readonly Phrase[],
  index: Pick<WordIndex, "findWords">,
  workspace: string,
): Promise<string[]> {
  const ids = new Set<string>();
  const query = { phrases, match: "all", scope: {}, limit: Infinity } as const;
  let before: number | undefined;
  do {
    const { matches, rest }: WordMatches = await index.findWords(workspace, {
      ...query,
      ...(before !== undefined && { before }),
    });
    for (const { id } of matches) ids.add(id);
    before = rest;
  } while (before !== undefined);
  return [...ids];
}

function comparing(direction: TimeQuery["direction"]) {
  const sign = direction === "ascending" ? 1 : -1;
  return (a: TimeCursor, b: TimeCursor) =>
    sign * (a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
