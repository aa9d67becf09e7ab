/**
 * The words of a page as they are kept: in parts, so that a change of one block of a very long page
 * does not write all of it anew.
 *
 * @module
 */
import { lengthOf, spaced } from "./spaced.ts";

/** A piece of a page's words; each text stands in one part, and phrases inside one text. */
export interface Part {
  /**
   * Spaced; the page's in each of its parts, for a query's words may stand in both. Those behind the
   * first have its beginning.
   */
  readonly title: string;
  /** Lines in pairs: the id of a block, or of the page itself, and a text of it, spaced. */
  readonly body: string;
}

/** One text of a part. */
export interface Segment {
  readonly id: string;
  readonly words: string;
}

/** UTF-16 code units of a title in the parts behind the first: a longer one would multiply. */
const TITLE_LENGTH = 500;
/** UTF-16 code units of a body behind which a new part begins: some 500 words. */
const BODY_LENGTH = 4_096;

/** Whole words of a spaced title: what each part of its page has, nearly always all. */
export function beginningOf(title: string): string {
  if (title.length <= TITLE_LENGTH) return title;
  return title.slice(0, title.lastIndexOf(" ", TITLE_LENGTH - 1) + 1);
}

/** The texts of a block, or of a page's properties, as lines of a body. */
export function linesOf(id: string, texts: readonly string[]): string {
  return texts.map(spaced).filter((words) => words !== "")
    .map((words) => `${id}\n${words}\n`).join("");
}

/** The texts of a body in order. */
export function segmentsOf(body: string): Segment[] {
  const lines = body.split("\n");
  const segments: Segment[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    segments.push({ id: lines[at] ?? "", words: lines[at + 1] ?? "" });
  }
  return segments;
}

/** A body with other lines for these ids, and the ids that it had none of. */
export function replaceLines(
  body: string,
  lines: ReadonlyMap<string, string>,
): { readonly body: string; readonly missing: ReadonlyMap<string, string> } {
  const missing = new Map(lines);
  let replaced = "";
  for (const { id, words } of segmentsOf(body)) {
    if (!lines.has(id)) replaced += `${id}\n${words}\n`;
    // Once for all lines of this id, where the first of them stood.
    replaced += missing.get(id) ?? "";
    missing.delete(id);
  }
  return { body: replaced, missing };
}

/** Bodies that begin with this one and go on with the lines, a new one wherever one is full. */
export function appendLines(body: string, lines: Iterable<string>): string[] {
  const full: string[] = [];
  let open = body;
  for (const line of lines) {
    if (line !== "" && open.length > BODY_LENGTH) {
      full.push(open);
      open = "";
    }
    open += line;
  }
  return [...full, open];
}

/** How many terms a part has. */
export function partLength({ title, body }: Part): number {
  return segmentsOf(body).reduce((sum, { words }) => sum + lengthOf(words), lengthOf(title));
}
