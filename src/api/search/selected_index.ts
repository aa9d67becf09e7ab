/**
 * The word index as a search with a filter sees it: with the pages that match the filter alone.
 *
 * @module
 */
import { MOST_TEXT } from "../../search/text/parts.ts";
import type { WordIndex, WordMatch, WordMatches, WordQuery } from "../../store/port.ts";
import { findAmongFew } from "./few_pages.ts";
import type { Selection } from "./filters.ts";

/** Returns the index with the selected pages. A query without words is answered by the whole index. */
export function selectedIndex(index: WordIndex, selection: Selection): WordIndex {
  const { few, among, rest } = selection;
  if (among === undefined) return index;
  const fewPages = few && { ids: few, numbers: new Map<string, number>(), rest };
  return {
    wordStatistics: (workspace, phrases) => index.wordStatistics(workspace, phrases),
    words: (workspace, ids, from) => index.words(workspace, ids, from),
    hasOutdatedWords: (workspace) => index.hasOutdatedWords(workspace),
    async findWords(workspace, query) {
      if (query.phrases.length === 0) return await index.findWords(workspace, query);
      if (fewPages === undefined) return await findSelected(index, workspace, query, selection);
      const found = await findAmongFew(index, workspace, query, fewPages);
      return { ...found, matches: await selected(found.matches, among) };
    },
  };
}

/** Reads on until there are as many matches as requested, or their texts are long. */
async function findSelected(
  index: WordIndex,
  workspace: string,
  query: WordQuery,
  { among, rest: pause }: Selection,
): Promise<WordMatches> {
  const found: WordMatch[] = [];
  let length = 0;
  let { before } = query;
  while (true) {
    const { matches, rest } = await index.findWords(workspace, {
      ...query,
      ...(before !== undefined && { before }),
    });
    for (const match of await selected(matches, among)) {
      found.push(match);
      length += match.body.length;
    }
    const isFull = found.length >= query.limit || length >= MOST_TEXT;
    if (rest === undefined || isFull) return { matches: found, rest };
    before = rest;
    await pause();
  }
}

async function selected(
  matches: readonly WordMatch[],
  among: Selection["among"],
): Promise<readonly WordMatch[]> {
  if (among === undefined || matches.length === 0) return matches;
  const fitting = await among([...new Set(matches.map(({ id }) => id))]);
  const ids = new Set(fitting.map(({ id }) => id));
  return matches.filter(({ id }) => ids.has(id));
}
