/**
 * The stored words of a page, in parts: a change of one block of a very long page does not rewrite
 * the whole page.
 *
 * @module
 */
import { lengthOf, spaced, spacedSteps } from "./spaced.ts";

/** A part of a page's words. No text is split between parts. */
export interface Part {
  /**
   * The page's title, spaced. It is in every part, because a query may match title and body together.
   * Parts after the first have only its beginning.
   */
  readonly title: string;
  /** Pairs of lines: the ID of a block or of the page itself, and one of its texts, spaced. */
  readonly body: string;
}

/** One text of a part. */
export interface Segment {
  readonly id: string;
  readonly words: string;
}

/** UTF-16 code units of the title in the parts after the first, so that a long one does not multiply. */
const TITLE_LENGTH = 500;
/** UTF-16 code units of a full body: about 500 words. */
const BODY_LENGTH = 4_096;

/**
 * UTF-16 code units, or bytes, of the bodies that one answer of a search reads: as many as 600 full
 * parts have, twice those that are ranked at once. The part that exceeds it is the last.
 */
export const MOST_TEXT = 2_500_000;
/** The same of an answer with all parts of pages, most of which a search only looks through. */
export const MOST_WORDS = 1_000_000;

/** Returns the beginning of a spaced title, which ends after a whole word. */
export function beginningOf(title: string): string {
  if (title.length <= TITLE_LENGTH) return title;
  return title.slice(0, title.lastIndexOf(" ", TITLE_LENGTH - 1) + 1);
}

/** UTF-16 code units of a text that is likely to come again, and how many such texts are kept. */
const REPEATED = { most: 64, kept: 1_000 };
/** Short texts as they are spaced: the rows of a database repeat names of options, dates, numbers. */
const repeated = new Map<string, string>();

function spacedOnce(text: string): string {
  if (text.length > REPEATED.most) return spaced(text);
  if (repeated.size >= REPEATED.kept) repeated.clear();
  return repeated.getOrInsertComputed(text, spaced);
}

/** Returns the texts of a block, or of a page's properties, as lines of a body. */
export function linesOf(id: string, texts: readonly string[]): string {
  return texts.map((text) => lineOf(id, spacedOnce(text))).join("");
}

/** Does the same in steps, because the texts may be long. */
export function* lineSteps(
  id: string,
  texts: readonly string[],
): Generator<void, string, void> {
  let lines = "";
  for (const text of texts) {
    lines += lineOf(id, text.length > REPEATED.most ? yield* spacedSteps(text) : spacedOnce(text));
    yield;
  }
  return lines;
}

function lineOf(id: string, words: string): string {
  return words === "" ? "" : `${id}\n${words}\n`;
}

/** Returns the texts of a body in order. */
export function segmentsOf(body: string): Segment[] {
  const lines = body.split("\n");
  const segments: Segment[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    segments.push({ id: lines[at] ?? "", words: lines[at + 1] ?? "" });
  }
  return segments;
}

/** Replaces the lines of these IDs in a body; returns those of IDs that it did not contain, too. */
export function replaceLines(
  body: string,
  lines: ReadonlyMap<string, string>,
): { readonly body: string; readonly missing: ReadonlyMap<string, string> } {
  const missing = new Map(lines);
  let replaced = "";
  for (const { id, words } of segmentsOf(body)) {
    if (!lines.has(id)) replaced += `${id}\n${words}\n`;
    // Inserts all lines of this ID in place of its first one.
    replaced += missing.get(id) ?? "";
    missing.delete(id);
  }
  return { body: replaced, missing };
}

/** Appends lines to a body; returns it and, whenever one is full, another. */
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

/** Returns the number of terms of a part. */
export function partLength({ title, body }: Part): number {
  return segmentsOf(body).reduce((sum, { words }) => sum + lengthOf(words), lengthOf(title));
}
