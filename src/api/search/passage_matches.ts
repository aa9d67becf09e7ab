/**
 * Matches of a semantic search: an excerpt of the passage that matches.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import type { Phrase } from "../../search/text/query.ts";
import { excerptOf } from "../../search/text/excerpt.ts";
import { readNodes } from "../../shared/node_portions.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { Database } from "../shared/database_cache.ts";
import { matchesOf, readTextSources, textsOf } from "./matches.ts";
import type { SemanticHit } from "./vector_search.ts";
import type { Services } from "../shared/services.ts";

export interface PassageMatch {
  readonly score: number;
  readonly block_id: string;
  readonly text: string;
}

export interface PassageMatchInput {
  readonly pages: readonly (SemanticHit & { readonly node: NodeView })[];
  readonly phrases: readonly Phrase[];
  readonly databases: ReadonlyMap<string, Database>;
}

/** Returns the match of each page, in the same order. Takes three queries. */
export async function passageMatches(
  services: Services,
  workspace: string,
  { pages, phrases, databases }: PassageMatchInput,
): Promise<PassageMatch[]> {
  const byWords = pages.filter(({ blockId }) => blockId === undefined).map(({ node }) => node);
  const matching = { nodes: byWords, parts: [], phrases, databases };
  const matches = await matchesOf(services, workspace, matching);
  const ofWords = new Map(byWords.map(({ id }, index) => [id, matches[index]]));
  const ids = pages.flatMap(({ blockId }) => blockId ?? []);
  const rest = createRest();
  const { store } = services;
  const sources = await readTextSources(store, workspace, ids, async () => {
    const nodes = await readNodes(store, workspace, [...new Set(ids)], rest);
    return nodes.filter(({ trashRoot }) => trashRoot === null);
  });
  const shown: PassageMatch[] = [];
  for (const { node, score, blockId } of pages) {
    const found = ofWords.get(node.id);
    const source = sources.get(blockId ?? "");
    // If the block is in the trash since, the match is the page itself.
    const { text } = found ??
      await excerptOf(textsOf(node, source, databases).join("\n"), phrases, rest);
    shown.push({ score, block_id: found?.block_id ?? source?.blockId ?? node.id, text });
    await rest();
  }
  return shown;
}
