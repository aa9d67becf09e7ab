/**
 * Finds words in a few pages, whose words are read page by page. They may be long, so that only some
 * of the pages that are found are in one answer.
 *
 * @module
 */
import { hasPhrase } from "../../search/text/candidates.ts";
import { MOST_TEXT } from "../../search/text/parts.ts";
import type { Phrase } from "../../search/text/query.ts";
import { type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
import type { WordIndex, WordMatch, WordMatches, WordQuery } from "../../store/port.ts";
import { partPortions } from "./part_portions.ts";

export interface FewPages {
  readonly ids: readonly string[];
  /** The numbers of those that have been read, for further answers. */
  readonly numbers: Map<string, number>;
  readonly rest: Rest;
}

/** Like `findWords()` of the index, among a few pages alone. */
export async function findAmongFew(
  index: Pick<WordIndex, "words">,
  workspace: string,
  { phrases, match, inTitle = false, from = 0, before = Infinity }: WordQuery,
  { ids, numbers, rest }: FewPages,
): Promise<WordMatches> {
  const isWithin = (no = from) => from <= no && no < before;
  const within = ids.filter((id) => isWithin(numbers.get(id)));
  function* foundIn(part: WordMatch): PhraseSteps {
    const found: Phrase[] = [];
    for (const phrase of phrases) {
      if (yield* hasPhrase(part, phrase, inTitle)) found.push(phrase);
    }
    return found;
  }
  let pages: FoundPage[] = [];
  let lowest: number | undefined;
  for await (const page of pagesIn(partPortions(index, workspace, within), foundIn, rest)) {
    const { id, no, found } = page;
    numbers.set(id, no);
    const isFitting = match === "all" ? found.size === phrases.length : found.size > 0;
    if (!isFitting || !isWithin(no)) continue;
    pages = [...pages, page].toSorted((a, b) => b.no - a.no);
    const fitting = firstOf(pages);
    if (fitting.length < pages.length) lowest = fitting.at(-1)?.no;
    pages = fitting;
  }
  return { matches: pages.flatMap(({ parts }) => parts), rest: lowest };
}

/** Returns which of the phrases a part has. */
type PhraseSteps = Generator<void, readonly Phrase[], void>;

interface FoundPage {
  readonly id: string;
  readonly no: number;
  /** Its parts with any of the phrases; of a very long page only some. */
  readonly parts: WordMatch[];
  readonly found: Set<Phrase>;
  /** UTF-16 code units of the parts. */
  length: number;
}

/** Reads page by page what is found. */
async function* pagesIn(
  portions: AsyncIterable<readonly WordMatch[]>,
  foundIn: (part: WordMatch) => PhraseSteps,
  rest: Rest,
): AsyncGenerator<FoundPage> {
  let page: FoundPage | undefined;
  for await (const parts of portions) {
    for (const part of parts) {
      if (page?.id !== part.id) {
        if (page !== undefined) yield page;
        page = { id: part.id, no: part.no, parts: [], found: new Set(), length: 0 };
      }
      addPart(page, part, await withRests(foundIn(part), rest));
    }
  }
  if (page !== undefined) yield page;
}

function addPart(page: FoundPage, part: WordMatch, found: readonly Phrase[]): void {
  const isNew = found.some((phrase) => !page.found.has(phrase));
  if (!isNew && (found.length === 0 || page.length >= MOST_TEXT)) return;
  page.parts.push(part);
  page.length += part.body.length;
  for (const phrase of found) page.found.add(phrase);
}

/** Returns as many of the pages as fit into an answer. */
function firstOf(pages: readonly FoundPage[]): FoundPage[] {
  let length = 0;
  const last = pages.findIndex((page) => (length += page.length) >= MOST_TEXT);
  return last < 0 ? [...pages] : pages.slice(0, last + 1);
}
