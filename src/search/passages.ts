/**
 * Splits a page's text into passages, short enough that each is about one thing.
 *
 * @module
 */

/** A block with text. */
export interface TextBlock {
  readonly id: string;
  readonly text: string;
}

export interface PageText {
  readonly title: string;
  /** In reading order. */
  readonly blocks: readonly TextBlock[];
}

export interface Passage {
  readonly title: string;
  readonly text: string;
  /** The block that the passage begins with; null if the page has only a title. */
  readonly blockId: string | null;
}

/** Target length in characters, about 300 words. A passage ends at the end of a block. */
const LENGTH = 2_000;
/** Maximum characters of the title, which is part of every passage. */
const TITLE_LENGTH = 500;
/** Longer blocks are split, because embedding models limit their input. */
const LONGEST = 4_000;
/** Maximum passages of a page, so that a very long one does not take the memory of thousands. */
const MOST_PASSAGES = 64;
/** Characters of a page's blocks after which no passage begins. */
export const MOST_TEXT = MOST_PASSAGES * LONGEST;

const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

/** Returns the passages of a page in order; an empty list if it has neither title nor text. */
export function passagesOf({ title, blocks }: PageText): Passage[] {
  const pieces = blocks.flatMap(({ id, text }) => cut(text).map((text) => ({ id, text })));
  const passages: Passage[] = [];
  let open: TextBlock[] = [];
  let length = 0;
  const heading = title.slice(0, endWithin(title, TITLE_LENGTH)).trimEnd();
  for (const piece of pieces) {
    if (length > 0 && length + piece.text.length > LENGTH) {
      passages.push(toPassage(heading, open));
      open = [];
      length = 0;
    }
    open.push(piece);
    length += piece.text.length;
  }
  if (open.length > 0 || title.trim() !== "") passages.push(toPassage(heading, open));
  return passages.slice(0, MOST_PASSAGES);
}

function toPassage(title: string, blocks: readonly TextBlock[]): Passage {
  const text = blocks.map(({ text }) => text).join("\n");
  return { title, text, blockId: blocks[0]?.id ?? null };
}

/** Splits a text into pieces of limited length, at spaces if possible; a blank text has none. */
function cut(text: string): string[] {
  const rest = text.trim();
  if (rest === "") return [];
  const end = endWithin(rest, LONGEST);
  return [rest.slice(0, end), ...cut(rest.slice(end))];
}

/** Returns the end of the text or of its longest allowed part: at a space, or else at a character. */
function endWithin(text: string, longest: number): number {
  if (text.length <= longest) return text.length;
  const space = text.lastIndexOf(" ", longest);
  if (space > longest / 2) return space;
  return LOW_SURROGATE.test(text.charAt(longest)) ? longest - 1 : longest;
}
