/**
 * Lists pages and databases by time, within a selection.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import type {
  PageFacts,
  SearchWithin,
  TimeCursor,
  TimelineReader,
  TimeQuery,
  WordIndex,
} from "../../store/port.ts";
import type { Selection } from "./filters.ts";
import { pagesWithWords } from "./word_search.ts";

export interface Timeline extends Pick<TimeQuery, "by" | "direction" | "after" | "limit"> {
  /** All must occur. */
  readonly phrases: readonly Phrase[];
  readonly selection: Selection;
}

type Reader = TimelineReader & WordIndex;

/** Up to this many parts that match are sorted; if there are more, the order of times is scanned. */
const SORTED = 1_000;
/** Searches for them: each ends with one page if that is very long. */
const MOST_SEARCHES = 16;
/** Positions that one step of a scan compares with a filter, and with words. */
const STEP = 500;
const WORD_STEP = 200;

/** Returns the next selected pages and databases in the order of their times. */
export async function selectedTimeline(
  store: Reader,
  workspace: string,
  timeline: Timeline,
): Promise<readonly TimeCursor[]> {
  const ids = await fewMatches(store, workspace, timeline);
  return ids === undefined
    ? await scan(store, workspace, timeline)
    : await sortPages(store, workspace, { ...timeline, ids });
}

/** Returns the pages with all words in the scope; undefined if they are too many to be sorted. */
async function fewMatches(
  store: Reader,
  workspace: string,
  { phrases, selection: { few, scope, rest } }: Timeline,
): Promise<readonly string[] | undefined> {
  if (few !== undefined) {
    return phrases.length === 0
      ? few
      : [...await pagesWithWords(store, workspace, few, { phrases, match: "all", rest })];
  }
  if (phrases.length === 0 && !isNarrow(scope)) return undefined;
  const query = { phrases, scope, match: "all", limit: SORTED } as const;
  const ids = new Set<string>();
  let before: number | undefined;
  for (let searches = 0; searches < MOST_SEARCHES && ids.size < SORTED / 2; searches++) {
    const found = await store.findWords(workspace, {
      ...query,
      ...(before !== undefined && { before }),
    });
    for (const { id } of found.matches) ids.add(id);
    await rest();
    before = found.rest;
    if (before === undefined) return [...ids];
  }
  return undefined;
}

async function sortPages(
  store: Reader,
  workspace: string,
  { ids, selection: { among }, by, direction, after, limit }: Timeline & {
    readonly ids: readonly string[];
  },
): Promise<readonly TimeCursor[]> {
  const matches = among === undefined ? ids : (await among(ids)).map(({ id }) => id);
  const range = { by, direction, ...(after !== undefined && { after }), limit };
  return await store.timeline(workspace, { ...range, ids: matches });
}

async function scan(
  store: Reader,
  workspace: string,
  { phrases, selection, by, direction, limit, ...range }: Timeline,
): Promise<readonly TimeCursor[]> {
  const { scope, among, rest } = selection;
  const isPlain = phrases.length === 0 && among === undefined && !isNarrow(scope);
  const order = { by, direction, ...(scope.kind && { kind: scope.kind }) };
  const most = phrases.length === 0 ? STEP : WORD_STEP;
  const found: TimeCursor[] = [];
  let { after } = range;
  // What almost all pages match is found at once.
  for (let size = isPlain ? limit : Math.min(most, 2 * limit);; size = most) {
    const step: TimeCursor[] = await store.timeline(workspace, {
      ...order,
      ...(after !== undefined && { after }),
      limit: size,
    });
    if (isPlain) return step;
    const ids = step.map(({ id }) => id);
    const matches = await matchesAmong(store, workspace, ids, { phrases, selection });
    found.push(...step.filter(({ id }) => matches.has(id)));
    if (step.length < size || found.length >= limit) return found.slice(0, limit);
    after = step.at(-1);
    await rest();
  }
}

async function matchesAmong(
  store: Reader,
  workspace: string,
  ids: readonly string[],
  { phrases, selection: { scope, among, rest } }: Pick<Timeline, "phrases" | "selection">,
): Promise<ReadonlySet<string>> {
  let selected = ids;
  if (among !== undefined || isNarrow(scope)) {
    const facts = await (among?.(ids) ?? store.pageFacts(workspace, ids));
    selected = facts.filter((page) => isWithin(page, scope)).map(({ id }) => id);
    await rest();
  }
  return phrases.length === 0
    ? new Set(selected)
    : await pagesWithWords(store, workspace, selected, { phrases, match: "all", rest });
}

/** Returns whether a scope is less than all pages or all databases. */
function isNarrow({ parentId, ancestorId }: SearchWithin): boolean {
  return parentId !== undefined || ancestorId !== undefined;
}

function isWithin(page: PageFacts, { parentId, ancestorId }: SearchWithin): boolean {
  return (parentId === undefined || page.parentId === parentId) &&
    (ancestorId === undefined || page.isBelow(ancestorId));
}
