/**
 * The parts in which the index of words keeps a page, and what a change makes of them.
 *
 * @module
 */
import { appendLines, beginningOf, type Part, replaceLines } from "../search/text/parts.ts";
import { spaced } from "../search/text/spaced.ts";
import { MANY } from "./search_marks.ts";

/** Numbers of a page's parts: more than its blocks could ever fill. */
export const PARTS = 4096;

/** A part and where it belongs. */
export interface StoredPart extends Part {
  readonly no: number;
  readonly pageId: string;
  /** Spaced marks. */
  readonly place: string;
  readonly trashed: boolean;
}

/** A part to be kept, and what was kept in its place. */
export interface ChangedPart {
  readonly part: StoredPart;
  readonly before: StoredPart | undefined;
}

/** Lines of bodies, by the id that they begin with. */
export type Lines = ReadonlyMap<string, string>;

/** The parts of a page of which none is kept yet; `title` as it is read. */
export function newParts(
  page: Omit<StoredPart, "body">,
  lines: Lines,
): ChangedPart[] {
  const [body = "", ...bodies] = appendLines("", lines.values());
  const first = { ...page, title: spaced(page.title), body };
  return continued(first, bodies).map((part) => ({ part, before: undefined }));
}

export interface PartsUpdate {
  /** Those of the page that may have to change. */
  readonly stored: readonly StoredPart[];
  /** As it is read; undefined where it stays. */
  readonly title: string | undefined;
  readonly lines: Lines;
}

/** The parts of a page that are new or not as they were. */
export function updatedParts({ stored, title, lines }: PartsUpdate): ChangedPart[] {
  let missing = lines;
  const edited = stored.map((part) => {
    const replaced = replaceLines(part.body, missing);
    missing = replaced.missing;
    return {
      ...part,
      title: title === undefined ? part.title : titleOf(part, spaced(title)),
      body: replaced.body,
    };
  });
  const last = edited.pop();
  if (last === undefined) return [];
  const [body = "", ...bodies] = appendLines(last.body, missing.values());
  return [...edited, ...continued({ ...last, body }, bodies)]
    .map((part, index) => ({ part, before: stored[index] }))
    .filter(({ part, before }) => before === undefined || !isSame(before, part));
}

/** A page's last part, and further ones with these bodies; where there are several, they say so. */
function continued(last: StoredPart, bodies: readonly string[]): StoredPart[] {
  const isOnly = isFirst(last) && bodies.length > 0;
  const part = isOnly ? { ...last, place: `${last.place}${MANY} ` } : last;
  const further = bodies.map((body, index) => ({ ...part, no: part.no + 1 + index, body }));
  return [part, ...further.map((next) => ({ ...next, title: titleOf(next, part.title) }))];
}

/** What a part keeps of its page's spaced title. */
function titleOf(part: Pick<StoredPart, "no">, title: string): string {
  return isFirst(part) ? title : beginningOf(title);
}

function isFirst({ no }: Pick<StoredPart, "no">): boolean {
  return no % PARTS === 0;
}

function isSame(a: StoredPart, b: StoredPart): boolean {
  return a.place === b.place && a.title === b.title && a.body === b.body;
}
