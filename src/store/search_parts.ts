/**
 * The parts of a page in the word index, and how changes update them.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { appendLines, beginningOf, type Part, replaceLines } from "../search/text/parts.ts";
import { spaced } from "../search/text/spaced.ts";
import { MANY } from "./search_marks.ts";

/** How many numbers are reserved for the parts of each page. */
export const PARTS = 4096;
/**
 * How many parts of a page, from the first, contain its title. This limits what a new title rewrites in
 * a very long page. A search combines title words with later parts like words of different parts.
 */
export const TITLED = 64;
/** Up to this many changed nodes are searched in a page's parts; above, all parts are read. */
export const FEW = 8;

/** Thrown if the text of a page does not fit its parts. */
export class PageFull extends AppError {
  constructor(pageId: string) {
    const detail = `Page ${pageId} has had as much text as a page takes: ${PARTS} parts of some ` +
      "4,100 characters, those of deleted blocks too. Put what is new into another page";
    super("validation_error", detail, { members: { errors: [{ pointer: "", detail }] } });
  }
}

/** A part of a page, with its marks. */
export interface StoredPart extends Part {
  readonly no: number;
  readonly pageId: string;
  /** Spaced marks. */
  readonly place: string;
}

/** A part to be stored, and the stored part that it replaces. */
export interface ChangedPart {
  readonly part: StoredPart;
  readonly before: StoredPart | undefined;
}

/** Lines of bodies, by the ID that they begin with. */
export type Lines = ReadonlyMap<string, string>;

/** Returns the parts of a new page; `title` is in its displayed form. Throws `PageFull`. */
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
  /** The new title in its displayed form; undefined if it stays. */
  readonly title: string | undefined;
  readonly lines: Lines;
}

/** Returns the parts of a page that are new or changed. Throws `PageFull`. */
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

/** A page's last part and further ones with these bodies; `MANY` is the last mark of several. */
function continued(last: StoredPart, bodies: readonly string[]): StoredPart[] {
  const isOnly = isFirst(last) && bodies.length > 0;
  const part = isOnly ? { ...last, place: `${last.place}${MANY} ` } : last;
  // INVARIANT: a page's parts use only its own numbers. The next numbers belong to another page, perhaps
  // of another workspace.
  if (PARTS <= part.no % PARTS + bodies.length) throw new PageFull(last.pageId);
  const further = bodies.map((body, index) => ({ ...part, no: part.no + 1 + index, body }));
  return [part, ...further.map((next) => ({ ...next, title: titleOf(next, part.title) }))];
}

/** The spaced title as a part stores it: empty after the first `TITLED` parts. */
function titleOf(part: Pick<StoredPart, "no">, title: string): string {
  if (isFirst(part)) return title;
  return part.no % PARTS < TITLED ? beginningOf(title) : "";
}

/** Returns the marks of a part after its page moved to this place. */
export function movedPlace(part: Pick<StoredPart, "place">, place: string): string {
  return part.place.includes(` ${MANY} `) ? `${place}${MANY} ` : place;
}

function isFirst({ no }: Pick<StoredPart, "no">): boolean {
  return no % PARTS === 0;
}

function isSame(a: StoredPart, b: StoredPart): boolean {
  return a.place === b.place && a.title === b.title && a.body === b.body;
}
