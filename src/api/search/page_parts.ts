/**
 * Comparing and ranking the parts of pages. One page may have thousands, so that a search may pause
 * behind each of them, wherever pages begin.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import { hasPhrase } from "../../search/text/candidates.ts";
import type { Score } from "../../search/words/score.ts";
import { type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
import type { WordMatch, WordQuery } from "../../store/port.ts";

/** Returns the IDs of the pages whose parts have all or any of the phrases. */
export async function fittingPages(
  parts: readonly WordMatch[],
  phrases: readonly Phrase[],
  { match, pause }: Pick<WordQuery, "match"> & { readonly pause: Rest },
): Promise<ReadonlySet<string>> {
  const found = createPhraseFinder(phrases, match);
  await found.add(parts, pause);
  return found.ids;
}

/** Finds phrases in parts that are read one after the other. */
export interface PhraseFinder {
  /** The pages with all or any of the phrases. */
  readonly ids: ReadonlySet<string>;
  add(parts: readonly WordMatch[], pause: Rest): Promise<void>;
}

export function createPhraseFinder(
  phrases: readonly Phrase[],
  match: WordQuery["match"],
): PhraseFinder {
  const ids = new Set<string>();
  const missing = new Map<string, readonly Phrase[]>();
  function* look(part: WordMatch): Generator<void> {
    if (ids.has(part.id)) return;
    const wanted = missing.get(part.id) ?? phrases;
    const left: Phrase[] = [];
    for (const phrase of wanted) {
      if (!(yield* hasPhrase(part, phrase))) left.push(phrase);
    }
    missing.set(part.id, left);
    if (match === "all" ? left.length === 0 : left.length < wanted.length) ids.add(part.id);
  }
  function* lookAt(parts: readonly WordMatch[]): Generator<void> {
    for (const part of parts) {
      yield* look(part);
      yield;
    }
  }
  return {
    ids,
    async add(parts, pause) {
      await withRests(lookAt(parts), pause);
    },
  };
}

/** A part of a page and its score. */
export interface ScoredPart {
  readonly part: WordMatch;
  readonly score: number;
}

/** Returns of each page the part with the highest score, or the first of several. */
export function bestParts(
  parts: readonly WordMatch[],
  score: Score,
  pause: Rest,
): Promise<ScoredPart[]> {
  return withRests(bestPartSteps(parts, score), pause);
}

function* bestPartSteps(
  parts: readonly WordMatch[],
  score: Score,
): Generator<void, ScoredPart[], void> {
  const best = new Map<string, ScoredPart>();
  for (const part of parts) {
    const own = { part, score: yield* score(part) };
    const known = best.get(part.id);
    if (known === undefined || own.score > known.score) best.set(part.id, own);
    yield;
  }
  return [...best.values()];
}
