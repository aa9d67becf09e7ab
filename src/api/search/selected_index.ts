/**
 * The word index as a search with a filter sees it: with the pages that match the filter alone.
 *
 * @module
 */
import { fits } from "../../search/text/candidates.ts";
import type { WordIndex, WordMatch, WordMatches, WordQuery } from "../../store/port.ts";
import type { Selection } from "./filters.ts";
import { partPortions } from "./part_portions.ts";

/** Returns the index with the selected pages. A query without words is answered by the whole index. */
export function selectedIndex(index: WordIndex, selection: Selection): WordIndex {
  const { few } = selection;
  return {
    wordStatistics: (workspace, phrases) => index.wordStatistics(workspace, phrases),
    words: (workspace, ids) => index.words(workspace, ids),
    hasOutdatedWords: (workspace) => index.hasOutdatedWords(workspace),
    findWords(workspace, query) {
      if (query.phrases.length === 0) return index.findWords(workspace, query);
      if (few !== undefined) return findAmongFew(index, workspace, query, { ...selection, few });
      return findSelected(index, workspace, query, selection);
    },
  };
}

/** Reads on until there are as many matches as requested. */
async function findSelected(
  index: WordIndex,
  workspace: string,
  query: WordQuery,
  { among, rest: pause }: Selection,
): Promise<WordMatches> {
  const found: WordMatch[] = [];
  let { before } = query;
  while (true) {
    const { matches, rest } = await index.findWords(workspace, {
      ...query,
      ...(before !== undefined && { before }),
    });
    found.push(...await selected(matches, among));
    if (rest === undefined || found.length >= query.limit) return { matches: found, rest };
    before = rest;
    await pause();
  }
}

async function findAmongFew(
  index: WordIndex,
  workspace: string,
  { phrases, match, inTitle = false }: WordQuery,
  { few, among, rest }: Selection & { readonly few: readonly string[] },
): Promise<WordMatches> {
  const found: WordMatch[] = [];
  for await (const parts of partPortions(index, workspace, few)) {
    await rest();
    for (const own of Map.groupBy(parts, ({ id }) => id).values()) {
      if (fits(own, phrases, { match, inTitle })) found.push(...own);
    }
  }
  const matches = (await selected(found, among)).toSorted((a, b) => b.no - a.no);
  return { matches, rest: undefined };
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
