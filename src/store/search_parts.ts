/**
 * The parts in which the index of words keeps a page, and what a change makes of them.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { appendLines, beginningOf, type Part, replaceLines } from "../search/text/parts.ts";
import { spaced } from "../search/text/spaced.ts";
import { MANY } from "./search_marks.ts";

/** Numbers that each page has for its parts. */
export const PARTS = 4096;
/**
 * Parts of a page that have its title, the first ones: so a new title writes no more of a very long
 * page. Words in the title of another are looked for as words in different parts are.
 */
export const TITLED = 64;
/** Nodes of one page that are looked for in its parts; where more changed, all parts are read. */
export const FEW = 8;

/** The text of a page does not fit its parts. */
export class PageFull extends AppError {
  constructor(pageId: string) {
    const detail = `Page ${pageId} has had as much text as a page takes: ${PARTS} parts of some ` +
      "4,100 characters, those of deleted blocks too. Put what is new into another page";
    super("validation_error", detail, { members: { errors: [{ pointer: "", detail }] } });
  }
}

/** A part and its place. */
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

/** The parts of a page of which none is kept yet; `title` as people read it. Throws `PageFull`. */
export function newParts(
  page: Omit<StoredPart, "body">,
  lines: Lines,
): ChangedPart[] {
  const [body = "", ...bodies] = appendLines("", lines.values());
  const first = { ...page, title: spaced(page.title), body };
  return continued(first, bodies).map((part) => ({ part, before: undefined }));
}

export interface PartsUpdate {
  /** The page's parts that may have to change, and its last part. */
  readonly stored: readonly StoredPart[];
  /** The new title as people read it; undefined if it stays. */
  readonly title: string | undefined;
  readonly lines: Lines;
}

/** The parts of a page that are new or not as they were. Throws `PageFull`. */
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
  // INVARIANT: a page's parts have the page's numbers. The next ones are another page's, perhaps of
  // another workspace.
  if (PARTS <= part.no % PARTS + bodies.length) throw new PageFull(last.pageId);
  const further = bodies.map((body, index) => ({ ...part, no: part.no + 1 + index, body }));
  return [part, ...further.map((next) => ({ ...next, title: titleOf(next, part.title) }))];
}

/** What a part keeps of its page's spaced title. */
function titleOf(part: Pick<StoredPart, "no">, title: string): string {
  if (isFirst(part)) return title;
  return part.no % PARTS < TITLED ? beginningOf(title) : "";
}

function isFirst({ no }: Pick<StoredPart, "no">): boolean {
  return no % PARTS === 0;
}

function isSame(a: StoredPart, b: StoredPart): boolean {
  return a.place === b.place && a.title === b.title && a.body === b.body;
}
