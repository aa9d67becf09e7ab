/**
 * A page's text in passages: pieces short enough that each is about one thing.
 *
 * @module
 */

/** A block that has text. */
export interface TextBlock {
  readonly id: string;
  readonly text: string;
}

export interface PageText {
  readonly title: string;
  /** In the order in which they are read. */
  readonly blocks: readonly TextBlock[];
}

export interface Passage {
  readonly title: string;
  readonly text: string;
  /** The block that it begins with; null where the page has a title alone. */
  readonly blockId: string | null;
}

/** Characters at which a passage ends with its block; about 300 words. */
const LENGTH = 2_000;
/** Characters of the title, which a service is sent with every passage. */
const TITLE_LENGTH = 500;
/** What is longer is cut, for a real model reads no more at once. */
const LONGEST = 4_000;
/** Passages of one page: one very long page must not take the memory of thousands. */
const MOST_PASSAGES = 64;
/** Characters of blocks behind which no passage of a page begins. */
export const MOST_TEXT = MOST_PASSAGES * LONGEST;

const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

/** The passages of a page in order; none where it has neither title nor text. */
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

/** The text in pieces that are not too long, cut at spaces where there are any; none of a blank one. */
function cut(text: string): string[] {
  const rest = text.trim();
  if (rest === "") return [];
  const end = endWithin(rest, LONGEST);
  return [rest.slice(0, end), ...cut(rest.slice(end))];
}

/** Where the text ends, or a part of it that is not too long: at a space, or else at a character. */
function endWithin(text: string, longest: number): number {
  if (text.length <= longest) return text.length;
  const space = text.lastIndexOf(" ", longest);
  if (space > longest / 2) return space;
  return LOW_SURROGATE.test(text.charAt(longest)) ? longest - 1 : longest;
}
