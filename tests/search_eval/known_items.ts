/**
 * Questions that only one page answers: two common words, and a rare one that stands in it alone.
 *
 * @module
 */
import { createWords } from "../bench/search/words.ts";
import type { Document } from "./collection.ts";
import { waysOf, withService } from "./service.ts";

export interface KnownItems {
  readonly way: string;
  /** Questions whose page came first. */
  readonly first: number;
  readonly questions: number;
}

const QUESTIONS = 60;
/** Words of a title, of a paragraph, and paragraphs of a page. */
const TITLE = 4;
const PARAGRAPH = 20;
const PARAGRAPHS = 7;
/** The common words are among those with these ranks. */
const COMMON = 40;

interface KnownItem {
  readonly id: string;
  readonly query: string;
}

/** Builds a workspace of so many pages, and asks each way of searching every question. */
export async function askKnownItems(
  pages: number,
  progress: (share: number) => void,
): Promise<KnownItems[]> {
  const { documents, items } = generate(pages);
  return await withService(async ({ call, load }) => {
    const ids = await load(documents);
    progress(1);
    const found: KnownItems[] = [];
    for (const { name, search } of waysOf(call, ids)) {
      let first = 0;
      for (const { id, query } of items) if ((await search(query))[0] === id) first++;
      found.push({ way: name, first, questions: items.length });
    }
    return found;
  });
}

/** Pages of generated text; a known item has its rare word once, in the middle of its text. */
function generate(pages: number): { documents: Document[]; items: KnownItem[] } {
  const words = createWords(7);
  const items: KnownItem[] = [];
  const documents = Array.from({ length: pages }, (_, index) => {
    const id = String(index);
    const title = words.text(TITLE);
    const paragraphs = Array.from({ length: PARAGRAPHS }, () => words.text(PARAGRAPH));
    if (index % Math.floor(pages / QUESTIONS) === 0 && items.length < QUESTIONS) {
      const rare = `qy${index.toString(36)}wz`;
      paragraphs.splice(PARAGRAPHS >> 1, 0, `${words.text(5)} ${rare} ${words.text(5)}`);
      const common = [index % COMMON, (index * 7 + 3) % COMMON].map((rank) => words.word(rank + 1));
      items.push({ id, query: [...common, rare].join(" ") });
    }
    return { id, title, paragraphs };
  });
  return { documents, items };
}
